package export_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// pprofFile writes a profile of so many frames of a game.
func pprofFile(t *testing.T, frames int) string {
	t.Helper()
	s := process.NewSession()
	program := replay.New(1, s)
	for range frames {
		must.Do(t, program.Step())
	}
	var b bytes.Buffer
	must.Do(t, export.Pprof(&b, s.Dump(report.DumpOptions{NoFrames: true})))
	file := filepath.Join(t.TempDir(), "profile")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// TestGoToolPprofComparesProfiles: with -diff_base, a profile less itself has no time.
func TestGoToolPprofComparesProfiles(t *testing.T) {
	before, after := pprofFile(t, 20), pprofFile(t, 40)
	top := func(file string) string {
		cmd := exec.Command("go", "tool", "pprof", "-top", "-diff_base", before, file)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if got := top(after); !strings.Contains(got, "render_world") {
		t.Errorf("got\n%s\nwant what twenty more frames took", got)
	}
	if got := top(before); strings.Contains(got, "render_world") {
		t.Errorf("got\n%s\nwant no difference to itself", got)
	}
}

// TestGoToolPprofDrawsAFlameGraph: the page that go tool pprof -http serves has the zones as boxes, in a browser.
func TestGoToolPprofDrawsAFlameGraph(t *testing.T) {
	page := browser.Start(t)
	tool, err := exec.Command("go", "tool", "-n", "pprof").Output() // go tool would leave it running
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strings.TrimSpace(string(tool)), "-no_browser", "-http=localhost:", pprofFile(t, 40))
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	says := must.Get(cmd.StderrPipe())(t)
	must.Do(t, cmd.Start())
	defer func() { _, _ = cmd.Process.Kill(), cmd.Wait() }()
	lines, at := bufio.NewScanner(says), ""
	for at == "" && lines.Scan() {
		_, at, _ = strings.Cut(lines.Text(), "Serving web UI on ")
	}
	page.Size(1200, 800, "light")
	page.Open(at + "/ui/flamegraph")
	got := page.Text(`[...document.querySelectorAll("#stack-chart .boxtext, #stack-chart .boxsrc")].
		map(b => b.textContent).join("\n")`)
	page.Screenshot(filepath.Join("testdata", "out", "pprof.png"))
	for _, zone := range []string{"(root)", "render_world", "physics_solve"} {
		if !strings.Contains(got, zone) {
			t.Errorf("there is no box of %s among\n%s", zone, got)
		}
	}
	for _, line := range page.Console() {
		t.Errorf("it says %.300s", line)
	}
}
