package web_test

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/must"
)

// logsEvents has the viewer of a page without a server keep its lines.
const logsEvents = `let session; Object.defineProperty(globalThis, 'iprofSession',
	{get: () => session, set: s => { session = {...s, events: true} }})`

// TestThePageThatNeedsNoServer opens by a double click, shows the capture, and asks nobody for anything. Its policy
// lets no other script run.
func TestThePageThatNeedsNoServer(t *testing.T) {
	v := must.Get(viewer())(t)
	other, visits := visited(t)
	path := filepath.Join(t.TempDir(), "full.html")
	out := must.Get(os.Create(path))(t)
	const name = "</script><script>globalThis.owned = 1</script>.iprof"
	must.Do(t, v.Write(out, name, io.NewSectionReader(hostile(t, other), 0, math.MaxInt64)))
	must.Do(t, out.Close())
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(logsEvents)
	p.Before(keepsDownloads)
	p.Load(path)
	u := user{Page: p, t: t}
	u.wait("history 60")
	u.wait("ready")
	u.Screenshot("testdata/out/onefile.png")
	u.strike("KeyE", "e", "ctrl")
	if _, text := u.download(".html"); !strings.Contains(text, "Content-Security-Policy") {
		t.Errorf("got %.300q; want the page", text)
	}
	u.harmless(visits)
	for _, line := range u.Console() {
		if !strings.Contains(line, `"source":"rendering"`) {
			t.Errorf("the console has %s; want nothing", line)
		}
	}
	p.Eval("document.body.append(Object.assign(document.createElement('script'), {textContent: 'owned = 1'}))")
	if got := p.Text("globalThis.owned + '' + performance.getEntriesByType('resource').length"); got != "undefined0" {
		t.Errorf("got %s; want no script run and nothing asked for", got)
	}
}
