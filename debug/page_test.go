package debug_test

import (
	"encoding/json"
	"net/http/httptest"
	"strconv"
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

// TestNowIsWhatThePageAsksFor: without trees of frames, and with "all" with them.
func TestNowIsWhatThePageAsksFor(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	for path, frames := range map[string]int{"now": 0, "now?all": 100} {
		w := get(h, "GET", "/debug/iprof/"+path)
		var got struct {
			Facts [][3]string
			Run   [2]string
			Data  struct{ History, Frames, Further []any }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v in\n%.300s", path, err, w.Body)
		}
		if got.Facts[0] != [3]string{"frames", "100", ""} || len(got.Data.History) != 100 ||
			len(got.Data.Frames)+len(got.Data.Further) != frames {
			t.Errorf("%s: got %v, %d frames, trees of %d; want 100 frames, trees of %d", path, got.Facts,
				len(got.Data.History), len(got.Data.Frames), frames)
		}
	}
}

// TestThePageIsLive: numbers and history follow the program, but not while the mouse is over the page. What the reader
// has folded stays folded.
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
	const frames, state = "document.querySelector('dl dd').textContent", "document.querySelector('#live b').textContent"
	shown := func(n int) string {
		return "[...document.querySelectorAll('#plot svg')].map(e => e.viewBox.baseVal.width).join() === '" +
			strconv.Itoa(n) + "'"
	}
	p.Open(server.URL + "/debug/iprof/")
	until(state, "live")
	p.Eval("document.querySelector('#collapse').click()")
	step(t, program, 50)
	until(frames, "150")
	until(shown(150), "true")
	until("document.querySelectorAll('#tree tbody tr').length", "1")
	until("document.querySelector('#verdict').innerText.startsWith('Frame 45: +')", "true")
	until("/^[0-9\\u2009]+$/.test(document.querySelector('dl > div:nth-child(4) dd').textContent)", "true")
	p.Screenshot("testdata/out/live.png")
	p.Move("#tree", 0.5, 0.5)
	until(state, "paused: the mouse is over the page")
	until("document.querySelector('#kept').textContent.startsWith('trees of 150 of 150 frames')", "true")
	asked := p.Text("performance.getEntriesByType('resource').length")
	step(t, program, 10)
	time.Sleep(time.Second) // four times
	if got := p.Text(frames); got != "150" || p.Text("performance.getEntriesByType('resource').length") != asked {
		t.Errorf("under the mouse: got %s frames; want 150, and no question", got)
	}
	p.Click("#plot", 0.5, 0.5)
	until("document.querySelector('[aria-selected=true]').textContent", "frame 75")
	until("document.querySelectorAll('#tree tbody tr').length > 1", "true")
	p.Screenshot("testdata/out/live.frame.png")
	p.Eval("document.documentElement.dispatchEvent(new PointerEvent('pointerleave', {pointerType: 'mouse'}))")
	until(state, "paused: a frame is shown, Esc goes on")
	p.Key("Escape")
	until(frames, "160")
	until(state, "live")
	if lines := p.Console(); len(lines) > 0 {
		t.Errorf("the console has %q; want nothing", lines)
	}
	if got := p.Text("performance.getEntriesByType('resource').map(e => e.name)" +
		".filter(n => !n.startsWith(location.origin + '/debug/iprof/now')).join()"); got != "" {
		t.Errorf("the page asked %s; want its program only", got)
	}
	server.CloseClientConnections()
	server.Close()
	until(state, "not connected")
	p.Screenshot("testdata/out/live.lost.png")
}
