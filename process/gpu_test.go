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

// gpuFrame is a frame of a game that works 4 ms and waits for the display, with a GPU lane that works for so many ms.
func gpuFrame(index uint64, length, gpu platform.Ticks) *gather.Frame {
	begin := platform.Ticks(index) * 100
	return &gather.Frame{Index: index, Begin: begin, End: begin + length, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "game"}, {Name: "vsync", Idle: true}, {Name: "GPU shadow"},
			{Name: "GPU blur"}},
		Lanes: []gather.LaneFrame{
			{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + length, Nodes: []gather.Node{
				{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Count: 1, Self: 4},
				{ID: 3, Zone: 2, Count: 1, Self: length - 4}}},
			{ID: 2, Name: "GPU", Device: true, Begin: begin, End: begin + length, Nodes: []gather.Node{
				{ID: 4, Parent: -1, Self: length - gpu}, {ID: 5, Zone: 3, Count: 1, Self: gpu - 2},
				{ID: 6, Zone: 4, Count: 1, Self: 2}}}}}
}

// finer is a frame with a clock of a thousand times as many ticks.
func finer(f *gather.Frame) *gather.Frame {
	f.TicksPerSecond, f.Begin, f.End = 1000*f.TicksPerSecond, 1000*f.Begin, 1000*f.End
	for i := range f.Lanes {
		l := &f.Lanes[i]
		l.Begin, l.End = 1000*l.Begin, 1000*l.End
		for k := range l.Nodes {
			l.Nodes[k].Self *= 1000
		}
	}
	return f
}

func TestVerdictOnAFrameThatIsSlowOnlyOnTheGPU(t *testing.T) {
	for name, c := range map[string]struct {
		gpu  platform.Ticks
		want string
	}{
		"GPU": {28, "Frame 59: +14.0 ms. The GPU worked longer: GPU shadow 26.0 (usually 6.0); " +
			"waiting in vsync 26.0 (usually 12.0)."},
		"display": {8, "Frame 59: +14.0 ms. The program chose to wait: vsync 26.0 (usually 12.0)."},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			for i := range uint64(59) {
				write(t, s, finer(gpuFrame(i, 16, 8)))
			}
			write(t, s, finer(gpuFrame(59, 30, c.gpu)))
			var v report.Verdict
			s.VerdictOf(&v, 0)
			if got := v.String(); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestWhatBoundsTheFrames(t *testing.T) {
	for want, c := range map[string]struct{ length, gpu platform.Ticks }{
		"CPU 4.1 · GPU 28.0 ms · GPU-bound":              {30, 28},
		"CPU 4.1 · GPU 3.0 ms · CPU-bound":               {4, 3},
		"CPU 4.1 · GPU 8.0 ms · waiting for the display": {16, 8},
	} {
		t.Run(want, func(t *testing.T) {
			s := process.NewSession()
			s.View().SetAverage(report.AverageInstant)
			write(t, s, gpuFrame(0, c.length, c.gpu))
			i := s.View().Info()
			got := string(i.AppendParts(nil, 1))
			if want := strings.Replace(want, "4.1", "4.0", 1); got != want {
				t.Errorf("got %q; want %q", got, want)
			}
			var r report.Report
			s.View().AppendReport(&r)
			if !strings.Contains(r.Title, "CPU 4, GPU") {
				t.Errorf("got title %q; want both times", r.Title)
			}
			if f := s.AppendFrames(nil, 1)[0]; !f.HasGPU || f.GPU != float32(c.gpu) {
				t.Errorf("got a GPU time of %v; want %d", f.GPU, c.gpu)
			}
		})
	}
}

// indices is a sink for the numbers of frames with and without a device lane.
type indices struct{ with, without []uint64 }

func (x *indices) WriteFrame(f *gather.Frame) error {
	for i := range f.Lanes {
		if f.Lanes[i].Device {
			x.with = append(x.with, f.Index)
			return nil
		}
	}
	x.without = append(x.without, f.Index)
	return nil
}

// liveGPU is the program's own session with a GPU lane, on a clock that a test moves.
func liveGPU(t *testing.T) (s *process.Session, now *int64, gpu *gather.ForeignLane, x *indices) {
	now, x = new(int64), new(indices)
	platform.SetClock(func() int64 { return *now }, 1000)
	s = process.Default()
	s.Reset()
	s.Update()
	s.Reset()
	gpu = gather.NewForeignLane("GPU", 1000)
	gpu.Calibrate(0, 0)
	remove := s.AddSink(x)
	t.Cleanup(func() {
		remove()
		gpu.Close()
		s.Resume()
		platform.SetClock(nil, 0)
		s.Update()
		s.Reset()
	})
	*now = 1000
	s.Update()
	x.with, x.without = nil, nil
	return s, now, gpu, x
}

var gpuZone = gather.Zone{Name: "GPU test"}

func TestFramesWaitForTheGPUAndNotForLong(t *testing.T) {
	s, now, gpu, x := liveGPU(t)
	issued := platform.Ticks(*now)
	gpu.Wait(issued)
	before := s.View().Info().Frames
	for range 3 {
		*now += 10
		s.Update()
	}
	if got := s.View().Info().Frames; got != before || len(x.without) != 0 {
		t.Fatalf("got %d frames, %v in the sink; want all to wait", got-before, x.without)
	}
	gpu.Add([]gather.ForeignScope{{Zone: &gpuZone, Begin: 1004, End: 1008, Issued: issued}})
	gpu.Wait(0)
	*now += 10
	s.Update()
	if got := s.View().Info().Frames - before; got != 4 || len(x.with) != 1 || x.with[0]+3 != x.without[2] {
		t.Errorf("got %d frames, %v with the GPU and %v without; want the first of 4", got, x.with, x.without)
	}
	gpu.Wait(platform.Ticks(*now))
	for range 20 {
		*now += 10
		s.Update()
	}
	if got := s.View().Info().Frames - before - 4; got != 12 {
		t.Errorf("got %d frames of 20; want 12, as 8 wait", got)
	}
}

func TestPausingKeepsTheFramesThatWait(t *testing.T) {
	s, now, gpu, _ := liveGPU(t)
	s.View().SetAverage(report.AverageInstant)
	*now += 10
	s.Update()
	issued := platform.Ticks(*now)
	gpu.Wait(issued)
	*now += 10
	s.Update()
	s.Pause()
	shown := s.View().Info().Index
	gpu.Add([]gather.ForeignScope{{Zone: &gpuZone, Begin: *now - 5, End: *now, Issued: issued}})
	gpu.Wait(0)
	*now += 10
	s.Update()
	if i := s.View().Info(); i.Index != shown || i.Age != 1 {
		t.Errorf("got frame %d of age %d; want the view to stay at %d, one frame older", i.Index, i.Age, shown)
	}
	s.View().SetFrame(0)
	if i := s.View().Info(); !i.HasGPU || i.GPU != 5 {
		t.Errorf("got a GPU time of %v (there: %v); want 5", i.GPU, i.HasGPU)
	}
}

// carried is a sink for the settings that frames carry.
type carried struct {
	driven  []bool
	budgets []int // number
}

func (c *carried) WriteFrame(f *gather.Frame) error {
	c.driven, c.budgets = append(c.driven, f.EventDriven), append(c.budgets, len(f.Budgets))
	return nil
}

// A frame has the settings of the moment when it ended, in sinks and in the history, also if the settings change while
// it waits for the GPU.
func TestSettingsOfAFrameThatWaits(t *testing.T) {
	s, now, gpu, _ := liveGPU(t)
	var got carried
	defer s.AddSink(&got)()
	set := func(on bool, budget time.Duration) {
		s.SetEventDriven(on)
		s.SetBudget(0, budget)
	}
	defer set(false, 0)
	gpu.Wait(platform.Ticks(*now))
	for i := range 6 {
		set(i%2 == 1, time.Duration(i%2))
		*now += 100
		s.Update()
	}
	gpu.Wait(0)
	*now += 100
	s.Update()
	if len(got.driven) != 7 {
		t.Fatalf("got %d frames; want 7", len(got.driven))
	}
	frames := s.AppendFrames(nil, 7)
	for i := range 7 {
		on, budgets := i%2 == 1 || i == 6, min(i%2+i/6, 1) // the last has the settings of the sixth
		if got.driven[i] != on || got.budgets[i] != budgets {
			t.Errorf("frame %d: got event-driven %v, %d budgets; want %v and %d", i, got.driven[i], got.budgets[i], on,
				budgets)
		}
		if f := frames[i]; (f.Busy > 0) == on {
			t.Errorf("frame %d: got %v ms busy with event-driven %v", i, f.Busy, on)
		}
	}
	if !s.EventDriven() || s.Budget(0) != 1 {
		t.Errorf("got event-driven %v, a budget of %v; want the last ones set", s.EventDriven(), s.Budget(0))
	}
}

func TestVerdictHintsAtWaitsOfAllGoroutines(t *testing.T) {
	for name, c := range map[string]struct {
		queue, locks time.Duration
		want         string
	}{
		"processor": {20 * time.Millisecond, 0,
			"; meanwhile all goroutines together waited for a processor for about 20 (usually 1)."},
		"locks": {0, 30 * time.Millisecond,
			"; meanwhile all goroutines together waited for locks for about 30 (usually not)."},
		"crowd without processor": {30 * 2054 * time.Millisecond, 0,
			"; meanwhile about 2054 goroutines at once, on average, waited for a processor (usually 0.1)."},
		"crowd at a lock": {0, 45 * time.Millisecond,
			"; meanwhile about 1.5 goroutines at once, on average, waited for locks (usually none)."},
		"86 % of the excess":          {13 * time.Millisecond, 0, "for a processor for about 13 (usually 1)."},
		"neither: 64 % of the excess": {10 * time.Millisecond, 0, "(usually 12)."},
		"neither":                     {2 * time.Millisecond, 0, "(usually 12)."},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			s.View().SetAverage(report.AverageInstant)
			for i := range uint64(60) {
				f := gpuFrame(i, 16, 8)
				f.Memory.RunQueue = time.Millisecond
				if i == 59 {
					f = gpuFrame(i, 30, 8)
					f.Memory.RunQueue, f.Memory.LockWait = c.queue, c.locks
				}
				write(t, s, f)
			}
			var v report.Verdict
			s.VerdictOf(&v, 0)
			got := v.String()
			none := strings.HasPrefix(name, "neither")
			if !strings.HasSuffix(got, c.want) || strings.Contains(got, "meanwhile") == none {
				t.Errorf("got %q; want it to end with %q", got, c.want)
			}
			if i := s.View().Info(); i.RunQueue != c.queue.Seconds()*1000 || i.LockWait != c.locks.Seconds()*1000 {
				t.Errorf("got waits of %v and %v ms; want %v and %v", i.RunQueue, i.LockWait, c.queue, c.locks)
			}
		})
	}
}
