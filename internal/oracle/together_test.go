//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The tests of this file are the last of the package: they make sets of frames, which a program never gives up.

// TestProgramsOfSeveralSets is TestPrograms with three sets of frames.
func TestProgramsOfSeveralSets(t *testing.T) {
	settings := map[string]setting{}
	for name, with := range stepped {
		with.sets = 2
		settings[name] = with
	}
	runSettings(t, settings, longtest.Pick(40, 2), runStepped)
}

// TestFreeProgramsOfSeveralSets is TestFreePrograms with three sets of frames.
func TestFreeProgramsOfSeveralSets(t *testing.T) {
	settings, all := map[string]setting{}, freely()
	for _, name := range []string{"plain", "readers", "governed", "lanes", "coarse clock"} {
		with := all[name]
		with.sets = 2
		settings[name] = with
	}
	runSettings(t, settings, longtest.Pick(8, 1), func(t *testing.T, seed uint64, with setting) {
		runFreely(t, seed, with)
	})
}

// otherSet is a set of frames, and what a naive profiler knows of it.
type otherSet struct {
	p       *program
	session *process.Session
	replay  *process.Session // of its frames
	from    int              // the first fact of its frame in progress, of those in all frames
	facts   []fact           // of its frames that have ended
	live    []fact           // of those since Reset, and outside a pause
	paused  bool
	outside bool // after EndFrame
	wasOff  bool // in its frame in progress
	newest  map[place]sum
	sums    map[place]sum // of all frames
	lost    uint64        // marks so far
}

// beginSets begins the frames of the other sets.
func (p *program) beginSets() {
	for i := range p.with.sets {
		s := &otherSet{p: p, sums: map[place]sum{}, replay: process.NewSession()}
		p.somewhere(func() { s.session = process.Frames(fmt.Sprint("set ", i)) })
		p.sets = append(p.sets, s)
		p.somewhere(func() {
			s.session.Update()
			s.session.Reset()
			s.session.Reset()
		})
		var f gather.Frame
		remove := s.session.AddSink(copied{&f})
		p.somewhere(s.session.Update)
		remove()
		s.lost = f.Dropped.Marks
		p.t.Cleanup(s.session.AddSink(s))
		p.t.Cleanup(s.session.Resume)
	}
}

// somewhere calls a function on a goroutine of the program, or on another if others may have lanes.
func (p *program) somewhere(do func()) {
	if p.with.level == byPath && (len(p.all) == 1 || p.rng.IntN(4) > 0) {
		p.all[p.rng.IntN(len(p.all))].run(do)
	} else {
		do()
	}
}

// WriteFrame has the naive profiler's eyes on each frame of the set.
func (s *otherSet) WriteFrame(f *gather.Frame) error {
	s.p.sums.Lock()
	defer s.p.sums.Unlock()
	s.newest = map[place]sum{}
	s.p.frame(s.newest, f)
	at := place{lane: counts}
	s.newest[at] = s.newest[at].with(charges{marks: int64(f.Dropped.Marks - s.lost)})
	s.lost = f.Dropped.Marks
	for at, sum := range s.newest {
		all := s.sums[at]
		sum.open = false
		all.add(sum)
		s.sums[at] = all
	}
	if err := s.replay.WriteFrame(f); err != nil {
		s.p.t.Errorf("%s, frame %d: %v", s.session.Sources().Set, f.Index, err)
	}
	return nil
}

// endSet ends a frame of a set in one of the ways there are, or begins it anew.
func (p *program) endSet(s *otherSet) {
	p.take()
	facts, whole := p.recorded[s.from:], !p.with.mix.holds // a hold has the time before BeginFrame and Reset, too
	s.from = len(p.recorded)
	s.newest = nil
	way := p.rng.IntN(16)
	if way == 0 && whole {
		s.outside = false
		p.somewhere(func() { s.session.BeginFrame("") })
		return
	}
	changes := way == 1 || way == 2 && !s.paused || way < 6 && s.paused
	if s.outside = s.outside && changes && whole; s.outside {
		facts = nil
	}
	if s.facts = append(s.facts, facts...); !s.paused {
		s.live = append(s.live, facts...)
	}
	switch {
	case way == 1 && whole:
		p.somewhere(s.session.Reset)
		s.live = nil
	case way == 2 && whole && !s.paused:
		p.somewhere(s.session.Pause)
		s.paused = true
	case way < 6 && s.paused:
		p.somewhere(s.session.Resume)
		s.paused = false
	case way < 10 && whole:
		p.somewhere(s.session.EndFrame)
		s.outside = true
	default:
		p.somewhere(s.session.Update)
	}
	if !s.wasOff && !p.off && whole {
		all := append(append([]fact{}, facts...), p.opened()...)
		p.answer(question{name: s.session.Sources().Set, noRoots: p.with.unnamed || p.with.mix.brief}, s.newest, all)
	}
	s.wasOff = p.off
}

// askSets asks for the sums since the start, with the frame in progress.
func (p *program) askSets() {
	for _, s := range p.sets {
		live := s.live
		if !s.paused && !s.outside {
			live = append(append([]fact{}, live...), p.recorded[s.from:]...)
		}
		if !p.with.controls || !p.with.mix.holds {
			p.answer(question{name: s.session.Sources().Set + ", so far", noMarks: true, noOpen: true, noRoots: true},
				p.totalsOf(s.session), live)
		}
	}
}

// finishSets asks for the sums of all frames of each set. All goroutines have ended.
func (p *program) finishSets() {
	for _, s := range p.sets {
		facts := p.recorded[s.from:]
		s.facts = append(s.facts, facts...)
		if !s.paused {
			s.live = append(s.live, facts...)
		}
		s.session.Update()
		s.session.Update()
		s.session.Update()
		if p.with.controls && p.with.mix.holds {
			continue
		}
		q := question{name: s.session.Sources().Set + ", all frames", noMarks: true, noOpen: true, noRoots: true}
		p.answer(q, s.sums, s.facts)
		q.name = s.session.Sources().Set + ", totals"
		p.answer(q, p.totalsOf(s.session), s.live)
	}
}

// A set whose frame does not end holds bounded memory, and its sums stay exact.
func TestAFrameThatDoesNotEndIsBounded(t *testing.T) {
	set, pieces := process.Frames("set 0"), process.Frames("set 1")
	var f gather.Frame
	set.Update()
	defer set.AddSink(copies{&f})()
	const lanes, stacks = 3000, 50
	most := int64(0)
	for i := range lanes {
		elsewhere(func() {
			lane := gather.Register(fmt.Sprint("lane ", i))
			defer lane.Close()
			for k := range stacks {
				zones[k].Begin().End()
			}
			iprof.Units(1)
			pieces.Update()
		})
		most = max(most, gather.MemoryUsed().Sets)
	}
	if most > 32<<20 {
		t.Errorf("got %d MB for frames in progress; want 32 at most", most>>20)
	}
	set.Update()
	entries, units := uint64(0), uint64(0)
	for i := range f.Lanes {
		l := &f.Lanes[i]
		for k := range l.Nodes {
			if n := &l.Nodes[k]; ours(f.Zones[n.Zone].Name) {
				entries += uint64(n.Count)
			}
			units += l.Extra(k).Units
		}
	}
	if entries != lanes*stacks || units != lanes || len(f.Lanes) > lanes*9/10 {
		t.Errorf("got %d entries, %d units on %d lanes; want %d, %d on fewer than %d", entries, units, len(f.Lanes),
			lanes*stacks, lanes, lanes)
	}
	if held := gather.MemoryUsed().Sets; held > most/2 {
		t.Errorf("got %d kB held after the frame's end; want half of %d at most", held>>10, most>>10)
	}
}

// copies keeps the newest frame.
type copies struct{ to *gather.Frame }

func (k copies) WriteFrame(f *gather.Frame) error {
	*k.to = *f
	k.to.Lanes = slices.Clone(f.Lanes)
	for i := range k.to.Lanes {
		l := &k.to.Lanes[i]
		l.Nodes, l.Extras = slices.Clone(l.Nodes), slices.Clone(l.Extras)
	}
	return nil
}

// A program has four sets of frames at most. More have no frames, and say so.
func TestSetsOfFramesAreBounded(t *testing.T) {
	for i := range measure.MostSets - 1 {
		if s := process.Frames(fmt.Sprint("set ", i)); s.Sources().Set != fmt.Sprint("set ", i) {
			t.Errorf("set %d: got the name %q; want its own", i, s.Sources().Set)
		}
	}
	warns := func(s *process.Session, of string) bool {
		s.Update()
		var r report.Report
		s.View().AppendReport(&r)
		return strings.Contains(strings.Join(r.Warnings, "\n"), of)
	}
	if warns(process.Default(), "4 sets of frames") {
		t.Error("got a warning of too many sets; want none yet")
	}
	more := process.Frames("one more")
	more.BeginFrame("")
	more.EndFrame()
	if n := len(more.AppendFrames(nil, 9)); n != 0 || !warns(more, "4 sets of frames, which is the most") {
		t.Errorf("got %d frames, or no warning; want none, and the reason", n)
	}
	if !warns(process.Default(), "at most 4 sets of frames") || process.Frames("") != process.Default() {
		t.Error("got no warning, or another session for no name; want both")
	}
}
