package exectrace_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
)

var sink int

// hotLoop and coolLoop are hidden from the race detector, whose functions would be the hottest in them.
//
//go:noinline
//go:norace
func hotLoop() {
	for begin := time.Now(); time.Since(begin) < 2*time.Millisecond; {
		for i := range 1000 {
			sink += i * i // the hot line
		}
	}
}

//go:noinline
//go:norace
func coolLoop() {
	for begin := time.Now(); time.Since(begin) < 2*time.Millisecond; {
		for i := range 1000 {
			sink -= i * i // not in the zone
		}
	}
}

var hotZone, coolZone = gather.Zone{Name: "hot"}, gather.Zone{Name: "cool"}

// Samples of the CPU profiler are put to the zones in which they fell.
func TestHotLinesAreThoseOfTheZone(t *testing.T) {
	before := gather.Events()
	gather.SetEvents(1 << 16)
	defer gather.SetEvents(before)
	g := newGame(t)
	stop, err := g.watch.Sample()
	if err != nil {
		t.Skip("the test run is profiled:", err)
	}
	defer stop()
	if _, err := g.watch.Sample(); err == nil {
		t.Fatal("got a second profile; want an error")
	}
	id := func() (id report.ZoneID) {
		if n, known := hotZone.ID(); known {
			id = n
		}
		return id
	}
	for {
		for range 50 {
			g.frame(func() {
				scope := hotZone.Begin()
				hotLoop()
				scope.End()
				scope = coolZone.Begin()
				coolLoop()
				scope.End()
			})
		}
		h := must.Get(g.watch.HotLines(id()))(t)
		if h.Samples < 20 || h.Others < 20 {
			continue
		}
		right, wrong := false, 0
		for _, l := range h.Lines {
			right = right || strings.HasSuffix(l.Function, ".hotLoop") && l.Text != ""
			if strings.HasSuffix(l.Function, "coolLoop") {
				wrong += l.Samples
			}
		}
		t.Logf("%+v", h)
		if !right || wrong > h.Samples/10 {
			t.Errorf("got %+v; want lines of hotLoop, and few of coolLoop", h.Lines)
		}
		return
	}
}
