//go:build !iprof_off

package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// planted are states of the lane that ends the frames, in a frame that took 100 ms longer, and what the verdict adds.
var planted = map[string]struct {
	state gather.LaneState
	want  string
}{
	"mutex": {gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "mutex", Waker: 2, At: "world.go:88"},
		"; it waited for mutex for 100 (usually not), released by worker 7 at world.go:88."},
	"without a lane": {gather.LaneState{Lane: 1, Kind: gather.StateWaiting,
		Reason: "chan receive", By: "main.load"},
		"; it waited for chan receive for 100 (usually not), ended by main.load."},
	"no processor": {gather.LaneState{Lane: 1, Kind: gather.StateRunnable},
		"; it wanted a processor for 100 (usually not)."},
	"system call": {gather.LaneState{Lane: 1, Kind: gather.StateSyscall, Place: "save.go:7"},
		"; it was in a system call for 100 (usually not) at save.go:7."},
	"collector": {gather.LaneState{Lane: 1, Kind: gather.StateAssist},
		"; it worked for the garbage collector for 100 (usually not)."},
	"world stopped": {gather.LaneState{Kind: gather.StateStopped},
		"; the runtime stopped all goroutines for 100 (usually not)."},
	"process stopped": {gather.LaneState{Kind: gather.StateGone},
		"; the process was stopped for 100 (usually not)."},
	"marking is no wait":  {gather.LaneState{Kind: gather.StateMarking}, "."},
	"running is no wait":  {gather.LaneState{Lane: 1, Kind: gather.StateRunning}, "."},
	"another lane's wait": {gather.LaneState{Lane: 2, Kind: gather.StateWaiting, Reason: "mutex"}, "."},
}

func TestVerdictSaysWhyTheGoroutineDidNotRun(t *testing.T) {
	for name, c := range planted {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			var usual []gather.LaneState
			for i := range uint64(60) {
				f := workerFrame(i, 16, 12)
				f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = 4, 12
				if i == 59 {
					f.End += 100
					f.Lanes[0].End += 100
					f.Lanes[0].Nodes[1].Self += 100
				}
				usual = append(usual, gather.LaneState{Lane: 1, Begin: f.Begin, End: f.Begin + 4},
					gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "vsync", Begin: f.Begin + 4,
						End: f.Begin + 16})
				write(t, s, f)
			}
			q := c.state
			q.Begin, q.End = 5910, 6010
			s.AddStates(0, 7000, append(usual, q))
			var v report.Verdict
			s.VerdictOf(&v, 0)
			if got, want := v.String(), "Frame 59: +100 ms. game 104 (usually 4)"+c.want; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// One long wait in the frames before does not make the next one usual.
func TestALongWaitBeforeHidesNoOther(t *testing.T) {
	s := process.NewSession()
	var states []gather.LaneState
	for i := range uint64(60) {
		f := workerFrame(i, 16, 12)
		f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = 4, 12
		f.Begin += 2000 * platform.Ticks(i/30) // behind the long frame
		f.End += 2000 * platform.Ticks(i/30)
		wait := map[uint64]platform.Ticks{29: 2000, 59: 100}[i]
		f.End += wait
		for k := range f.Lanes {
			f.Lanes[k].Begin, f.Lanes[k].End = f.Begin, f.End
		}
		f.Lanes[0].Nodes[1].Self += wait
		states = append(states, gather.LaneState{Lane: 1, Begin: f.Begin, End: f.Begin + 4})
		if wait > 0 {
			states = append(states, gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "mutex",
				Begin: f.Begin + 4, End: f.Begin + 4 + wait})
		}
		write(t, s, f)
	}
	s.AddStates(0, 20_000, states)
	var v report.Verdict
	s.VerdictOf(&v, 0)
	want := "Frame 59: +100 ms. game 104 (usually 4); it waited for mutex for 100 (usually not)."
	if got := v.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestStatesOfATimeReplaceThoseBefore(t *testing.T) {
	s := process.NewSession()
	f := workerFrame(0, 16, 12)
	f.States = []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "a", Begin: 1, End: 4},
		{Lane: 1, Kind: gather.StateWaiting, Reason: "b", Begin: 9, End: 12}, {Lane: 1, Begin: 4, End: 4}}
	write(t, s, f)
	reasons := func() (all string) {
		for _, q := range s.AppendStates(nil, 0) {
			all += q.Reason
		}
		return all
	}
	if got := reasons(); got != "ab" {
		t.Fatalf("got %q; want ab, by their beginnings, and none without a length", got)
	}
	s.AddStates(0, 5, []gather.LaneState{{Lane: 1, Reason: "d", Begin: 3, End: 5},
		{Lane: 1, Reason: "c", Begin: 0, End: 2}})
	if got := reasons(); got != "cdb" {
		t.Errorf("got %q; want cdb", got)
	}
	many := make([]gather.LaneState, 2*report.MaxStates)
	for i := range many {
		many[i] = gather.LaneState{Lane: 1, Begin: platform.Ticks(i % 15), End: platform.Ticks(i%15 + 1)}
	}
	s.AddStates(0, 16, many)
	if got := len(s.AppendStates(nil, 0)); got > report.MaxStates || got < report.MaxStates/2 {
		t.Errorf("got %d states; want at most %d", got, report.MaxStates)
	}
	if s.Reset(); len(s.AppendStates(nil, 0)) != 0 {
		t.Error("got states after Reset")
	}
}

func TestTimelineHasTheStatesInSight(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(3) {
		f := workerFrame(i, 100, 12)
		f.States = []gather.LaneState{
			{Lane: 2, Kind: gather.StateWaiting, Reason: "mutex", Begin: f.Begin + 10,
				End: f.Begin + 40},
			{Lane: 2, Kind: gather.StateWaiting, Reason: "mutex", Begin: f.Begin + 50, End: f.Begin + 60},
			{Lane: 2, Kind: gather.StateRunnable, Begin: f.Begin + 60, End: f.Begin + 85},
			{Kind: gather.StateStopped, Begin: f.Begin + 1, End: f.Begin + 2}}
		write(t, s, f)
	}
	var p process.Snapshot
	s.Pause()
	s.View().SetFrame(1)
	s.View().Snapshot(&p, process.SnapshotOptions{Timeline: true})
	tl := &p.Timeline
	if len(tl.Bands) != 2 || len(tl.Bands[1].States) != 3 || len(tl.Bands[0].States) != 0 ||
		len(tl.Whole) != 1 {
		t.Fatalf("got %+v, %+v; want the three states of the second lane in the frame, and one of all", tl.Bands,
			tl.Whole)
	}
	q, ms := tl.LongestState(2, tl.Origin, tl.Origin+tl.Length)
	if q == nil || q.Reason != "mutex" || ms != 40 || q.Interval.Begin-tl.Origin != 10 {
		t.Errorf("got %+v for %v ms; want the mutex for 40", q, ms)
	}
	if q, ms = tl.LongestState(2, tl.Origin+61, tl.Origin+70); q == nil || q.Kind != gather.StateRunnable || ms != 9 {
		t.Errorf("got %+v for %v ms; want 9 without a processor", q, ms)
	}
	if q, _ = tl.LongestState(1, tl.Origin+30, tl.Origin+60); q != nil {
		t.Errorf("got %+v; want nothing known", q)
	}
}

func TestGoroutinesOfLanes(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(4) {
		f := workerFrame(i, 100, 12)
		f.Lanes[0].Goroutine, f.Lanes[1].Goroutine = 1, 20+i/2
		write(t, s, f)
	}
	got := s.AppendGoroutines(nil)
	want := []report.LaneGoroutine{{Lane: 1, Goroutine: 1, End: 400}, {Lane: 2, Goroutine: 20, End: 200},
		{Lane: 2, Goroutine: 21, Begin: 200, End: 400}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %v; want %v", got, want)
	}
}
