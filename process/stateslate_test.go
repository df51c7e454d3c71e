//go:build !iprof_off

package process_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

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
				q.End, q.Waker, q.By, q.At = end, 0, "", ""
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

// TestLateStatesReachSinks: a capture that is written meanwhile, and a session that follows, have in the end the states
// that the program's session has, each once, although traces overlap, and waits came with their frames before.
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

// TestAPausedViewerTakesLateStates: a session that follows another, and is paused, throws frames away, but takes what
// they bring of the frames that it shows.
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

// TestManyLateStatesComeBitByBit: no frame brings more than some thousands, and none twice.
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
