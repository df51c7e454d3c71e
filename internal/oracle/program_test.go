//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// zones are public zones. Their names are no other zone's.
var zones = func() []iprof.Zone {
	all := make([]iprof.Zone, 3000)
	for i := range all {
		all[i].Name = fmt.Sprint("z", i)
	}
	return all
}()

// private enters a private zone: one place, a zone for each name.
//
//go:noinline
func private(name string) iprof.Scope { return iprof.Begin(name) }

// mix is what a program's goroutines do besides entering zones.
type mix struct {
	zones    int  // they enter; 0: 6
	depth    int  // of stacks; 0: 6
	holds    bool // hold entries, and keep or drop them
	charges  bool // allocations, units, counts, marks
	mistakes bool // Ends that are missing, too many, on other goroutines; panics
	brief    bool // start goroutines that end in their zones
	bursts   int  // entries in a row, at most; 0: 20
	deep     bool // call themselves until rows pile up
	mutes    bool // mute zones, and measure them again
}

// goroutine runs a part of the program, and writes down what it does.
type goroutine struct {
	p      *program
	rng    *rand.Rand
	name   string // of its lane; "": it has none
	lane   *gather.Lane
	id     gather.LaneID
	orders chan func()
	done   chan bool
	at     *entry // innermost
	open   []scope
	old    []scope // that have ended
	facts  []fact
	events []happened

	before, after platform.Ticks // readings around the last step
}

// scope is an entry that is open.
type scope struct {
	iprof.Scope
	hold iprof.Held
	is   *entry
}

func newGoroutine(p *program, name string) *goroutine {
	g := &goroutine{p: p, name: name, orders: make(chan func()), done: make(chan bool)}
	g.rng = rand.New(rand.NewPCG(p.rng.Uint64(), 1))
	go func(orders chan func()) {
		defer close(g.done)
		for order := range orders {
			order()
			g.done <- true
		}
	}(g.orders)
	g.run(g.start)
	return g
}

func (g *goroutine) start() {
	if g.name != "" {
		g.lane = iprof.Register(g.name)
		g.id = g.lane.ID()
	}
	g.before = platform.Now()
	g.after = g.before
}

// run has the goroutine run a function.
func (g *goroutine) run(order func()) { g.orders <- order; <-g.done }

// end ends the goroutine. All it has open is closed.
func (g *goroutine) end() {
	g.run(func() { g.leaveAll(); g.lane.Close() })
	close(g.orders)
	<-g.done
	g.orders = nil
}

// pass lets time pass until now, on a goroutine that waits for orders.
func (g *goroutine) pass() {
	if g.orders != nil {
		g.run(func() { g.act(func() {}) })
	}
}

// leaveAll ends all that is open.
func (g *goroutine) leaveAll() {
	for len(g.open) > 0 {
		g.leave(true)
	}
	g.act(func() {})
}

// act does what ends or begins an entry. The time until then was in the innermost one.
func (g *goroutine) act(do func()) {
	before := platform.Now()
	do()
	after := platform.Now()
	if after > g.before {
		g.fact(fact{in: g.at, low: max(before-g.after, 0), high: after - g.before})
	}
	g.before, g.after = before, after
}

// fact writes down what was since the last step.
func (g *goroutine) fact(f fact) {
	f.lane, f.first, f.last = g.name, g.before, platform.Now()
	g.facts = append(g.facts, f)
}

// step does one random thing.
func (g *goroutine) step() {
	with := &g.p.with.mix
	switch n := g.rng.IntN(100); {
	case n < 40 && len(g.open) < with.depth:
		g.enter(g.rng.IntN(with.zones))
	case n < 74 && len(g.open) > 0:
		g.leave(g.rng.IntN(3) > 0)
	case n < 80:
		g.burst()
	case n < 84 && with.charges:
		g.charge()
	case n < 88 && with.mistakes:
		g.mistake()
	case n < 91 && with.brief && len(g.open) < 3:
		g.startAnother()
	case n < 93 && with.deep:
		g.descend(0, 100+g.rng.IntN(80))
	case n < 95 && with.holds:
		g.discard()
	case n < 96 && with.mutes:
		g.mute()
	default:
		g.work()
	}
}

// work passes time.
func (g *goroutine) work() {
	if !g.p.with.free {
		g.p.now.Add(g.rng.Int64N(g.p.leap))
		return
	}
	if g.rng.IntN(20) == 0 {
		runtime.Gosched()
	}
	for range g.rng.IntN(300) {
		g.p.sink.Store(g.rng.Uint64())
	}
}

// mute mutes a zone, or has it measured again.
func (g *goroutine) mute() { zones[g.rng.IntN(g.p.with.mix.zones)].SetMuted(g.rng.IntN(3) > 0) }

// enter enters a zone in one of the ways there are.
func (g *goroutine) enter(zone int) {
	if g.p.off {
		return
	}
	z, s := &zones[zone], scope{}
	name, way := z.Name, g.rng.IntN(10)
	if way == 0 {
		name = "p" + name
	}
	s.is = enter(g.at, name, way < 4 && g.p.with.mix.holds && way > 0)
	g.p.begun.count(name, 1)
	g.act(func() {
		switch {
		case way == 0:
			s.Scope = private(name)
		case s.is.held:
			s.hold = z.Hold()
		case way < 6 && g.lane != nil:
			s.Scope = z.In(g.lane)
		default:
			s.Scope = z.Begin()
		}
	})
	g.p.ended.count(name, 1)
	g.happens(name, len(g.open), false)
	g.at, g.open = s.is, append(g.open, s)
	g.fact(fact{in: s.is, entries: 1})
}

// leave ends the innermost entry.
func (g *goroutine) leave(keep bool) {
	last := len(g.open) - 1
	s := g.open[last]
	g.act(func() {
		if s.is.held {
			s.hold.Keep(keep)
		} else {
			s.End()
		}
	})
	g.left(last, keep)
}

// left writes down that an entry has ended, with those inside.
func (g *goroutine) left(at int, keep bool) {
	for i := len(g.open) - 1; i >= at; i-- {
		g.open[i].is.decided = true
		g.happens(g.open[i].is.zone, i, true)
	}
	g.old = append(g.old[max(len(g.old)-100, 0):], g.open[at:]...)
	s := g.open[at]
	s.is.drop = s.is.drop || s.is.held && !keep
	g.at, g.open = s.is.around, g.open[:at]
}

// discard drops the innermost hold.
func (g *goroutine) discard() {
	iprof.Discard()
	for e := g.at; e != nil; e = e.around {
		if e.held {
			e.drop = true
			return
		}
	}
}

// burst enters a zone many times in a row.
func (g *goroutine) burst() {
	if g.p.off {
		return
	}
	z, n := &zones[g.rng.IntN(g.p.with.mix.zones)], 1+g.rng.IntN(g.p.with.mix.bursts)
	g.p.begun.count(z.Name, n)
	begin, in := platform.Now(), enter(g.at, z.Name, false)
	g.act(func() {
		for range n {
			z.Begin().End()
		}
	})
	g.p.ended.count(z.Name, n)
	g.fact(fact{in: in, entries: int64(n), high: g.after - begin})
	for range n {
		g.happens(z.Name, len(g.open), false)
		g.happens(z.Name, len(g.open), true)
	}
}

// charge charges the innermost entry.
func (g *goroutine) charge() {
	if g.p.off {
		return
	}
	n := g.rng.IntN(2000) - 100
	paid := uint64(max(n, 0))
	switch g.rng.IntN(6) {
	case 0:
		iprof.Alloc(n)
		g.fact(fact{in: g.at, charges: charges{allocs: 1, allocated: paid}})
	case 1:
		iprof.Free(n)
		g.fact(fact{in: g.at, charges: charges{frees: 1, freed: paid}})
	case 2:
		iprof.Units(n)
		g.fact(fact{in: g.at, charges: charges{units: paid}})
	case 3:
		iprof.CountN("oracle", n)
		g.facts = append(g.facts, fact{lane: counts, charges: charges{counted: int64(n)}})
	case 4:
		iprof.Mark("oracle")
		g.facts = append(g.facts, fact{lane: counts, charges: charges{marks: 1}})
	case 5:
		if !g.p.with.free {
			g.p.now.Add(1) // of two levels of one moment either is the latest
			g.p.level = float64(n)
			iprof.Value("oracle's level", g.p.level)
		}
	}
}

// mistake does what programs should not.
func (g *goroutine) mistake() {
	last := len(g.open) - 1
	switch n := g.rng.IntN(4); {
	case n == 0:
		g.panics()
	case last < 0 && len(g.old) > 0: // an End of long ago
		if s := g.old[g.rng.IntN(len(g.old))]; !s.is.held {
			g.act(s.End)
			g.p.extra.Add(1)
		}
	case last < 0 || g.p.off || g.open[last].is.held || g.p.with.level == byLane: // those in "(other)" are one scope
	case n == 1: // an End too many
		s := g.open[last]
		g.leave(true)
		g.act(s.End)
		g.p.extra.Add(1)
	case n == 2: // no End inside
		at := g.rng.IntN(last + 1)
		if s := g.open[at]; !s.is.held {
			g.act(s.End)
			g.left(at, true)
			g.p.missing.Add(uint64(last - at))
		}
	case n == 3:
		s := g.open[last]
		g.act(func() { elsewhere(s.End) })
		g.left(last, true)
		g.p.other.Add(1)
		g.burst() // until its next entry, the goroutine does not know of the End
	}
}

// elsewhere calls a function on another goroutine.
func elsewhere(do func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		do()
	}()
	<-done
}

// panics leaves some zones by a panic.
func (g *goroutine) panics() {
	defer func() { _ = recover() }()
	var deeper func(int)
	deeper = func(depth int) {
		open := len(g.open)
		if g.enter(g.rng.IntN(g.p.with.mix.zones)); len(g.open) > open {
			defer g.leave(true)
		}
		if g.work(); depth == 0 {
			panic("it ends the entries")
		}
		deeper(depth - 1)
	}
	deeper(g.rng.IntN(3))
}

// startAnother runs a part of the program on another goroutine, which ends inside its zones.
func (g *goroutine) startAnother() {
	name := g.name
	if name != "" && g.rng.IntN(2) == 0 {
		name += " again"
	}
	other := &goroutine{p: g.p, rng: g.rng, name: name}
	elsewhere(func() {
		other.start()
		defer func() { other.leaveAll(); other.lane.Close() }()
		for range g.rng.IntN(12) {
			other.step()
		}
		runtime.Goexit()
	})
	g.facts = append(g.facts, other.facts...)
}

// descend has a zone call itself about as often as it may have rows.
func (g *goroutine) descend(zone, calls int) {
	open := len(g.open)
	if g.enter(zone); len(g.open) > open {
		defer g.leave(true)
	}
	others := 40
	if g.p.with.mix.mutes && calls < 60 { // there are many rows by now
		others = 4
		if g.rng.IntN(6) == 0 {
			g.mute()
		}
	}
	if g.work(); calls > 0 {
		g.descend(g.rng.IntN(others)/(others-1), calls-1)
	}
	g.work()
}

// counters count the entries of public zones, beside the profiler.
type counters [8]atomic.Int64

// count counts entries of a zone, if it is one of those.
func (c *counters) count(zone string, n int) {
	if len(zone) == 2 && zone[1] < '8' {
		c[zone[1]-'0'].Add(int64(n))
	}
}
