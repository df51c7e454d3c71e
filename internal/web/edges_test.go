package web_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/internal/web"
	"example.com/iprof/internal/world"
	"example.com/iprof/process/report"
)

// What a script of the page tries against the policy is stopped by the browser.
func TestTheBrowserKeepsThePolicy(t *testing.T) {
	other, visits := visited(t)
	p := browser.Start(t)
	p.Size(640, 480, "dark")
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 10, 0)})
	u.Eval(fmt.Sprintf(`(async () => {
		const add = (tag, more) => document.body.append(Object.assign(document.createElement(tag), more));
		add('script', {textContent: 'globalThis.owned = 1'});
		add('script', {src: %[1]q + '/script'});
		add('img', {src: %[1]q + '/img'});
		add('iframe', {src: %[1]q + '/frame'});
		add('link', {rel: 'stylesheet', href: %[1]q + '/css'});
		await fetch(%[1]q + '/fetch', {mode: 'no-cors'}).catch(() => { });
		try { new WebSocket(%[1]q.replace('http', 'ws')) } catch { }
	})()`, other))
	if got := u.Text("globalThis.owned + ''"); got != "undefined" {
		t.Error("a script in the page was run")
	}
	if n := visits.Load(); n > 0 {
		t.Errorf("got %d requests to another server; want none", n)
	}
}

// A table goes to the clipboard of the system, and the canvas has the pixels of the screen.
func TestCopiesAndDensity(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1000, 700, "dark")
	p.Before("globalThis.copied = ''; navigator.clipboard.writeText = async text => { copied = text }")
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 60, 0)})
	u.strike("KeyC", "c")
	u.until("copied", func(text string) bool { return strings.Contains(text, "zone 1") })
	p.Dense(1000, 700, 2)
	u.wait("size 2000x1400")
	u.wait("scale 2")
	u.Screenshot("testdata/out/dense.png")
	u.Wheel("#screen", 0.3, 0.3, -300)
	u.quiet()
}

// The source of a zone comes from the server that was given folders, and opens in the editor.
func TestSourcesAndEditor(t *testing.T) {
	longtest.Skip(t)
	v := must.Get(viewer())(t)
	file := recorded(t, "a.iprof", 60, 0)
	s := web.New([]web.Item{{Name: "a.iprof", File: file}},
		func(context.Context) (*web.Viewer, error) { return v, nil })
	var opened, asked atomic.Pointer[string]
	s.Code = func(zone gather.ZoneInfo) *report.Code {
		asked.Store(&zone.Function)
		return &report.Code{Function: "worker", First: 1, Lines: []string{"func worker() {", "}"}}
	}
	s.Edit = func(file string, line int) error {
		at := fmt.Sprint(file, ":", line)
		opened.Store(&at)
		return nil
	}
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	u := lookAt(t, p, s)
	u.strike("ArrowDown", "ArrowDown")
	u.strike("ArrowDown", "ArrowDown")
	u.strike("KeyZ", "Z", "shift")
	u.until("'' + performance.getEntriesByType('resource').some(e => e.name.endsWith('/code'))",
		func(is string) bool { return is == "true" })
	u.Screenshot("testdata/out/source.png")
	u.choose("open its place")
	u.until("'' + performance.getEntriesByType('resource').some(e => e.name.endsWith('/edit'))",
		func(is string) bool { return is == "true" })
	if asked.Load() == nil || opened.Load() == nil || !strings.Contains(*opened.Load(), ":") {
		t.Errorf("got the source asked for %v, and opened %v; want both", asked.Load(), opened.Load())
	}
}

// waitsForAFile has the program wait for the next file that it opens, until goOn is called.
const waitsForAFile = `(() => {
	const open = fs.open;
	fs.open = (...file) => {
		globalThis.goOn = () => { fs.open = open; open(...file) };
	};
})()`

// movesOften moves the mouse so often that no list of movements has room for them.
const movesOften = `(() => {
	for (let x = 0; x < 3000; x++) {
		const at = {clientX: 300 + x % 100, clientY: 240, pointerType: 'mouse'};
		document.getElementById('screen').dispatchEvent(new PointerEvent('pointermove', at));
	}
})()`

// A program that waits for a file takes the keys and clicks of that time later, however often the mouse has moved.
func TestNoKeyIsLost(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(keepsDownloads)
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 60, 0)})
	u.Eval(waitsForAFile)
	u.strike("KeyS", "S", "ctrl", "shift")
	u.until("typeof globalThis.goOn", func(kind string) bool { return kind == "function" })
	u.Eval(movesOften)
	u.strike("ArrowLeft", "ArrowLeft")
	u.strike("ArrowLeft", "ArrowLeft")
	u.Click("#screen", 300.0/1280, 662.0/800)
	u.Eval("goOn()")
	u.wait("age 2")
	u.until("iprofLines.some(line => line.startsWith('cursor 4 ')) + ''", func(is string) bool { return is == "true" })
	u.download(".iprof")
	u.quiet()
}

// The page says so, and keeps what it shows.
func TestTheServerEnds(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	e := started(t)
	u := look(t, p, web.Item{Name: e.Address, Address: e.Address, Program: e})
	u.wait("link web.test · " + e.Address)
	u.wait("frames 60")
	u.strike("Space", " ")
	u.wait("paused")
	u.end()
	u.until("iprofLines.findLast(l => l.startsWith('link '))", func(line string) bool {
		return strings.Contains(line, "NOT CONNECTED")
	})
	u.strike("ArrowLeft", "ArrowLeft")
	u.wait("age 1")
	u.Screenshot("testdata/out/ended.png")
}

// visited is a server that must get no request.
func visited(t *testing.T) (address string, visits *atomic.Int64) {
	visits = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	t.Cleanup(s.Close)
	return s.URL, visits
}

// hostile writes a capture whose texts want to be markup, scripts, addresses and paths, and whose numbers are as large
// as they can be.
func hostile(t *testing.T, other string) *os.File {
	t.Helper()
	texts := append([]string{"<script>globalThis.owned = 1</script>", "<img src=" + other + "/img onerror=owned=1>",
		other + "/name", "/etc/passwd", "file:///etc/passwd", "../../../etc/passwd", "javascript:globalThis.owned=1",
		`<link rel=stylesheet href="` + other + `/css">`, "<iframe src=" + other + "/frame>",
		"`${globalThis.owned=1}`"}, sampledump.HostileNames...)
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "<img src=x onerror=owned=1>.iprof")))(t)
	t.Cleanup(func() { file.Close() })
	w := framefile.NewWriter(file, framefile.Info{Program: texts[0], Machine: texts[1], GoVersion: texts[2]})
	for i, p := 0, world.NewRandom(1); i < 60; i++ {
		f := *p.Frame()
		f.Zones, f.Label = slices.Clone(f.Zones), texts[i%len(texts)]
		for z := range f.Zones[1:] {
			text := texts[z%len(texts)]
			f.Zones[z+1].Name, f.Zones[z+1].Function, f.Zones[z+1].File = text, "main."+text, texts[(z+3)%len(texts)]
		}
		for l := range f.Lanes {
			f.Lanes[l].Name = texts[l%len(texts)]
			f.Lanes[l].Nodes[len(f.Lanes[l].Nodes)-1].Count = math.MaxUint32
		}
		f.Marks = []gather.MarkInfo{{Text: texts[i%len(texts)], Time: f.Begin}}
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	return file
}

// harmless wants a page that has run, fetched and read nothing that a capture names.
func (u user) harmless(visits *atomic.Int64) {
	u.t.Helper()
	got := u.Text("[globalThis.owned, document.title === 'owned', document.images.length, frames.length] + ''")
	if got != ",false,0,0" {
		u.t.Errorf("got %s; want nothing run and nothing added", got)
	}
	if n := visits.Load(); n > 0 {
		u.t.Errorf("got %d requests to another server; want none", n)
	}
}

// The viewer, and the page that it saves, show it as text. They ask nothing of another server, and of their own only
// what each page asks.
func TestAHostileCapture(t *testing.T) {
	longtest.Skip(t)
	other, visits := visited(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(keepsDownloads)
	u := look(t, p, web.Item{Name: "<img src=x onerror=owned=1>", File: hostile(t, other)})
	u.Screenshot("testdata/out/hostile.png")
	for _, code := range []string{"ArrowDown", "ArrowDown", "Enter", "ArrowLeft", "KeyC", "KeyF", "KeyT", "KeyW",
		"KeyO", "Escape", "Escape"} { // cards, trees, timelines, menus
		u.strike(code, strings.TrimPrefix(code, "Key"))
	}
	for y := 0.05; y < 1; y += 0.1 {
		u.Click("#screen", 0.2, y)
	}
	u.Key("Escape")
	u.Screenshot("testdata/out/hostile.rows.png")
	u.strike("KeyE", "e", "ctrl")
	_, page := u.download(".html")
	u.harmless(visits)
	u.quiet()
	want := []string{"GET /", "GET /alive", "GET /file/0", "GET /files.js", "GET /page.css", "GET /session",
		"GET /start.js", "GET /viewer.wasm", "GET /wasm_exec.js"}
	if got := u.server.all(); !slices.Equal(got, want) {
		t.Errorf("got requests %q; want %q", got, want)
	}
	saved := filepath.Join(t.TempDir(), "saved.html")
	must.Do(t, os.WriteFile(saved, []byte(page), 0o600))
	u.Load(saved)
	for x := 0.01; x < 1; x += 0.07 {
		u.Move("#plot", x, 0.5)
		u.Move("#icicle", x, 0.3)
	}
	u.Screenshot("testdata/out/hostile.page.png")
	u.harmless(visits)
}

// commanded is a program elsewhere that counts what is asked of it.
type commanded struct{ asked atomic.Int64 }

func (c *commanded) Live(context.Context) (io.ReadCloser, error) {
	c.asked.Add(1)
	return io.NopCloser(strings.NewReader("frames")), nil
}

func (c *commanded) Command(context.Context, string) (string, error) {
	c.asked.Add(1)
	return "", nil
}

// TestAPageOfAnotherSite knows the token, and gets nothing all the same: neither by scripts, nor as an image, a script,
// a frame or a form.
func TestAPageOfAnotherSite(t *testing.T) {
	program := &commanded{}
	s := web.New([]web.Item{{Name: "a.iprof", File: recorded(t, "a.iprof", 10, 0)},
		{Name: "p", Address: "localhost:1", Program: program}}, nil)
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	of := s.Address(server.Listener)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>evil</title><img src=%[1]sfile/0><script src=%[1]sfiles.js></script>
			<iframe src=%[1]s></iframe><iframe name=in></iframe>
			<form target=in method=post enctype=text/plain action=%[1]scommand/1><input name=reset></form>`, of)
	}))
	defer site.Close()
	p := browser.Start(t)
	p.Open(site.URL)
	p.Eval("document.forms[0].submit()")
	for _, path := range []string{"session", "file/0", "live/1", "command/1"} {
		for _, mode := range []string{"cors", "no-cors"} {
			for _, method := range []string{"GET", "POST"} {
				t.Run(method+" "+path+", "+mode, func(t *testing.T) {
					const ask = "fetch(%q, {mode: %q, method: %q}).then(r => r.text(), e => '')"
					got := p.Text(fmt.Sprintf(ask, of+path, mode, method))
					if got != "" {
						t.Errorf("got %.100q; want nothing", got)
					}
				})
			}
		}
	}
	if got := p.Text("typeof iprofFiles + document.images[0].naturalWidth"); got != "undefined0" {
		t.Errorf("got %s; want no script and no image", got)
	}
	if n := program.asked.Load(); n > 0 {
		t.Errorf("the program was asked %d times; want never", n)
	}
}
