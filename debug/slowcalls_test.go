//go:build !iprof_off

package debug_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/iprofhttp"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// A slow request is in the report with its usual time and what took it, without events: 60 ms among 2 ms.
func TestSlowRequestIsInTheReport(t *testing.T) {
	var now atomic.Int64
	platform.SetClock(func() int64 { return now.Load() }, 1e9)
	defer platform.SetClock(nil, 0)
	defer process.Default().Reset()
	process.Default().Reset()
	query := gather.Zone{Name: "db.Query\x1b[2J"}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders", func(_ http.ResponseWriter, r *http.Request) {
		took := 1 * time.Millisecond
		if r.URL.Query().Get("slow") != "" {
			took = 57 * time.Millisecond
		}
		s := query.Begin()
		now.Add(int64(took))
		s.End()
		now.Add(int64(1 * time.Millisecond))
		if took > 2*time.Millisecond {
			now.Add(int64(2 * time.Millisecond))
		}
	})
	server := iprofhttp.Measure(mux)
	get := func(path string) {
		server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	for frame := range 5 {
		for range 20 {
			get("/orders")
		}
		if frame == 3 {
			get("/orders?slow=1")
		}
		process.Default().Update()
	}
	answer := httptest.NewRecorder()
	debug.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/debug/iprof/report", nil))
	got := answer.Body.String()
	const of = "GET /orders: 60.0 ms, usually 2.0; of it db.Query\\x1b[2J 57.0"
	if !strings.Contains(got, "\nslow call 0 s ago: "+of+"\n") || !strings.Contains(got, "\n"+of+"  (0 s ago, frame ") {
		t.Errorf("got\n%s\nwant %q in the title and in the list", got, of)
	}
	const escaped = "GET /orders: 60.0 ms, usually 2.0; of it db.Query\\\\x1b[2J 57.0"
	for page, want := range map[string]string{"json": `"slow_calls":[{"text":"` + escaped,
		"": `<summary dir="auto">` + of} {
		answer := httptest.NewRecorder()
		debug.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/debug/iprof/"+page, nil))
		if body := answer.Body.String(); !strings.Contains(body, want) {
			at := max(strings.Index(body, `"slow`), 0)
			t.Errorf("%s: got %.300q; want %q", page, body[at:], want)
		}
	}
	if n := strings.Count(got, "usually 2.0"); n != 2 {
		t.Errorf("got\n%s\nwant one slow call, twice", got)
	}
}
