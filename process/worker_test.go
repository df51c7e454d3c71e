//go:build !iprof_off

package process_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A worker that is late is found from the frames alone: no events and no execution trace.
func TestVerdictNamesALateWorker(t *testing.T) {
	for name, c := range map[string]struct {
		worker platform.Ticks
		want   string
	}{
		"late": {26, "Frame 59: +14.0 ms. Waiting in join 28.0 (usually 14.0); " +
			"meanwhile worker 7 was in simulate for 26.0 (usually 12.0)."},
		"as usual": {12, "Frame 59: +14.0 ms. The program chose to wait: join 28.0 (usually 14.0)."},
		"late, plain zone": {26, "Frame 59: +14.0 ms. join 28.0 (usually 14.0); " +
			"meanwhile worker 7 was in simulate for 26.0 (usually 12.0)."},
		"as usual, plain zone": {12, "Frame 59: +14.0 ms. join 28.0 (usually 14.0)."},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			frame := func(index uint64, length, worker platform.Ticks) {
				f := workerFrame(index, length, worker)
				f.Zones[2].Idle = !strings.Contains(name, "plain")
				write(t, s, finer(f))
			}
			for i := range uint64(59) {
				frame(i, 16, 12)
			}
			frame(59, 30, c.worker)
			var v report.Verdict
			s.VerdictOf(&v, 0)
			if got := v.String(); got != c.want || len(v.Causes) > 1 && !v.Causes[1].Self {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// A scope of another goroutine that is open all the time gets longer with the frame: it is no answer. What is late
// within it is one, and so is a scope that began earlier and has ended in the frame.
func TestAScopeThatIsAlwaysOpenIsNoAnswer(t *testing.T) {
	const serve, simulate = 3, 4
	for name, c := range map[string]struct {
		late   platform.Ticks // of simulate, in serve
		device bool
		ended  bool // serve is open in no frame but the last, and ends in it
		want   string
	}{
		"open":   {2, false, false, "Frame 59: +14 ms. join 28 (usually 14)."},
		"within": {16, false, false, "join 28 (usually 14); meanwhile worker 7 was in simulate for 16 (usually 2)."},
		"ended": {14, false, true,
			"join 28 (usually 14); meanwhile worker 7 was in serve for 16 (usually not called)."},
		"device": {2, true, false, "Frame 59: +14 ms. join 28 (usually 14)."},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			for i := range uint64(60) {
				length, late := platform.Ticks(16), platform.Ticks(2)
				if i == 59 {
					length, late = 30, c.late
				}
				f := workerFrame(i, length, 0)
				f.Zones = append(f.Zones[:3:3], gather.ZoneInfo{Name: "serve"}, gather.ZoneInfo{Name: "simulate"})
				f.Zones[2].Idle, f.Lanes[1].Device = false, c.device
				f.Lanes[1].Nodes = []gather.Node{{ID: 4, Parent: -1, Open: !c.ended, Self: 0},
					{ID: 5, Zone: serve, Open: !c.ended, Self: length - late},
					{ID: 6, Zone: simulate, Parent: 1, Count: 1, Self: late}}
				if c.ended && i < 59 {
					f.Lanes[1].Nodes = []gather.Node{{ID: 4, Parent: -1, Self: length}}
				}
				write(t, s, f)
			}
			var v report.Verdict
			if s.VerdictOf(&v, 0); !strings.HasSuffix(v.String(), c.want) {
				t.Errorf("got  %q\nwant %q", v.String(), c.want)
			}
		})
	}
}

// A burst of allocations is told beside the zone that took longer, with what it had the collector do.
func TestVerdictNamesABurstOfAllocations(t *testing.T) {
	for want, memory := range map[string]gather.MemoryFrame{
		"; meanwhile 180.0 MB were allocated (usually 0.2), with 5 collections that took 6.5 ms of goroutines.": {
			AllocBytes: 180e6, Cycles: 5, Assist: 6 * time.Millisecond, Pause: time.Millisecond / 2},
		"(usually 14).": {AllocBytes: 2e5, Cycles: 1},
	} {
		s := process.NewSession()
		for i := range uint64(60) {
			f := workerFrame(i, 16, 12)
			f.Zones[2].Idle = false
			if f.Memory = (gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: 2e5}); i == 59 {
				f = workerFrame(i, 30, 12)
				f.Zones[2].Idle = false
				f.Memory = memory
				f.Memory.Mode = gather.MemoryHeapPerFrame
			}
			write(t, s, f)
		}
		var v report.Verdict
		if s.VerdictOf(&v, 0); !strings.HasSuffix(v.String(), want) {
			t.Errorf("got %q; want %q", v.String(), want)
		}
	}
}

func TestLateTimesOfTheGPUAreAWarning(t *testing.T) {
	s := process.NewSession()
	f := gpuFrame(0, 16, 8)
	write(t, s, f)
	warned := func() (found string) {
		var r report.Report
		s.View().AppendReport(&r)
		for _, w := range r.Warnings {
			if strings.Contains(w, "GPU") {
				found = w
			}
		}
		return found
	}
	if got := warned(); got != "" {
		t.Fatalf("got the warning %q; want none yet", got)
	}
	f = gpuFrame(1, 16, 8)
	f.Dropped.Foreign, f.Dropped.Late = 3, 5
	write(t, s, f)
	want := "times of the GPU: lost for 3 zones, in a later frame than their own for 5 zones"
	if got := warned(); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	f = gpuFrame(2, 16, 8)
	f.Dropped.Foreign, f.Dropped.Late = 0, 2
	write(t, s, f)
	want = "times of the GPU: in a later frame than their own for 2 zones"
	if got := warned(); got != want {
		t.Errorf("with none lost: got %q; want %q", got, want)
	}
}

// A wait that is longer than a usual frame does not follow from a little more work.
func TestALongWaitIsNoConsequenceOfALittleWork(t *testing.T) {
	s := process.NewSession()
	frame := func(i uint64, game, join platform.Ticks) {
		f := workerFrame(i, game+join, 0)
		f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = game, join
		write(t, s, f)
	}
	for i := range uint64(59) {
		frame(i, 10, 0)
	}
	frame(59, 11, 40)
	var v report.Verdict
	s.VerdictOf(&v, 0)
	if got, want := v.String(), "Frame 59: +41 ms. The program chose to wait: join 40 (usually 0)."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Only the lane that ended the frame was blocked in it: the view of another lane has no blocked time.
func TestOnlyTheLaneOfTheFrameIsBlocked(t *testing.T) {
	s := process.NewSession()
	f := workerFrame(0, 20, 15)
	f.Zones[2].Blocked = true
	write(t, s, f)
	for lane, want := range []float64{18, 18, 0} { // 0 is all lanes merged
		s.View().Set(report.View{Average: report.AverageInstant, Lane: report.LaneID(lane)})
		if got := s.View().Info().Blocked; got != want {
			t.Errorf("lane %d: got %v ms blocked; want %v", lane, got, want)
		}
	}
}

// The headline says for which goroutine a frame waited: by its states, or as that worked just as long.
func TestFramesThatWaitForAnotherGoroutine(t *testing.T) {
	const length = 16 // of which it waits 14
	lock := func(frame uint64, waker gather.LaneID, long platform.Ticks) gather.LaneState {
		begin := platform.Ticks(frame) * 100
		return gather.LaneState{Kind: gather.StateWaiting, Lane: 1, Begin: begin + 1, End: begin + 1 + long,
			Waker: waker}
	}
	for name, c := range map[string]struct {
		worker platform.Ticks
		states []gather.LaneState
		gpu    bool
		want   string
	}{
		"it worked as long":      {worker: 14, want: "2.0 busy + 14.0 waiting for worker 7"},
		"it worked shorter":      {worker: 11, want: "2.0 busy + 14.0 waiting"},
		"it works all the time":  {worker: 15, want: "2.0 busy + 14.0 waiting"},
		"with a GPU":             {worker: 14, gpu: true, want: "CPU 2.0 · GPU 8.0 ms · waiting for worker 7"},
		"with a GPU, not for it": {worker: 4, gpu: true, want: "CPU 2.0 · GPU 8.0 ms · waiting for the display"},
		"it ended the wait": {worker: 4, states: []gather.LaneState{lock(40, 2, 10)},
			want: "2.0 busy + 14.0 waiting for worker 7"},
		"it ended a short one": {worker: 4, states: []gather.LaneState{lock(40, 2, 5)},
			want: "2.0 busy + 14.0 waiting"},
		"a timer ended the wait": {worker: 14, states: []gather.LaneState{lock(40, 0, 10)},
			want: "2.0 busy + 14.0 waiting"},
		"one without a lane": {worker: 4, states: []gather.LaneState{lock(40, 99, 10)},
			want: "2.0 busy + 14.0 waiting for other goroutines"},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			for i := range uint64(41) {
				f := workerFrame(i, length, c.worker)
				if c.gpu {
					f.Lanes = append(f.Lanes, gpuFrame(i, length, 8).Lanes[1])
					f.Lanes[2].ID, f.Lanes[2].Nodes = 3, []gather.Node{{ID: 9, Parent: -1, Self: length - 8},
						{ID: 10, Zone: 3, Count: 1, Self: 8}}
				}
				if i == 40 {
					f.States = c.states
				}
				write(t, s, f)
			}
			s.View().SetAverage(report.AverageInstant)
			i := s.View().Info()
			if got := string(i.AppendParts(nil, 1)); got != c.want {
				t.Errorf("got %q; want %q", got, c.want)
			}
			if got := i.Bound() == report.BoundWorker; got != strings.Contains(c.want, "for w") &&
				got != strings.Contains(c.want, "for o") {
				t.Errorf("got the bound %v", i.Bound())
			}
			s.View().SetAverage(report.AverageLong)
			i = s.View().Info()
			if got := string(i.AppendParts(nil, 1)); c.worker == 14 && c.states == nil &&
				!strings.HasSuffix(got, "waiting for other goroutines") {
				t.Errorf("averaged: got %q; want no name, as it changes", got)
			}
		})
	}
}

// A name that is long is cut, between its letters.
func TestLongNamesOfWorkersAreCut(t *testing.T) {
	s := process.NewSession()
	f := workerFrame(0, 16, 14)
	f.Lanes[1].Name = strings.Repeat("ä", 400)
	write(t, s, f)
	s.View().SetAverage(report.AverageInstant)
	i := s.View().Info()
	if got := string(i.AppendParts(nil, 1)); got != "2.0 busy + 14.0 waiting for "+strings.Repeat("ä", 12) {
		t.Errorf("got %q; want 12 letters of the name", got)
	}
}
