package exectrace_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slowGame is a game whose frames are usually in coolLoop, and in hotLoop for a slow frame, in the same zone.
func slowGame(t *testing.T) *game {
	before := gather.Events()
	gather.SetEvents(1 << 16)
	g := newGame(t)
	g.session.SetFrameBudget(20 * time.Millisecond)
	average := g.session.View().Get().Average
	g.session.View().SetAverage(report.AverageInstant)
	t.Cleanup(func() {
		g.session.SetFrameBudget(time.Second / 60)
		g.session.View().SetAverage(average)
		gather.SetEvents(before)
	})
	if err := g.session.Sources().Sampler.SetSampling(250); err != nil {
		t.Skip("the test run is profiled:", err)
	}
	return g
}

// play runs usual frames, in which the zone is in another function, and one that takes longer.
func (g *game) play(loops int) {
	for range 100 {
		g.frame(func() {
			scope := hotZone.Begin()
			coolLoop()
			scope.End()
		})
	}
	g.frame(func() {
		scope := hotZone.Begin()
		for range loops {
			hotLoop()
		}
		scope.End()
	})
}

// ofFrame returns the hot lines around the zone in the frame that a session shows.
func ofFrame(s *process.Session) *report.HotLines {
	var snap process.Snapshot
	id, _ := hotZone.ID()
	s.View().SetCursorZone(id)
	s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
	return snap.Around.Hot
}

// wantOwn checks lines that are of the slow frame alone.
func wantOwn(t *testing.T, h *report.HotLines) {
	t.Helper()
	cool := 0
	for _, f := range h.Functions {
		if strings.HasSuffix(f.Function, ".coolLoop") {
			cool += f.Samples
		}
	}
	if !strings.HasSuffix(h.Functions[0].Function, ".hotLoop") || cool > h.Samples/10 {
		t.Errorf("got %+v; want hotLoop, and next to no coolLoop", h.Functions)
	}
	if len(h.Lines) == 0 || h.Lines[0].Samples < 1 {
		t.Errorf("got the lines %+v; want those of the frame", h.Lines)
	}
}

// A slow frame has hot lines of its own, when the session is paused and soon after it; other frames have those of all.
func TestASlowFrameHasHotLinesOfItsOwn(t *testing.T) {
	for name, pause := range map[string]bool{"paused": true, "running": false} {
		t.Run(name, func(t *testing.T) {
			g := slowGame(t)
			var h *report.HotLines
			for h == nil || !h.OfFrame || h.Samples < 10 {
				g.session.Resume()
				g.play(100)
				slow := g.session.AppendFrames(nil, 1)[0].Index
				for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
					if pause {
						g.session.Pause()
					} else {
						g.frame(func() {})
					}
					g.session.View().ShowFrame(slow)
					if h = ofFrame(g.session); h != nil && h.OfFrame {
						break
					}
				}
			}
			wantOwn(t, h)
			g.session.View().SetLens(report.Lens{Kind: report.LensAll})
			defer g.session.View().SetLens(report.Lens{})
			if all := ofFrame(g.session); all.OfFrame || all.Samples <= h.Samples {
				t.Errorf("got %d samples of all frames, of one: %t; want more than the %d", all.Samples, all.OfFrame,
					h.Samples)
			}
		})
	}
}

// The file of a black box has the hot lines of the slow frame, made from the trace in it.
func TestABlackBoxHasTheHotLinesOfTheSlowFrame(t *testing.T) {
	g := slowGame(t)
	for {
		dir := t.TempDir()
		box, err := g.watch.BlackBox(capture.BlackBoxOptions{Dir: dir, After: -1, OverBudget: -1, Log: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		g.play(100)
		box.Trigger("slow")
		slow := g.session.AppendFrames(nil, 1)[0].Index
		g.session.Update()
		must.Do(t, box.Close())
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		file := must.Get(os.ReadFile(files[0]))(t)
		s := process.NewSession()
		if _, err := framefile.Load(s, bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		s.Pause()
		s.View().SetAverage(report.AverageInstant)
		s.View().ShowFrame(slow)
		if h := ofFrame(s); h != nil && h.OfFrame && h.Samples >= 10 {
			wantOwn(t, h)
			return
		}
	}
}

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

// A session offers the hot lines of its Watcher: off until asked, without waiting, and gone with the Watcher.
func TestASessionOffersHotLines(t *testing.T) {
	before := gather.Events()
	gather.SetEvents(0)
	defer gather.SetEvents(before)
	g := newGame(t)
	source := g.session.Sources().Sampler
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
	if g.session.Sources().Sampler != nil {
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

// The rate of samples is 100 to 1000 a second, and another is an error.
func TestTheRateOfSamplesHasARange(t *testing.T) {
	g := newGame(t)
	source := g.session.Sources().Sampler
	for _, rate := range []int{-1, 1, 99, 1001} {
		if err := source.SetSampling(rate); err == nil || source.Sampling() != 0 {
			t.Errorf("got %v, %d a second; want an error for %d", err, source.Sampling(), rate)
		}
		if _, err := g.watch.SampleAt(rate); err == nil {
			t.Errorf("SampleAt: got no error for %d", rate)
		}
	}
	if _, err := g.watch.SampleAt(0); err == nil {
		t.Error("SampleAt: got no error for 0")
	}
	for _, rate := range []int{100, 1000, 250} {
		if err := source.SetSampling(rate); err != nil {
			t.Skip("the test run is profiled:", err)
		}
		if got := source.Sampling(); got != rate {
			t.Errorf("got %d; want %d samples a second", got, rate)
		}
	}
	if err := source.SetSampling(0); err != nil || source.Sampling() != 0 {
		t.Errorf("stopped: got %v, %d", err, source.Sampling())
	}
}

// The samples of an earlier start are not counted with those of the last: a zone that ran under both rates would have
// the shares of none.
func TestSamplesAreOfOneRate(t *testing.T) {
	before := gather.Events()
	gather.SetEvents(1 << 16)
	defer gather.SetEvents(before)
	g := newGame(t)
	stop, err := g.watch.SampleAt(250)
	if err != nil {
		t.Skip("the test run is profiled:", err)
	}
	samples := func() *exectrace.HotLines {
		for range 50 {
			g.frame(func() {
				scope := hotZone.Begin()
				hotLoop()
				scope.End()
			})
		}
		id, _ := hotZone.ID()
		h := must.Get(g.watch.HotLines(id))(t)
		return h
	}
	for samples().Samples < 20 {
	}
	stop()
	if stop, err = g.watch.SampleAt(report.MinSampling); err != nil {
		t.Fatal(err)
	}
	id, _ := hotZone.ID()
	if h, err := g.watch.HotLines(id); err != nil || h.Samples > 0 {
		t.Errorf("got %d samples from before the start, %v; want none", h.Samples, err)
	}
	for samples().Samples < 5 {
	}
	stop()
}

// More samples find more in a short time. The error says why there are none.
func ExampleWatcher_SampleAt() {
	watch, err := exectrace.Watch(process.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watch.Stop()
	stop, err := watch.SampleAt(250)
	if err != nil {
		fmt.Println(err)
		return
	}
	stop()
	_, err = watch.SampleAt(5000)
	fmt.Println(err)
	// Output: exectrace: 5000 samples a second; want 100 to 1000
}
