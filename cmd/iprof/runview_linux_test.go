package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
)

// logsEvents has the viewer's page keep its lines.
const logsEvents = `let session; Object.defineProperty(globalThis, 'iprofSession',
	{get: () => session, set: s => { session = {...s, events: true} }})`

// TestRunInTheBrowser: iprof run -view shows the program live in a real browser. The page stays when the program has
// ended. The command ends with the page, with the program's status.
func TestRunInTheBrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Before(logsEvents)
	b := web.Builder{Module: filepath.Join("..", ".."), Cache: t.TempDir(), Say: func(string) {}}
	v := must.Get(b.Viewer(t.Context()))(t)
	carriedViewer = v
	defer func() { carriedViewer = nil }()
	args, end := watched(t, "-view")
	bin := t.TempDir()
	opened := tells(t, bin, "xdg-open")
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", "")
	ended := make(chan int, 1)
	go func() { ended <- launch("run", args) }()
	p.Open(told(t, opened))
	says := func(line string) {
		t.Helper()
		has := "(globalThis.iprofLines || []).some(line => /" + line + "/.test(line))"
		for end := time.Now().Add(5 * time.Minute); p.Text(has) != "true"; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never %q; the page has %s", line, p.Text("(globalThis.iprofLines || []).join('; ')"))
			}
		}
	}
	says("^link (?!NOT CONNECTED).+ · ")
	write(t, end, "")
	says("^link NOT CONNECTED · ")
	select {
	case status := <-ended:
		t.Fatalf("it ends with the program, status %d; want it to stay", status)
	default:
	}
	p.Open("about:blank")
	if status := <-ended; status != 3 {
		t.Errorf("status %d; want the program's, 3", status)
	}
}
