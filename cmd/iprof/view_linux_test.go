package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
)

// tells puts a program into the only folder of PATH that writes its arguments into a file, and returns the file.
func tells(t *testing.T, folder, name string) (file string) {
	t.Helper()
	file = filepath.Join(folder, name+".got")
	script := "#!/bin/sh\necho \"$@\" > " + file + ".new\n/bin/mv " + file + ".new " + file + "\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(script), 0o700))
	return file
}

// argumentsOf waits for the arguments of such a program.
func argumentsOf(t *testing.T, file string) string {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			return strings.TrimSpace(string(text))
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// Where glviewer and a display are, unless -browser is given.
func TestViewChoosesTheWindow(t *testing.T) {
	path, folder := recorded(t), t.TempDir()
	t.Setenv("PATH", folder)
	t.Setenv("DISPLAY", ":99")
	if got := named("view")([]string{"-window", path}); got != 1 {
		t.Errorf("-window without glviewer: got status %d; want 1", got)
	}
	if got := named("view")([]string{"-window", "-browser", path}); got != 2 {
		t.Errorf("both: got status %d; want 2", got)
	}
	window := tells(t, folder, "glviewer")
	if got := named("view")([]string{"-source", folder, path, "localhost:1"}); got != 0 {
		t.Errorf("got status %d; want 0", got)
	}
	if got, want := argumentsOf(t, window), "-source "+folder+" -connect localhost:1 "+path; got != want {
		t.Errorf("the window got %q; want %q", got, want)
	}
}

// Without a display, or with -browser, the browser is given an address at which the viewer and the capture are, and the
// command ends when the page is closed.
func TestViewInTheBrowser(t *testing.T) {
	longtest.Skip(t)
	path := recorded(t)
	carriedViewer = &web.Viewer{Program: []byte("program"), Script: []byte("script")}
	defer func() { carriedViewer = nil }()
	for name, flags := range map[string][]string{"no display": nil, "asked for": {"-browser"}} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			t.Setenv("PATH", folder)
			t.Setenv("WAYLAND_DISPLAY", "")
			t.Setenv("DISPLAY", map[string]string{"no display": "", "asked for": ":99"}[name])
			window, browser := tells(t, folder, "glviewer"), tells(t, folder, "xdg-open")
			ended := make(chan int, 1)
			go func() { ended <- named("view")(append(flags, path)) }()
			address := argumentsOf(t, browser)
			open, closeIt := context.WithCancel(t.Context())
			defer closeIt()
			stays(t, open, address+"alive")
			if page := get(t, address); !strings.Contains(page, "<canvas") {
				t.Errorf("got %.300s; want the page", page)
			}
			if want, err := os.ReadFile(path); err != nil || get(t, address+"file/0") != string(want) {
				t.Errorf("got another file, %v; want the capture", err)
			}
			closeIt()
			if got := <-ended; got != 0 {
				t.Errorf("got status %d; want 0", got)
			}
			if _, err := os.Stat(window); err == nil {
				t.Error("the window opens, too")
			}
		})
	}
}

// stays asks as a page does that stays until the context is done.
func stays(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(ctx, "GET", address, nil))(t)
	answer := must.Get(http.DefaultClient.Do(r))(t)
	go func() {
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}()
}

// logsEvents has the viewer's page keep its lines.
const logsEvents = `let session; Object.defineProperty(globalThis, 'iprofSession',
	{get: () => session, set: s => { session = {...s, events: true} }})`

// iprof run -view shows the program live in a real browser. The page stays when the program has ended. The command ends
// with the page, with the program's status.
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
	p.Open(argumentsOf(t, opened))
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
