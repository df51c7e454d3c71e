package debug_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

// played is a session with 100 frames, and the program that made them.
func played(t testing.TB) (*process.Session, *world.Game) {
	t.Helper()
	s := process.NewSession()
	r := world.NewGame(1, s)
	for range 100 {
		must.Do(t, r.Step())
	}
	return s, r
}

// get asks a handler, with headers given as "Name: value".
func get(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// leaves asks as get does, and leaves at once, so that an answer that takes its time ends.
func leaves(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	return get(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, leave := context.WithCancel(r.Context())
		leave()
		h.ServeHTTP(w, r.WithContext(ctx))
	}), "GET", path, headers...)
}

func TestEachAddressAnswersInItsFormat(t *testing.T) {
	s, _ := played(t)
	before := s.View().Get()
	h := (&debug.Server{Session: s}).Handler()
	for _, test := range []struct{ path, kind, want string }{
		{"/debug/iprof/", "text/html; charset=utf-8", "render_world"},
		{"/debug/iprof/report", "text/plain; charset=utf-8", "decompress"},
		{"/debug/iprof/tree", "text/plain; charset=utf-8", "render_world"},
		{"/debug/iprof/json", "application/json", `"merged"`},
	} {
		t.Run(test.path, func(t *testing.T) {
			w := get(h, "GET", test.path)
			header := w.Header()
			kind := header.Get("Content-Type")
			if w.Code != 200 || kind != test.kind || !strings.Contains(w.Body.String(), test.want) {
				t.Errorf("got %d, %q; want %q in\n%.500s", w.Code, kind, test.want, w.Body)
			}
			if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Cache-Control") != "no-store" {
				t.Errorf("got headers %v", header)
			}
			if test.kind == "application/json" && !json.Valid(w.Body.Bytes()) {
				t.Error("the JSON is none")
			}
		})
	}
	if after := s.View().Get(); !reflect.DeepEqual(after, before) {
		t.Errorf("reading has changed the view: got %+v; want %+v", after, before)
	}
}

func TestOnlyReadingIsAllowed(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
		for _, path := range []string{"", "report", "json", "capture"} {
			if w := get(h, method, "/debug/iprof/"+path); w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: got %d", method, path, w.Code)
			}
		}
	}
	for path, want := range map[string]int{"/": 404, "/debug/iprof/nothing": 404, "/debug/iprof/capture?seconds=0": 400,
		"/debug/iprof/capture?seconds=61": 400, "/debug/iprof/capture?seconds=x": 400} {
		if w := get(h, "GET", path); w.Code != want {
			t.Errorf("%s: got %d; want %d", path, w.Code, want)
		}
	}
}

func TestPagesOfOtherSitesGetNothing(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	paths := []string{"", "now", "report", "tree", "json", "metrics", "profile", "capture?seconds=1", "live"}
	for _, site := range []string{"cross-site", "same-site", "unheard-of"} {
		for _, mode := range []string{"cors", "no-cors", "navigate", "websocket", ""} {
			for _, dest := range []string{"document", "iframe", "frame", "embed", "object", "image", "empty", ""} {
				for _, path := range paths {
					want := http.StatusForbidden
					if mode == "navigate" && dest == "document" && path == "" {
						want = http.StatusOK
					}
					w := leaves(h, "/debug/iprof/"+path, "Sec-Fetch-Site: "+site, "Sec-Fetch-Mode: "+mode,
						"Sec-Fetch-Dest: "+dest)
					if w.Code != want {
						t.Errorf("%s, %s, %s, %q: got %d; want %d", site, mode, dest, path, w.Code, want)
					}
				}
			}
		}
	}
	for _, test := range []struct {
		method, path string
		headers      []string
		want         int
	}{
		{"GET", "json", []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"}, 200},
		{"GET", "json", []string{"Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"}, 200},
		{"GET", "json", []string{"Origin: http://example.com"}, 200}, // httptest's own name
		{"GET", "json", []string{"Origin: http://evil.example"}, 403},
		{"GET", "json", []string{"Origin: null"}, 403},
		{"POST", "json", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}, 403},
		{"POST", "", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
			"Sec-Fetch-Dest: document"}, 403},
	} {
		if w := get(h, test.method, "/debug/iprof/"+test.path, test.headers...); w.Code != test.want {
			t.Errorf("%+v: got %d", test, w.Code)
		}
	}
}

func TestOnlyTheWholeTokenLetsIn(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s, Token: "sesame-sesame-sesame"}).Handler()
	for _, test := range []struct {
		header string
		want   int
	}{
		{"X: ", 401}, {"Authorization: Bearer sesame-sesame-sesame", 200}, {"Authorization: Bearer sesame", 401},
		{"Authorization: bearer sesame-sesame-sesame", 200}, {"Authorization: BEARER sesame-sesame-sesame", 200},
		{"Authorization: Bearer ", 401}, {"Authorization: sesame-sesame-sesame", 401},
		{"Authorization: Bearer sesame-sesame-sesame ", 401},
		{"Authorization: Basic YW55Om9uZQ==", 401},                 // any:one
		{"Authorization: Basic OnNlc2FtZS1zZXNhbWUtc2VzYW1l", 200}, // :sesame-sesame-sesame
		{"Authorization: Basic c2VzYW1lLXNlc2FtZS1zZXNhbWU6", 401}, // sesame-sesame-sesame:
		{"Authorization: Basic " + strings.Repeat("A", 5000) + "=\x00", 401},
	} {
		t.Run(fmt.Sprintf("%.40q", test.header), func(t *testing.T) {
			w := get(h, "GET", "/debug/iprof/report", test.header)
			if w.Code != test.want || w.Code == 401 && strings.Contains(w.Body.String(), "render") {
				t.Errorf("%.60q: got %d; want %d", test.header, w.Code, test.want)
			}
		})
	}
	if w := get(h, "GET", "/debug/iprof/report?token=sesame-sesame-sesame"); w.Code != 401 {
		t.Errorf("a token in the address, which is in logs: got %d; want 401", w.Code)
	}
}

func TestACaptureOfTheNextFrames(t *testing.T) {
	s, program := played(t)
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	defer server.Close()
	answer, err := http.Get(server.URL + "/debug/iprof/capture?seconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var file bytes.Buffer
	read := make(chan error)
	go func() {
		_, err := io.Copy(&file, answer.Body)
		read <- err
	}()
	for ended := false; !ended; {
		select {
		case err = <-read:
			ended = true
		default:
			must.Do(t, program.Step())
		}
	}
	contents, e := framefile.Load(process.NewSession(), &file)
	if err != nil || e != nil || contents.Frames == 0 || !contents.Complete || len(contents.Damages) > 0 {
		t.Errorf("got %v, %v, %+v", err, e, contents)
	}
	if name := answer.Header.Get("Content-Disposition"); !strings.HasSuffix(name, `.iprof"`) {
		t.Errorf("got name %q", name)
	}
	if head := get(server.Config.Handler, "HEAD", "/debug/iprof/capture"); head.Code != 200 || head.Body.Len() > 0 {
		t.Errorf("HEAD: got %d and %d bytes", head.Code, head.Body.Len())
	}
}

// clockOf estimates the difference of a program's clock from the viewer's own. The smallest delay of the last frames
// counts, since a frame may wait for a sign of life that has just been sent.
type clockOf struct{ recent []time.Duration }

func (c *clockOf) take(end, now time.Duration) (difference time.Duration) {
	const frames = 30 // half a second, in which clocks drift by 0.05 ms
	c.recent = append(c.recent[max(len(c.recent)-frames, 0):], end-now)
	return slices.Max(c.recent)
}

// The clocks of two programs are half a second off to either side and drift by 100 ppm. The live streams let a viewer
// of both tell that within a millisecond, and put their frames in order. The clock is simulated.
func TestTwoProgramsWhoseClocksDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // the last to run: streams end
		const rate, frames = 16 * time.Millisecond, 2000
		programs := []*paced{newPaced(1, time.Second/2, 1e-4), newPaced(2, -time.Second/2, -1e-4)}
		var streams []*framefile.Reader
		for _, program := range programs {
			p := listen(t, &debug.Server{Session: program.Session})
			c, _ := p.dial(t)
			streams = append(streams, stream(t, c))
		}
		stop := make(chan struct{})
		defer close(stop)
		go everyFrame(t, stop, rate, programs[0])
		go func() { // the second's frames end between those of the first
			time.Sleep(rate / 2)
			everyFrame(t, stop, rate, programs[1])
		}()
		var clocks [2]clockOf
		last := time.Duration(0)
		for n := range 2 * frames {
			k := n % 2
			var f gather.Frame
			must.Do(t, streams[k].Next(&f))
			p, now := programs[k], time.Since(programs[k].zero)
			got, actual := clocks[k].take(time.Duration(f.End), now), time.Duration(p.clock())-now
			if (got - actual).Abs() > time.Millisecond {
				t.Fatalf("frame %d of program %d: its clock is off by %v, seen as %v", f.Index, k, actual, got)
			}
			end := time.Duration(f.End) - got
			if by := end - last; n > 0 && (by-rate/2).Abs() > time.Millisecond {
				t.Fatalf("frame %d of program %d ends %v after the other's; want %v", f.Index, k, by, rate/2)
			}
			last = end
		}
		if streams[0].Lost()+streams[1].Lost() > 0 {
			t.Errorf("%d and %d frames were lost", streams[0].Lost(), streams[1].Lost())
		}
	})
}

// post sends a command.
func post(h http.Handler, line string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/debug/iprof/command", strings.NewReader(line))
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	r.Host = cmp.Or(r.Header.Get("Host"), "localhost:6061")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestCommandsNeedPermission(t *testing.T) {
	s, _ := played(t)
	const token, bearer = "sesame-sesame-sesame", "Authorization: Bearer sesame-sesame-sesame"
	for _, test := range []struct {
		name   string
		server debug.Server
		header string
		want   int
	}{
		{"by default", debug.Server{}, "X: ", 403},
		{"allowed", debug.Server{AllowCommands: true}, "X: ", 200},
		{"with the token", debug.Server{Token: token}, bearer, 200},
		{"with the token, in small letters", debug.Server{Token: token}, "authorization: bearer " + token, 200},
		{"without the token", debug.Server{Token: token, AllowCommands: true}, "X: ", 401},
		{"under a name led here", debug.Server{AllowCommands: true}, "Host: evil.example", 421},
		{"under a name of its own", debug.Server{AllowCommands: true, Hosts: []string{"own"}}, "Host: own:80", 200},
		{"under any name, with the token", debug.Server{Token: token}, bearer + "\nHost: evil.example", 200},
		{"of another site", debug.Server{AllowCommands: true}, "Sec-Fetch-Site: cross-site", 403},
		{"of another origin", debug.Server{AllowCommands: true}, "Origin: http://evil.example", 403},
		{"by a link's form", debug.Server{Token: token}, bearer + "\nSec-Fetch-Site: cross-site", 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.server.Session = s
			w := post(test.server.Handler(), "reset", strings.Split(test.header, "\n")...)
			if w.Code != test.want {
				t.Errorf("got %d, %q; want %d", w.Code, w.Body, test.want)
			}
		})
	}
}

func TestCommandsChangeWhatIsMeasured(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s, AllowCommands: true}).Handler()
	w := post(h, "reset\n")
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), "all measurements forgotten") ||
		s.View().Info().Frames != 0 {
		t.Errorf("reset: got %d, %q, and %d frames", w.Code, w.Body, s.View().Info().Frames)
	}
	if w := post(h, "undo"); w.Code != 200 || s.View().Info().Frames != 100 {
		t.Errorf("undo: got %d, %q, and %d frames; want 100", w.Code, w.Body, s.View().Info().Frames)
	}
	if w := post(h, "limit nonsense"); w.Code != 400 || !strings.Contains(w.Body.String(), "neither per cent") {
		t.Errorf("limit nonsense: got %d, %q", w.Code, w.Body)
	}
	for _, line := range []string{"", "dump-html /tmp/x", "pause", "res", "help", "reset\ndump-html", "report", "RESET",
		"reset " + strings.Repeat("x", 5000)} {
		if w := post(h, line); w.Code != 400 {
			t.Errorf("%.40q: got %d; want 400", line, w.Code)
		}
	}
	if w := get(h, "GET", "/debug/iprof/command"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: got %d; want 405", w.Code)
	}
}

// The command has the address under which the page was asked for, as text.
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

// The answer to an invalid query names valid values.
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

// The report of chosen frames is their mean, and others still see what they saw.
func TestTheReportOfChosenFrames(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	for query, want := range map[string]string{"frames=worst:3": "average of 3 frames, the slowest",
		"frames=40-45,worst:2&by=count": "average of 2 frames, the slowest, 40 to 45", "": "newest frame"} {
		if w := get(h, "GET", "/debug/iprof/report?"+query); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got status %d,\n%.300s\nwant %q", query, w.Code, w.Body, want)
		}
	}
	if w := get(h, "GET", "/debug/iprof/report?frames=wurst"); w.Code != 400 ||
		!strings.Contains(w.Body.String(), "did you mean worst?") {
		t.Errorf("got status %d, %s; want 400 and the nearest word", w.Code, w.Body)
	}
}

// Numbers and history follow the program, but not while the mouse is over the page. What the reader has opened and
// sorted stays so. A link to a frame leads to its page, which does not follow.
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
