// Package browser drives a headless Chromium for tests of pages.
//
//	p := browser.Start(t)
//	p.Load("profile.html")
//	p.Click("#filter", 0.5, 0.5)
//	got := p.Text("document.title")
//
// It loads files, evaluates scripts, sends real mouse and key events, collects console messages and takes pictures.
// It speaks the DevTools protocol over a pair of pipes, so nothing listens on a port. Where Chromium asks fontconfig
// for typefaces, it finds those that Start was given and no others, so that pages look alike on all machines.
//
// Without a browser tests are skipped, or fail if IPROF_BROWSER=must.
package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// patience is the longest wait for the browser.
const patience = 5 * time.Minute

// Page is one tab. Its methods fail the test on errors. One goroutine at a time may call them.
type Page struct {
	t       testing.TB
	to      io.Writer
	session string
	next    int

	mu      sync.Mutex
	replies map[int]chan reply
	console []string
	loaded  chan struct{}
}

// reply is the answer to one command.
type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Start starts a browser that has some typefaces, or the Go fonts. It ends with the test.
func Start(t testing.TB, typefaces ...[]byte) *Page {
	t.Helper()
	path := find()
	if path == "" {
		if os.Getenv("IPROF_BROWSER") == "must" {
			t.Fatal("no Chromium found, and IPROF_BROWSER=must: install the package chromium")
		}
		t.Skip("no Chromium found: install the package chromium to run this test")
	}
	p := &Page{t: t, replies: map[int]chan reply{}, loaded: make(chan struct{}, 16)}
	if len(typefaces) == 0 {
		typefaces = [][]byte{goregular.TTF, gobold.TTF, gomono.TTF}
	}
	p.launch(path, typefaces)
	var target struct{ TargetID string }
	p.command("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	p.command("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	for _, domain := range []string{"Page.enable", "Runtime.enable", "Log.enable"} {
		p.command(domain, nil, nil)
	}
	return p
}

// find returns the path of a browser, or "" if there is none.
func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// launch starts the process, with the two pipes on descriptors 3 and 4.
func (p *Page) launch(path string, typefaces [][]byte) {
	p.t.Helper()
	browserIn, to, err := os.Pipe()
	p.check(err)
	from, browserOut, err := os.Pipe()
	p.check(err)
	dir, err := os.MkdirTemp("", "iprof-browser-")
	p.check(err)
	args := []string{"--headless", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking", "--user-data-dir=" + dir}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium's sandbox refuses root; the pages are ours
	}
	cmd := exec.Command(path, append(args, "about:blank")...)
	cmd.Env = append(os.Environ(), "FONTCONFIG_FILE="+p.install(dir, typefaces))
	cmd.ExtraFiles = []*os.File{browserIn, browserOut}
	p.check(cmd.Start())
	browserIn.Close()
	browserOut.Close()
	p.to = to
	go p.read(json.NewDecoder(skipZeros{from}))
	p.t.Cleanup(func() {
		to.Close()
		cmd.Process.Kill()
		cmd.Wait()
		from.Close()
		os.RemoveAll(dir)
	})
}

// install writes typefaces into a folder. It returns the file that tells fontconfig of these alone.
func (p *Page) install(dir string, typefaces [][]byte) string {
	p.t.Helper()
	for i, data := range typefaces {
		p.check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.ttf", i)), data, 0o600))
	}
	file := filepath.Join(dir, "fonts.conf")
	p.check(os.WriteFile(file, fmt.Appendf(nil, `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%[1]s</cachedir></fontconfig>
`, dir), 0o600))
	return file
}

// skipZeros replaces the zero bytes between messages with spaces.
type skipZeros struct{ r io.Reader }

func (s skipZeros) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	for i := range b[:n] {
		if b[i] == 0 {
			b[i] = ' '
		}
	}
	return n, err
}

// read handles messages until the browser ends.
func (p *Page) read(d *json.Decoder) {
	for {
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			reply
		}
		if d.Decode(&m) != nil {
			return
		}
		p.mu.Lock()
		if waiting := p.replies[m.ID]; waiting != nil {
			delete(p.replies, m.ID)
			waiting <- m.reply
		}
		p.event(m.Method, m.Params)
		p.mu.Unlock()
	}
}

// event records the events that tests may query.
func (p *Page) event(method string, params json.RawMessage) {
	switch method {
	case "Page.loadEventFired":
		p.loaded <- struct{}{}
	case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
		p.console = append(p.console, method+" "+string(params))
	}
}

// command sends a command and waits for its reply.
func (p *Page) command(method string, params any, result any) {
	p.t.Helper()
	p.next++
	waiting := make(chan reply, 1)
	p.mu.Lock()
	p.replies[p.next] = waiting
	p.mu.Unlock()
	m := map[string]any{"id": p.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if p.session != "" {
		m["sessionId"] = p.session
	}
	b, err := json.Marshal(m)
	p.check(err)
	_, err = p.to.Write(append(b, 0))
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
	p.mu.Lock()
	defer p.mu.Unlock()
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
