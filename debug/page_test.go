package debug_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
)

// TestThePageSaysHowToSeeMore: the command has the address under which the page was asked for, as text.
func TestThePageSaysHowToSeeMore(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	r := httptest.NewRequest("GET", "http://localhost:6061/debug/iprof/", nil)
	for host, want := range map[string]string{"localhost:6061": "<code>iprof view http://localhost:6061</code>",
		"<script>x": "<code>iprof view http://&lt;script&gt;x</code>"} {
		w := httptest.NewRecorder()
		r.Host = host
		if h.ServeHTTP(w, r); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: the page lacks %s", host, want)
		}
	}
	if w := get(h, "GET", "/debug/iprof/"); !strings.Contains(w.Body.String(), "connect-src &#39;self&#39;") {
		t.Error("the page may not ask its server")
	}
}

// TestThePageAnswersQueries: of a frame with its timeline and tree, of a zone with its callers and callees, and in
// another order. A query that makes no sense is told what would.
func TestThePageAnswersQueries(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	for query, want := range map[string]string{
		"":                          `href="?frame=45"`,
		"?frame=45":                 "Call tree of frame 45",
		"?frame=045&by=count":       `<a href="?by=count">back to the whole run, live</a>`,
		"?zone=render_world":        "callers and callees in the whole run",
		"?frame=45&zone=decompress": "callers and callees in frame 45",
		"?frame=4500":               "Frame 4500 is not in the history any more",
		"?zone=%3Cnone%3E":          "No zone is named &lt;none&gt;.",
		"?by=name":                  `aria-sort="descending"><a href="?by=name">`,
	} {
		if w := get(h, "GET", "/debug/iprof/"+query); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got status %d, and no %q in the page", query, w.Code, want)
		}
	}
	for query, want := range map[string]string{"?frame=x": "want the number of a frame", "?frame=-1": "want the number",
		"?by=x": "want self, hier, count, average or name"} {
		if w := get(h, "GET", "/debug/iprof/"+query); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got status %d, %s; want 400 and %q", query, w.Code, w.Body, want)
		}
	}
}

// TestThePageIsLive: numbers and history follow the program, but not while the mouse is over the page. What the reader
// has opened and sorted stays so. A link to a frame leads to its page, which does not follow.
func TestThePageIsLive(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1400, 1200, "dark")
	s, program := played(t)
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	defer server.Close()
	until := func(expression, want string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); p.Text(expression) != want; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: got %s; want %s; the console has %q", expression, p.Text(expression), want, p.Console())
			}
		}
	}
	const frames, state = "document.querySelector('#facts dd').textContent", pageState
	const columns = "document.querySelectorAll('#history .area').length"
	p.Open(server.URL + "/debug/iprof/")
	until(state, "live")
	p.Eval("document.querySelector('#trees details details').open = false")
	p.Eval("document.querySelector('#zones th').click()")
	step(t, program, 50)
	until(frames, "150")
	until(columns, "150")
	until("document.querySelector('#trees details details').open", "false")
	until("document.querySelector('#zones th').ariaSort", "ascending")
	until("document.querySelector('#why').innerText.startsWith('Frame 45: +')", "true")
	p.Screenshot("testdata/out/live.png")
	p.Move("#trees", 0.5, 0.5)
	until(state, "paused: the mouse is over the page")
	const asked = "performance.getEntriesByType('resource').length"
	before := p.Text(asked)
	step(t, program, 10)
	time.Sleep(2500 * time.Millisecond) // it would ask twice
	if got := p.Text(frames); got != "150" || p.Text(asked) != before {
		t.Errorf("under the mouse: got %s frames; want 150, and no question", got)
	}
	p.Eval("document.documentElement.dispatchEvent(new PointerEvent('pointerleave', {pointerType: 'mouse'}))")
	until(frames, "160")
	until(state, "live")
	if got := p.Text("performance.getEntriesByType('resource').map(e => e.name)" +
		".filter(n => n !== location.href).join()"); got != "" {
		t.Errorf("the page asked %s; want itself only", got)
	}
	followFrame(t, p, server.URL, until)
	if lines := p.Console(); len(lines) > 0 {
		t.Errorf("the console has %q; want nothing", lines)
	}
	server.CloseClientConnections()
	server.Close()
	until(state, "not connected")
	p.Screenshot("testdata/out/live.lost.png")
}

const pageState = "document.querySelector('#live b').textContent"

// followFrame follows the link to a frame, and goes back.
func followFrame(t *testing.T, p *browser.Page, address string, until func(expression, want string)) {
	t.Helper()
	p.Open(address + "/debug/iprof/?by=self")
	p.Eval("[...document.querySelectorAll('#history a')]" +
		".find(e => e.getAttribute('href').startsWith('?frame=75&')).id = 'to'")
	p.Click("#to", 0.5, 0.5)
	until("document.querySelector('#framed dt')?.textContent", "frame 75")
	until(pageState, "paused: a frame or a zone is shown")
	p.Screenshot("testdata/out/live.frame.png")
	p.Eval("document.querySelector('#live a').click()")
	until("location.search", "?by=self")
	until(pageState, "live")
}
