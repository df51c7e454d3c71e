//go:build !js

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// built returns a folder with the files.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, build(dir))
	return dir
}

// In a browser, frames follow each other, and what they show is no blank picture. A key pauses the profiler.
func TestThePanelIsOnTheCanvas(t *testing.T) {
	longtest.Skip(t)
	page := browser.Start(t)
	server := httptest.NewServer(http.FileServer(http.Dir(built(t))))
	defer server.Close()
	page.Size(1000, 640, "dark")
	page.Open(server.URL)
	wait := func(title string) {
		page.Eval(`new Promise(done => { const look = () => {
			if (/` + title + `/.test(document.getElementById("canvas").title)) done(); else setTimeout(look, 20);
		}; look(); })`)
	}
	wait("frame [1-9][0-9][0-9] paused false")
	const quads = `Number(document.getElementById("canvas").title.match(/quads (\d+)/)[1])`
	if few := page.Text(quads + " < 20000"); few != "true" {
		t.Errorf("the list has %s quads; want those of one frame", page.Text(quads))
	}
	colours := page.Text(`(() => {
		const c = document.getElementById("canvas"), seen = new Set();
		const p = new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer);
		for (const x of p) seen.add(x);
		return seen.size > 50 ? "many" : seen.size;
	})()`)
	page.Screenshot(filepath.Join("testdata", "out", "wasm.png"))
	if colours != "many" || len(page.Console()) > 0 {
		t.Errorf("got %s colours, and %q; want the panel", colours, page.Console())
	}
	page.Key(" ")
	wait("paused true")
}

// The same program under node.
func TestTheReportWithoutAPage(t *testing.T) {
	longtest.Skip(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: node is not installed")
	}
	goroot := must.Get(exec.Command("go", "env", "GOROOT").Output())(t)
	script := filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/go_js_wasm_exec")
	cmd := exec.Command(script, filepath.Join(built(t), "game.wasm"))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // its script fails on a large environment
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "simulate") {
		t.Errorf("%v: want zone simulate in\n%s", err, out)
	}
}
