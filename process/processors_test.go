//go:build !iprof_off

package process_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// use uses processor time.
func use(d time.Duration) {
	for until := platform.CPUTime() + d; platform.CPUTime() < until; {
	}
}

// A dump has the processor time since start or Reset, without pauses.
func TestProcessorTime(t *testing.T) {
	if platform.CPUTime() == 0 {
		t.Skip("the system does not tell the processor time")
	}
	const some = 100 * time.Millisecond
	s := process.Default()
	now := func() time.Duration { return s.Dump(report.DumpOptions{NoHistory: true, NoTrees: true}).CPU }
	z := &gather.Zone{Name: "used"}
	z.Begin().End()
	s.Update()
	all, start := platform.CPUTime(), now()
	use(some)
	used := now() - start
	most := platform.CPUTime() - all
	if used < some || used > most {
		t.Errorf("got %v; want %v to %v", used, some, most)
	}
	before := now()
	s.Pause()
	use(some)
	paused := now()
	s.Resume()
	if got := max(now(), paused) - before; got >= some {
		t.Errorf("after a pause: got %v more; want less than the %v in it", got, some)
	}
	use(some)
	s.Reset()
	if got := now(); got >= some {
		t.Errorf("after Reset: got %v; want less than the %v before it", got, some)
	}
	if got := process.NewSession().Dump(report.DumpOptions{}).CPU; got != 0 {
		t.Errorf("session of another program: got %v; want 0", got)
	}
}

// Frames bring the processor time of the process, and of lanes whose goroutines are locked to a thread. It sums up in
// dumps, also when lanes are merged and folded, and is beside the lanes of a frame.
func TestProcessorTimeOfLanes(t *testing.T) {
	s := process.NewSession()
	feed := func(frame, lanes int, name string) {
		f := &gather.Frame{Index: uint64(frame), End: 10, TicksPerSecond: 1000, CPU: 15 * time.Millisecond,
			Zones: make([]gather.ZoneInfo, 2)}
		for i := range lanes {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: report.LaneID(i + 1), Name: name + strconv.Itoa(i+1),
				Updater: i == 0, End: 10, CPU: time.Duration(i) * time.Millisecond,
				Nodes: []gather.Node{{Parent: -1, Self: 4}, {ID: 1, Zone: 1, Self: 6, Count: 1}}})
		}
		must.Do(t, s.WriteFrame(f))
	}
	for i := range 4 {
		feed(i, 3, "lane ")
	}
	d := s.Dump(report.DumpOptions{})
	for i, want := range []time.Duration{0, 4 * time.Millisecond, 8 * time.Millisecond} {
		if got := d.Lanes[i].CPU; got != want {
			t.Errorf("lane %d: got %v; want %v", i+1, got, want)
		}
	}
	flat := s.Dump(report.DumpOptions{NoTrees: true, NoHistory: true})
	if d.CPU != 60*time.Millisecond || flat.CPU != d.CPU {
		t.Errorf("process: got %v, and without trees %v; want 60 ms", d.CPU, flat.CPU)
	}
	for _, l := range s.View().AppendLanes(nil) {
		if want := float64(l.ID - 1); l.CPU != want {
			t.Errorf("lane %d in the frame: got %v ms; want %v", l.ID, l.CPU, want)
		}
	}
	i := s.View().Info()
	if i.CPU != 15 || i.Processors() != 1.5 {
		t.Errorf("frame: got %v ms, %v processors; want 15 and 1.5", i.CPU, i.Processors())
	}
	var r report.Report
	if s.View().AppendReport(&r); !strings.Contains(r.Title, "  all goroutines  1.50 processors") {
		t.Errorf("got title %q; want 1.50 processors at its end", r.Title)
	}
	s.Reset()
	feed(9, 12, "main.work work.go:4 #")
	d = s.Dump(report.DumpOptions{})
	if len(d.Lanes) != 1 || d.Lanes[0].CPU != 66*time.Millisecond || d.CPU != 15*time.Millisecond {
		t.Errorf("a crowd after Reset: got %d lanes, %v of %v; want one, 66ms of 15ms", len(d.Lanes), d.Lanes[0].CPU,
			d.CPU)
	}
}
