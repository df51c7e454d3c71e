package exectrace_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// A session offers the hot lines of its Watcher: off until asked, without waiting, and gone with the Watcher.
func TestASessionOffersHotLines(t *testing.T) {
	before := gather.Events()
	gather.SetEvents(0)
	defer gather.SetEvents(before)
	g := newGame(t)
	source := g.session.HotSource()
	if source == nil || source.Sampling() != 0 {
		t.Fatal("got no source, or one that samples; want one that does not")
	}
	if err := source.SetSampling(100); err != nil {
		t.Skip("the test run is profiled:", err)
	}
	var snap process.Snapshot
	for {
		for range 20 {
			g.frame(func() {
				scope := hotZone.Begin()
				hotLoop()
				scope.End()
			})
		}
		id, _ := hotZone.ID()
		g.session.View().SetCursorZone(id)
		g.session.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
		a := &snap.Around
		if a.Hot == nil || a.Hot.Samples < 20 {
			continue
		}
		if !a.CanSample || a.Sampling != 100 || a.Hot.Zone != id || a.Hot.Error != "" || a.Hot.OutsideShare() > 0.9 {
			t.Errorf("got %+v, can sample %v, sampling %d; want samples of zone %d", a.Hot, a.CanSample, a.Sampling, id)
		}
		if len(a.Hot.Functions) == 0 || !strings.HasSuffix(a.Hot.Functions[0].Function, ".hotLoop") {
			t.Errorf("got %+v; want hotLoop first", a.Hot.Functions)
		}
		break
	}
	if err := source.SetSampling(0); err != nil || source.Sampling() != 0 || gather.Events() != 0 {
		t.Errorf("stopped: got %v, %d, %d events a lane; want it off, and events off as before", err, source.Sampling(),
			gather.Events())
	}
	g.watch.Stop()
	if g.session.HotSource() != nil {
		t.Error("after Stop: got a source; want none")
	}
}

var stackZone = gather.Zone{Name: "by stack"}

// Where the events of a sample are overwritten, the functions on its stack say in which zone it was.
func TestSamplesWithoutEventsAreFoundByTheirFunctions(t *testing.T) {
	before := gather.Events()
	gather.SetEvents(1024)
	defer gather.SetEvents(before)
	g := newGame(t)
	stop, err := g.watch.Sample()
	if err != nil {
		t.Skip("the test run is profiled:", err)
	}
	defer stop()
	for {
		for range 50 {
			g.frame(func() {
				scope := stackZone.Begin()
				hotLoop()
				scope.End()
				for range 2000 { // these overwrite the events of hot
					coolZone.Begin().End()
				}
			})
		}
		id, _ := stackZone.ID()
		h := must.Get(g.watch.HotLines(id))(t)
		if h.ByStack < 20 {
			continue
		}
		if !strings.HasSuffix(h.Functions[0].Function, ".hotLoop") || h.ByStack > h.Samples {
			t.Errorf("got %+v; want samples of hotLoop, found by their functions", h)
		}
		return
	}
}
