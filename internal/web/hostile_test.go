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
	"example.com/iprof/internal/synth"
	"example.com/iprof/internal/web"
)

// visited is a server that nobody should ask.
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
	for i, p := 0, synth.New(1); i < 60; i++ {
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

// TestAHostileCapture: the viewer, and the page that it saves, show it as text. They ask nothing of another server, and
// of their own only what each page asks.
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
