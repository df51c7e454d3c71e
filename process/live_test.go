//go:build !iprof_off

package process_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// player is a goroutine with a lane, which runs the functions that it is sent.
type player struct {
	lane   report.LaneID
	do     chan func()
	done   chan struct{}
	scopes []gather.Scope
	stack  []report.ZoneID
}

func newPlayer(name string) *player {
	p := &player{do: make(chan func()), done: make(chan struct{})}
	go func() {
		for f := range p.do {
			f()
			p.done <- struct{}{}
		}
	}()
	p.run(func() { p.lane = gather.Register(name).ID() })
	return p
}

func (p *player) run(f func()) {
	p.do <- f
	<-p.done
}

// live runs random programs with real zones on real goroutines under a clock of its own.
type live struct {
	now     int64
	zones   [3]gather.Zone
	ids     [3]report.ZoneID
	players [3]*player
	frame   gather.Frame
	random  *rand.Rand
}

func newLive(t *testing.T) *live {
	l := &live{random: rand.New(rand.NewPCG(7, 7))}
	platform.SetClock(func() int64 { return l.now }, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	for i := range l.players {
		l.players[i] = newPlayer(fmt.Sprint("player ", i))
		l.players[i].stack = []report.ZoneID{0}
		t.Cleanup(func() { close(l.players[i].do) })
	}
	l.players[0].run(func() {
		for i := range l.zones {
			l.zones[i].Name = fmt.Sprint("live ", i)
			l.zones[i].Begin().End()
		}
		gather.Collect(&l.frame)
	})
	for id, z := range l.frame.Zones {
		for i := range l.zones {
			if z.Name == l.zones[i].Name {
				l.ids[i] = report.ZoneID(id)
			}
		}
	}
	return l
}

// newLiveWithEvents also returns a session with the events of the goroutines. Their rings are made.
func newLiveWithEvents(t *testing.T) (*live, *process.Session) {
	l := newLive(t)
	gather.SetEvents(1 << 14)
	t.Cleanup(func() { gather.SetEvents(0) })
	for _, p := range l.players {
		p.run(func() { l.zones[0].Begin().End() })
	}
	l.now++
	l.finish(t, process.NewSession())
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
	return l, s
}

// step does one random thing on one lane.
func (l *live) step() {
	at := l.random.IntN(len(l.players))
	p := l.players[at]
	switch n := l.random.IntN(10); {
	case n < 4 && len(p.stack) < 5:
		z := l.random.IntN(len(l.zones))
		p.run(func() { p.scopes = append(p.scopes, l.zones[z].Begin()) })
		p.stack = append(slices.Clone(p.stack), l.ids[z])
	case n < 7 && len(p.scopes) > 0:
		l.end(p)
	default:
		l.now += 1 + l.random.Int64N(20)
	}
}

func (l *live) end(p *player) {
	p.run(func() { p.scopes[len(p.scopes)-1].End() })
	p.scopes = p.scopes[:len(p.scopes)-1]
	p.stack = p.stack[:len(p.stack)-1]
}

// finish ends the frame on the first lane.
func (l *live) finish(t *testing.T, s *process.Session) {
	t.Helper()
	l.players[0].run(func() { gather.Collect(&l.frame) })
	write(t, s, &l.frame)
}
