package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// chromium is a running browser.
type chromium struct {
	to  io.Writer
	end func()

	mu      sync.Mutex
	next    int
	replies map[int]chan reply
	pages   map[string]*Page // by session
}

// reply is the answer to one command.
type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// shared is the browser of all tests of a program.
var shared sharedBrowser

type sharedBrowser struct {
	wanted  bool
	starts  sync.Once
	running *chromium
	err     error
}

// Main runs the tests of a package with one browser, which starts with the first test that needs it. A TestMain gives
// its result to os.Exit:
//
//	func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }
func Main(m *testing.M) (status int) {
	shared.wanted = true
	status = m.Run()
	if shared.running != nil {
		shared.running.end()
	}
	return status
}

func (s *sharedBrowser) start(path string) (*chromium, error) {
	s.starts.Do(func() { s.running, s.err = launch(path, nil) })
	return s.running, s.err
}

// launch starts the process, with the two pipes on descriptors 3 and 4.
func launch(path string, typefaces [][]byte) (c *chromium, err error) {
	browserIn, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, browserOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "iprof-browser-")
	if err != nil {
		return nil, err
	}
	fonts, err := install(dir, typefaces)
	if err != nil {
		return nil, err
	}
	args := []string{"--headless", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking", "--user-data-dir=" + dir}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium's sandbox refuses root; the pages are ours
	}
	cmd := exec.Command(path, append(args, "about:blank")...)
	cmd.Env = append(os.Environ(), "FONTCONFIG_FILE="+fonts)
	cmd.ExtraFiles = []*os.File{browserIn, browserOut}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	browserIn.Close()
	browserOut.Close()
	c = &chromium{to: to, replies: map[int]chan reply{}, pages: map[string]*Page{}, end: func() {
		to.Close()
		cmd.Process.Kill()
		cmd.Wait()
		from.Close()
		os.RemoveAll(dir)
	}}
	go c.read(json.NewDecoder(skipZeros{from}))
	return c, nil
}

// install writes typefaces into a folder, or the Go fonts. It returns the file that tells fontconfig of these alone.
func install(dir string, typefaces [][]byte) (file string, err error) {
	if len(typefaces) == 0 {
		typefaces = [][]byte{goregular.TTF, gobold.TTF, gomono.TTF}
	}
	for i, data := range typefaces {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.ttf", i)), data, 0o600); err != nil {
			return "", err
		}
	}
	file = filepath.Join(dir, "fonts.conf")
	return file, os.WriteFile(file, fmt.Appendf(nil, `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%[1]s</cachedir></fontconfig>
`, dir), 0o600)
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

func (c *chromium) add(p *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages[p.session] = p
}

func (c *chromium) remove(p *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pages, p.session)
}

// read handles messages until the browser ends.
func (c *chromium) read(d *json.Decoder) {
	for {
		var m struct {
			ID        int
			SessionID string
			Method    string
			Params    json.RawMessage
			reply
		}
		if d.Decode(&m) != nil {
			return
		}
		c.mu.Lock()
		if waiting := c.replies[m.ID]; waiting != nil {
			delete(c.replies, m.ID)
			waiting <- m.reply
		}
		if p := c.pages[m.SessionID]; p != nil {
			p.event(m.Method, m.Params)
		}
		c.mu.Unlock()
	}
}

// event records the events that tests may query. The browser's mutex is held.
func (p *Page) event(method string, params json.RawMessage) {
	switch method {
	case "Page.loadEventFired":
		p.loaded <- struct{}{}
	case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
		p.console = append(p.console, method+" "+string(params))
	}
}

// send sends a command to a tab, or to the browser if session is "". The reply comes through the channel.
func (c *chromium) send(session, method string, params any) (waiting chan reply, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	m := map[string]any{"id": c.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if session != "" {
		m["sessionId"] = session
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	waiting = make(chan reply, 1)
	c.replies[c.next] = waiting
	_, err = c.to.Write(append(b, 0))
	return waiting, err
}
