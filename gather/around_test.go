//go:build !iprof_off

package gather

import (
	"math"
	"math/rand"
	"testing"

	"example.com/iprof/platform"
)

// changing enters a demoted zone 2,000 times a frame, in which it takes up to some 60 ticks or up to 2,000, for some hundred entries
// each. The zone around takes 30 ticks behind each. To read the clock takes one. It calls between before each entry.
type changing struct {
	clock   *fakeClock
	scope   Scope
	random  *rand.Rand
	enter   func() Scope
	between func(entry int)
	around  int64 // ticks that the zone around has had
	most    int64
}

func (p *changing) frame() {
	p.around, p.scope = 0, whole.Begin()
	for i := range 2000 {
		p.between(i)
		if p.random.Intn(100) == 0 || p.most == 0 {
			p.most = 60 + p.random.Int63n(2000)
		}
		s := p.enter()
		p.clock.advance(p.random.Int63n(p.most))
		s.End()
		p.own(30)
	}
	p.scope.End()
}

func (p *changing) own(ticks int64) {
	p.clock.advance(ticks)
	p.around += ticks
}

func newChanging(t *testing.T) *changing {
	c := useGovernor(t, 2, 0.002)
	c.reading = 1
	calibratedInside.Store(costFraction)
	calibratedCount.Store(0)
	return &changing{clock: c, random: rand.New(rand.NewSource(1)), enter: tiny.Begin, between: func(int) {}}
}

// run runs some frames, and returns what the zone around has had in them and what is told of it. The governor has settled by then.
func (p *changing) run(t *testing.T, frames int) (spent, told float64) {
	t.Helper()
	var f Frame
	for i := range frames + 10 {
		p.frame()
		if got := collect(t, &f); i >= 10 {
			spent += float64(p.around)
			told += float64(got["whole"].self)
		}
	}
	if !demotedNow() {
		t.Fatal("got nothing demoted; want what is entered so often")
	}
	return spent, told
}

// TestTheZoneAroundIsToldByWhatItHasBetween: what it has between the entries is the same each time, so it is known far nearer than what
// these take, which is fifteen times as much and changes.
func TestTheZoneAroundIsToldByWhatItHasBetween(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(p *changing)
		off    float64
	}{
		{"entries", func(*changing) {}, 0.03},
		{"of a name", func(p *changing) { p.enter = func() Scope { return sited("tiny") } }, 0.03},
		{"another zone between", func(p *changing) {
			p.between = func(i int) {
				if i%50 == 0 {
					s := part.Begin()
					p.clock.advance(2000)
					s.End()
				}
			}
		}, 0.03},
		{"another demoted zone between", func(p *changing) {
			p.between = func(int) {
				s := part.Begin()
				p.clock.advance(p.random.Int63n(200))
				s.End()
			}
		}, 0.5}, // each one's runs have the other's time between
		{"left between", func(p *changing) {
			p.between = func(i int) {
				if i%50 == 0 {
					p.scope.End()
					p.clock.advance(2000)
					p.scope = whole.Begin()
				}
			}
		}, 0.03},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newChanging(t)
			test.change(p)
			if spent, told := p.run(t, 30); math.Abs(told/spent-1) > test.off {
				t.Errorf("got %.0f ticks told; want %.0f", told, spent)
			}
		})
	}
}

// TestWhatNoRunHasMetStaysAround has the zone around do something by itself once in many frames, five times as long as a frame.
func TestWhatNoRunHasMetStaysAround(t *testing.T) {
	p := newChanging(t)
	p.run(t, 10)
	const long = 5_000_000
	var f Frame
	for i := range 60 {
		p.between = func(entry int) {
			if entry == 1000 && i%20 == 19 {
				p.own(long)
			}
		}
		p.frame()
		if got := collect(t, &f)["whole"].self; i%20 == 19 && math.Abs(float64(got)-float64(p.around)) > 0.2*long {
			t.Errorf("frame %d: got %d ticks told; want %d", i, got, p.around)
		}
	}
}

// TestBlocksBeginBehindTheChoosing: where the clock is read on the shortest path, to choose what comes next is no part of what the zone
// around has between two entries.
func TestBlocksBeginBehindTheChoosing(t *testing.T) {
	useRealGovernor(t)
	if !platform.Assembly {
		t.Skip("the clock is read on the slow path only, before it is chosen")
	}
	var f Frame
	blocks := 0
	governedUntil(t, &f, "some hundred blocks begun", func() {
		for range 10_000 {
			s := tiny.Begin()
			if s.n.flag&(flagTop|flagTiming) == flagTop|flagTiming {
				d := s.n.extra.Load().draw
				if a := &d.around; d.phase == measuring && s.n.count == d.members[0].count+1 {
					blocks++
					if a.from < d.at || a.from > platform.Now() {
						t.Errorf("block %d: got it begun at %d; want %d, when it was chosen, or later", blocks, a.from, d.at)
					}
				}
			}
			s.End()
		}
	}, func() bool { return blocks > 100 || t.Failed() })
}
