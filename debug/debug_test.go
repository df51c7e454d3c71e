package debug_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

// played is a session with 100 frames, and the program that made them.
func played(t testing.TB) (*process.Session, *replay.Replay) {
	t.Helper()
	s := process.NewSession()
	r := replay.New(1, s)
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

// TestPagesOfOtherSitesGetNothing: only a link to the page itself works, in a tab of its own.
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

// TestACaptureOfTheNextFrames: it has the frames that end meanwhile, and no earlier ones.
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
