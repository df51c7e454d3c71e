package debug_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// asked is a tracer that counts the traces it is asked for.
type asked struct{ traces int }

func (a *asked) Tracing() report.Tracing { return report.Tracing{} }
func (a *asked) SetTracing(bool) error   { return nil }
func (a *asked) Allocations(limits string) (string, error) {
	if limits != "" {
		a.traces++
	}
	return "a trace costs 27 ms", nil
}

// A request for the next trace begins one. The page that asks for itself, and one that is in a hurry, begin none.
func TestAllocationsOnRequest(t *testing.T) {
	s, of := process.NewSession(), &asked{}
	server := debug.Server{Session: s}
	h := server.Handler()
	get := func(path string) string {
		answer := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/debug/iprof/"+path, nil)
		r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
		h.ServeHTTP(answer, r)
		return answer.Body.String()
	}
	if body := get("?allocations=1"); strings.Contains(body, `id="allocations"`) {
		t.Error("got an offer of a program that cannot trace")
	}
	s.SetSources(func(c *process.Sources) { c.Tracer = of })
	for i, q := range []struct {
		path, link string
		traces     int
		pause      time.Duration
	}{{"", "?allocations=1#", 0, 0}, {"?allocations=2", "?allocations=1#", 0, 0},
		{"?allocations=1", "?allocations=2#", 1, 0},
		{"?allocations=1", "?allocations=2#", 1, 0}, {"?allocations=2", "?allocations=2#", 1, time.Hour},
		{"?allocations=2", "?allocations=3#", 2, 1}} {
		if q.pause > 0 {
			s.SetSources(func(c *process.Sources) { c.Allocated = &allocated.Table{Pause: q.pause} })
		}
		if body := get(q.path); !strings.Contains(body, fmt.Sprintf(`href="%s`, q.link)) || of.traces != q.traces ||
			!strings.Contains(body, "a trace costs 27 ms") {
			t.Errorf("request %d, %q: got %d traces; want %d, the link %s and the cost", i, q.path, of.traces, q.traces,
				q.link)
		}
	}
}
