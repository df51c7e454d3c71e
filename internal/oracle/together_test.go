//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/measure"
)

// The tests of this file are the last of the package: they make sets of frames, which a program never gives up.

// TestProgramsOfSeveralSets is TestPrograms with three sets of frames.
func TestProgramsOfSeveralSets(t *testing.T) {
	settings := map[string]setting{}
	for name, with := range stepped {
		with.sets = 2
		settings[name] = with
	}
	runSettings(t, settings, longtest.Pick(40, 3), runStepped)
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

// moreSets returns the sets of frames beside the program's own.
func (p *program) moreSets() []*measure.Set {
	for len(madeSets) < 2 {
		p.somewhere(func() { madeSets = append(madeSets, measure.NewSet()) })
	}
	return madeSets
}

var madeSets []*measure.Set

// otherSet is a set of frames, and what a naive profiler knows of it.
type otherSet struct {
	*measure.Set
	name   string
	from   int    // the first fact of its frame in progress, of those in all frames
	facts  []fact // of its frames that have ended
	sums   map[place]sum
	frame  gather.Frame
	wasOff bool // in its frame in progress
}

// beginSets begins the frames of the other sets.
func (p *program) beginSets() {
	if p.with.sets == 0 {
		return
	}
	for i, set := range p.moreSets() {
		s := &otherSet{Set: set, name: []string{"second set", "third set"}[i], sums: map[place]sum{}}
		p.sets = append(p.sets, s)
		p.somewhere(s.Begin)
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

// endSet ends a frame of a set, or begins it anew.
func (p *program) endSet(s *otherSet) {
	p.take()
	facts := p.recorded[s.from:]
	if s.from = len(p.recorded); p.rng.IntN(8) == 0 && !p.with.mix.holds { // a hold has the time before Begin, too
		p.somewhere(s.Begin)
		return
	}
	lost := s.frame.Dropped.Marks
	p.somewhere(func() { s.Collect(&s.frame) })
	newest := map[place]sum{}
	p.frame(newest, &s.frame)
	for at, sum := range newest {
		all := s.sums[at]
		sum.open = false
		all.add(sum)
		s.sums[at] = all
	}
	marks := place{lane: counts}
	dropped := charges{marks: int64(s.frame.Dropped.Marks - lost)}
	newest[marks], s.sums[marks] = newest[marks].with(dropped), s.sums[marks].with(dropped)
	s.facts = append(s.facts, facts...)
	if err := p.replay.WriteFrame(&s.frame); err != nil {
		p.t.Errorf("%s, frame %d: %v", s.name, s.frame.Index, err)
	}
	if wasOff := s.wasOff; !wasOff && !p.off && !p.with.mix.holds {
		all := append(append([]fact{}, facts...), p.opened()...)
		p.answer(question{name: s.name, noRoots: p.with.unnamed || p.with.mix.brief}, newest, all)
	}
	s.wasOff = p.off
}

// finishSets asks for the sums of all frames of each set. All goroutines have ended.
func (p *program) finishSets() {
	for _, s := range p.sets {
		for range 3 {
			facts := p.recorded[s.from:]
			s.from = len(p.recorded)
			s.facts = append(s.facts, facts...)
			s.Collect(&s.frame)
			p.frame(s.sums, &s.frame)
		}
		for at, sum := range s.sums {
			sum.open = false
			s.sums[at] = sum
		}
		if !p.with.controls || !p.with.mix.holds {
			all := question{name: s.name + ", all frames", noMarks: true, noOpen: true, noRoots: true}
			p.answer(all, s.sums, s.facts)
		}
	}
}

// runSet ends frames of a set over and over, beside goroutines that run freely.
func (p *program) runSet(s *otherSet, over chan bool) {
	p.everyMoment(over, func() {
		s.Collect(&s.frame)
		p.sums.Lock()
		defer p.sums.Unlock()
		p.frame(s.sums, &s.frame)
	})
}

// A set whose frame does not end holds bounded memory, and its sums stay exact.
func TestAFrameThatDoesNotEndIsBounded(t *testing.T) {
	p := &program{t: t, with: setting{level: merged}}
	set, pieces := p.moreSets()[0], p.moreSets()[1]
	var f gather.Frame
	set.Collect(&f)
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
			pieces.Collect(&f)
		})
		most = max(most, gather.MemoryUsed().Sets)
	}
	if most > 32<<20 {
		t.Errorf("got %d MB for frames in progress; want 32 at most", most>>20)
	}
	set.Collect(&f)
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
	var next gather.Frame
	set.Collect(&next)
	if held := gather.MemoryUsed().Sets; held > most/2 {
		t.Errorf("got %d kB held after the frame's end; want half of %d at most", held>>10, most>>10)
	}
}

// A program has four sets of frames at most.
func TestSetsOfFramesAreBounded(t *testing.T) {
	p := &program{t: t, with: setting{level: merged}}
	for range measure.MostSets - 1 - len(p.moreSets()) {
		if measure.NewSet() == nil {
			t.Error("got no set; want one")
		}
	}
	if measure.NewSet() != nil {
		t.Errorf("got more than %d sets; want no more", measure.MostSets)
	}
}
