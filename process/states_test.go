//go:build !iprof_off

package process_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
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

// A state is as long as usual where it is in the frames whose states are known, the first of them or not. Of a frame
// without states of the lane, nothing is known.
func TestUsualStatesAreOfKnownFrames(t *testing.T) {
	for name, c := range map[string]struct {
		first int // frame with a state of the lane
		world func(i int) bool
		want  string
		more  float64
	}{
		"always": {0, func(int) bool { return true }, "(usually 10)", 100},
		"alone":  {0, func(int) bool { return true }, "(usually 10)", 100},
		"known":  {30, func(i int) bool { return i < 30 }, "(usually not)", 110},
		"both":   {30, func(i int) bool { return true }, "(usually 10)", 100},
	} {
		s := process.NewSession()
		var states []gather.LaneState
		for i := range 60 {
			f := workerFrame(uint64(i), 16, 12)
			f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = 14, 2
			length := platform.Ticks(10)
			if i == 59 {
				f.End += 100
				f.Lanes[0].End += 100
				f.Lanes[0].Nodes[1].Self += 100
				length = 110
			}
			if i >= c.first {
				states = append(states, gather.LaneState{Lane: 1, Begin: f.Begin, End: f.Begin + 4})
				if name != "alone" {
					states = append(states, gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "vsync",
						Begin: f.Begin + 4, End: f.Begin + 6})
				}
			}
			if i == 59 || c.world(i) {
				states = append(states, gather.LaneState{Kind: gather.StateStopped, Begin: f.Begin + 6,
					End: f.Begin + 6 + length})
			}
			write(t, s, f)
		}
		s.AddStates(0, 7000, states)
		var v report.Verdict
		s.VerdictOf(&v, 0)
		if got := v.String(); !strings.HasSuffix(got, "; the runtime stopped all goroutines for 110 "+c.want+".") {
			t.Errorf("%s: got %q; want %s", name, got, c.want)
		} else if got := v.Causes[1].Excess; got != c.more {
			t.Errorf("%s: got an excess of %g; want %g", name, got, c.more)
		}
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

// traced is a program of two lanes, 100 ticks a frame, and what an execution trace knows of it: each lane is in another
// state every few ticks. Some waits come with their frames, from package wait.
type traced struct {
	random *rand.Rand
	at     [3]platform.Ticks // where the states of a lane end
	states []gather.LaneState
}

// frame returns a frame and makes the states that begin before its end.
func (p *traced) frame(i uint64) *gather.Frame {
	f := workerFrame(i, 100, 100)
	for lane := range p.at {
		for p.at[lane] < f.End {
			q := gather.LaneState{Lane: gather.LaneID(lane), Kind: gather.StateKind(p.random.IntN(5)),
				Begin: p.at[lane], Reason: fmt.Sprint("reason ", p.random.IntN(9))}
			if lane == 0 {
				q.Kind = gather.StateMarking
			}
			q.End = q.Begin + 1 + platform.Ticks(p.random.IntN(60))
			p.at[lane] = q.End
			if q.Kind == gather.StateWaiting && lane > 0 {
				q.Waker, q.By, q.At = gather.LaneID(3-lane), "main.load", "world.go:88"
				if q.End <= f.End && p.random.IntN(2) == 0 { // package wait knows it, too
					f.States = append(f.States, q)
				}
			}
			p.states = append(p.states, q)
		}
	}
	return f
}

// in returns what a trace of a stretch of time knows: states that are open at its ends are cut there.
func (p *traced) in(begin, end platform.Ticks) (list []gather.LaneState) {
	for _, q := range p.states {
		if q.Begin < end && q.End > begin {
			if q.Begin = max(q.Begin, begin); q.End > end {
				q.End = end
				q.Waker = 0
				q.By = ""
				q.At = ""
			}
			list = append(list, q)
		}
	}
	p.random.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

// byTick says what each lane did at each tick of the frames of a session, and who ended its waits; twice is where two
// states of a lane overlap.
func byTick(s *process.Session, frames int) (ticks [3][]string, ended []string, twice int) {
	known := map[gather.LaneState]bool{}
	for lane := range ticks {
		ticks[lane] = make([]string, frames*100)
	}
	for age := range frames {
		for _, q := range s.AppendStates(nil, age) {
			if known[q] {
				continue
			}
			known[q] = true
			for at := q.Begin; at < min(q.End, platform.Ticks(frames*100)); at++ {
				if ticks[q.Lane][at] != "" {
					twice++
				}
				ticks[q.Lane][at] = q.Kind.String() + q.Reason
			}
			if q.Waker != 0 {
				ended = append(ended, fmt.Sprint(q.End, q.Lane, q.Waker, q.By, q.At))
			}
		}
	}
	slices.Sort(ended)
	return ticks, ended, twice
}

// A capture that is written meanwhile, and a session that follows, have in the end the states that the program's
// session has, each once, although traces overlap, and waits came with their frames before.
func TestLateStatesReachSinks(t *testing.T) {
	const frames = 60
	for seed := range uint64(200) {
		p := traced{random: rand.New(rand.NewPCG(seed, 28))}
		s, follows := process.NewSession(), process.NewSession()
		var file bytes.Buffer
		w := framefile.NewWriter(&file, framefile.Info{})
		s.AddSink(w)
		s.AddSink(follows)
		end := platform.Ticks(0)
		for i := range uint64(frames) {
			f := p.frame(i)
			write(t, s, f)
			if p.random.IntN(8) == 0 && i < frames-1 || i == frames-2 { // a trace of some frames, without a gap
				from := max(0, min(f.End-platform.Ticks(p.random.IntN(2000)), end))
				end = f.End - platform.Ticks(p.random.IntN(50))
				s.AddStates(from, end, p.in(from, end))
			}
		}
		must.Do(t, w.Close())
		again := process.NewSession()
		if _, err := framefile.Load(again, &file); err != nil {
			t.Fatal(err)
		}
		want, wantEnded, twice := byTick(s, frames)
		for name, has := range map[string]*process.Session{"follows": follows, "again": again} {
			got, ended, again := byTick(has, frames)
			if again+twice > 0 {
				t.Fatalf("seed %d, %s: %d ticks have two states, and %d in the program", seed, name, again, twice)
			}
			for lane := range got {
				for at := range got[lane] {
					if got[lane][at] != want[lane][at] {
						t.Fatalf("seed %d, %s: lane %d at %d: got %q; want %q", seed, name, lane, at, got[lane][at],
							want[lane][at])
					}
				}
			}
			if !slices.Equal(ended, wantEnded) || len(ended) < 10 {
				t.Fatalf("seed %d, %s: got ends\n%v\nwant\n%v", seed, name, ended, wantEnded)
			}
		}
	}
}

// A session that follows another, and is paused, throws frames away, but takes what they bring of the frames that it
// shows.
func TestAPausedViewerTakesLateStates(t *testing.T) {
	program, viewer := process.NewSession(), process.NewSession()
	program.AddSink(viewer)
	for i := range uint64(3) {
		write(t, program, workerFrame(i, 16, 12))
	}
	viewer.Pause()
	late := gather.LaneState{Lane: 1, Kind: gather.StateSyscall, Begin: 104, End: 112}
	program.AddStates(0, 900, []gather.LaneState{late, {Lane: 1, Begin: 800, End: 900}})
	write(t, program, workerFrame(9, 16, 12))
	if got := viewer.AppendStates(nil, 1); len(got) != 1 || got[0] != late || viewer.View().Info().Frames != 3 {
		t.Errorf("got %+v and %d frames; want %+v and 3", got, viewer.View().Info().Frames, late)
	}
	if got := viewer.AppendStates(nil, 0); len(got) != 0 {
		t.Errorf("got %+v; want none of later frames", got)
	}
}

// No frame brings more than some thousands, and none twice.
func TestManyLateStatesComeBitByBit(t *testing.T) {
	s, counts := process.NewSession(), stateCounter{}
	defer s.AddSink(&counts)()
	write(t, s, workerFrame(0, 16, 12))
	many := make([]gather.LaneState, 3*measure.MaxStates+100)
	for i := range many {
		many[i] = gather.LaneState{Lane: 1, Begin: platform.Ticks(i), End: platform.Ticks(i + 1)}
	}
	s.AddStates(0, platform.Ticks(len(many)), many)
	for i := range uint64(6) {
		write(t, s, workerFrame(1000+i, 16, 12))
	}
	most := measure.MaxStates
	if want := (stateCounter{0, most, most, most, 100, 0, 0}); !slices.Equal(counts, want) {
		t.Errorf("got %v; want %v", counts, want)
	}
}

// stateCounter is a sink that counts the states of each frame.
type stateCounter []int

func (c *stateCounter) WriteFrame(f *gather.Frame) error {
	*c = append(*c, len(f.States))
	return nil
}
