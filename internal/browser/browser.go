// Package browser drives a headless Chromium for tests of pages.
//
//	p := browser.Start(t)
//	p.Load("profile.html")
//	p.Click("#filter", 0.5, 0.5)
//	got := p.Text("document.title")
//
// It loads files, evaluates scripts, sends real mouse and key events, collects console messages and takes pictures. It
// speaks the DevTools protocol over a pair of pipes, so nothing listens on a port. Through fontconfig Chromium finds
// only the typefaces given to Start, so that pages look alike on all machines.
//
// A package with many such tests can share one browser: see Main.
//
// Without a browser tests are skipped, or fail if IPROF_BROWSER=must.
package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is the longest wait for the browser.
const patience = 5 * time.Minute

// Page is one tab. Its methods fail the test on errors. One goroutine at a time may call them.
type Page struct {
	t       testing.TB
	of      *chromium
	session string
	context string // with storage of its own
	target  string
	loaded  chan struct{}
	console []string // guarded by of.mu
}

// Start opens a tab in a browser that has some typefaces, or the Go fonts. It ends with the test. It shares no storage
// with other tabs.
func Start(t testing.TB, typefaces ...[]byte) *Page {
	t.Helper()
	path := find()
	if path == "" {
		if os.Getenv("IPROF_BROWSER") == "must" {
			t.Fatal("no Chromium found, and IPROF_BROWSER=must: install the package chromium")
		}
		t.Skip("no Chromium found: install the package chromium to run this test")
	}
	p := &Page{t: t, loaded: make(chan struct{}, 16)}
	var err error
	if len(typefaces) == 0 && shared.wanted {
		p.of, err = shared.start(path)
		p.check(err)
	} else {
		p.of, err = launch(path, typefaces)
		p.check(err)
		t.Cleanup(p.of.end)
	}
	p.open()
	return p
}

// open makes the tab.
func (p *Page) open() {
	p.t.Helper()
	var context struct{ BrowserContextID string }
	p.command("Target.createBrowserContext", map[string]any{}, &context)
	var target struct{ TargetID string }
	p.command("Target.createTarget",
		map[string]any{"url": "about:blank", "browserContextId": context.BrowserContextID}, &target)
	var attached struct{ SessionID string }
	p.command("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session, p.context, p.target = attached.SessionID, context.BrowserContextID, target.TargetID
	p.of.add(p)
	for _, domain := range []string{"Page.enable", "Runtime.enable", "Log.enable"} {
		p.command(domain, nil, nil)
	}
	p.t.Cleanup(func() {
		p.of.remove(p)
		p.session = ""
		p.command("Target.disposeBrowserContext", map[string]any{"browserContextId": context.BrowserContextID}, nil)
	})
}

// find returns the path of a browser, or "".
func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// command sends a command and waits for its reply.
func (p *Page) command(method string, params any, result any) {
	p.t.Helper()
	waiting, err := p.of.send(p.session, method, params)
	p.check(err)
	select {
	case r := <-waiting:
		if r.Error != nil {
			p.t.Fatalf("browser: %s: %s", method, r.Error.Message)
		}
		if result != nil {
			p.check(json.Unmarshal(r.Result, result))
		}
	case <-time.After(patience):
		p.t.Fatalf("browser: no answer to %s", method)
	}
}

func (p *Page) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal("browser: ", err)
	}
}

// Load opens a file and waits until it is loaded.
func (p *Page) Load(path string) {
	p.t.Helper()
	full, err := filepath.Abs(path)
	p.check(err)
	p.Open((&url.URL{Scheme: "file", Path: full}).String())
}

// Open opens an address, such as that of a test's server, and waits until it is loaded.
func (p *Page) Open(address string) {
	p.t.Helper()
	p.command("Page.navigate", map[string]any{"url": address}, nil)
	p.Loaded()
}

// Loaded waits until the page is loaded.
func (p *Page) Loaded() {
	p.t.Helper()
	select {
	case <-p.loaded:
	case <-time.After(patience):
		p.t.Fatal("browser: the page did not load")
	}
}

// Console returns all messages of scripts and of the browser so far: output, uncaught errors, blocked content.
func (p *Page) Console() []string {
	p.Eval("0") // all events before this reply have arrived
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	return append([]string(nil), p.console...)
}

// Eval returns the value of a JavaScript expression.
func (p *Page) Eval(expression string) any {
	p.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	p.command("Runtime.evaluate",
		map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		p.t.Fatalf("browser: %s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

// Text returns the value of a JavaScript expression as a string.
func (p *Page) Text(expression string) string { p.t.Helper(); return fmt.Sprint(p.Eval(expression)) }

// Accessible returns what a screen reader finds: role and name of each part of the page that is not ignored, one a
// line, with "selected" after those that are, and the live regions.
func (p *Page) Accessible() string {
	p.t.Helper()
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name value
			Properties []struct {
				Name  string
				Value value
			}
		}
	}
	p.command("Accessibility.getFullAXTree", map[string]any{}, &tree)
	var b strings.Builder
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		fmt.Fprint(&b, n.Role.Value, " ", n.Name.Value)
		for _, q := range n.Properties {
			switch {
			case q.Name == "selected" && q.Value.Value == true:
				b.WriteString(" selected")
			case q.Name == "live":
				fmt.Fprint(&b, " live ", q.Value.Value)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
