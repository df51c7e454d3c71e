package world

import (
	"strconv"
	"time"

	"example.com/iprof/gather"
)

// Fault is a reason why a frame is slow.
type Fault uint8

// The faults.
const (
	Longer    Fault = iota // a zone takes twice as long
	MoreCalls              // a zone is called ten times as often, with everything it calls
	NewPath                // a zone is called from a place that never called it
	Collector              // the collector stops the program
	Wait                   // a zone waits longer
	Outside                // time outside all zones
	Faults    = iota
)

// String returns the fault in words.
func (f Fault) String() string {
	return [...]string{"longer", "more calls", "new path", "collector", "waiting", "outside"}[f]
}

// Planted describes the fault of the next frame.
type Planted struct {
	Fault Fault
	Zone  gather.ZoneID // the zone with the fault; for Collector the zone that was stopped
	Name  string        // of the zone
	Added float64       // ms, without noise
	at    int
}

// The time that a fault adds is within these shares of a usual frame.
const (
	leastAdded = 0.15
	mostAdded  = 0.80
)

// Plant puts a fault into the next frame. The fault adds at least 15 % of a usual frame; see Prepare.
func (p *Random) Plant(fault Fault) Planted {
	r := p.random
	added := p.usual * (leastAdded + (mostAdded-leastAdded)*r.Float64())
	planted := Planted{Fault: fault, Added: added}
	switch fault {
	case Longer:
		planted.at = p.pick(func(i int) float64 { return p.main[i].self })
		planted.Added = p.main[planted.at].self
	case MoreCalls:
		planted.at = p.pick(func(i int) float64 { return 9 * p.below(i) })
		planted.Added = 9 * p.below(planted.at)
	case NewPath, Collector:
		planted.at = 1 + r.IntN(p.join-1)
	case Wait:
		planted.at = p.join
		if p.vsync { // the wait for the display would absorb the fault
			planted.Added = added + max(0, p.usual-p.below(0))
		}
	}
	if fault == NewPath {
		planted.at = p.grow(planted.at, added)
	}
	planted.Zone = p.zone(p.main[planted.at].Info)
	planted.Name = p.main[planted.at].Info.Name
	p.planted = &planted
	return planted
}

// Prepare makes some zones long enough for all faults. Call it before the first frame.
func (p *Random) Prepare() {
	least := 1.2 * leastAdded * p.usual
	for range 2 {
		i := 1 + p.random.IntN(p.join-1)
		p.main[i].self = max(p.main[i].self, least*(1+0.5*p.random.Float64()))
	}
	if !p.vsync {
		p.usual = p.below(0)
	}
}

// pick returns a zone whose fault would add a suitable time. Without one it returns the zone that adds most.
func (p *Random) pick(adds func(i int) float64) int {
	most := 1
	for range 1000 {
		i := 1 + p.random.IntN(p.join-1)
		if a := adds(i); a >= leastAdded*p.usual && a <= 3*p.usual {
			return i
		}
		if adds(i) > adds(most) {
			most = i
		}
	}
	return most
}

// below returns the usual time of a node with everything below it, in ms.
func (p *Random) below(at int) (ms float64) {
	for i := at; i < len(p.main); i++ {
		if p.under(i, at) {
			ms += p.main[i].self
		}
	}
	return ms
}

// under reports whether a node is at or below another.
func (p *Random) under(i, at int) bool {
	for i > at {
		i = p.main[i].up
	}
	return i == at
}

// grow adds a new path of one to three zones for the next frame, and returns its first node.
func (p *Random) grow(under int, ms float64) int {
	first, depth := len(p.main), 1+p.random.IntN(3)
	up := under
	for range depth {
		zone := p.main[1+p.random.IntN(p.join-1)].Info // a zone that is called elsewhere
		if p.random.IntN(2) == 0 || p.known(up, zone) {
			p.fresh++
			zone = p.info("fresh "+strconv.Itoa(p.fresh), false)
		}
		p.main = hang(p.main, stack{Part: &Part{Info: zone}, up: up, transient: true})
		up = len(p.main) - 1
	}
	return first
}

// known reports whether a zone is called from a node, or is the node's own.
func (p *Random) known(under int, zone gather.ZoneInfo) bool {
	for i := range p.main {
		if n := &p.main[i]; n.Info == zone && n.up == under {
			return true
		}
	}
	return p.main[under].Info == zone
}

// harm carries out the planted fault.
func (p *Random) harm(m *gather.MemoryFrame) {
	at, added := p.planted.at, p.planted.Added
	switch p.planted.Fault {
	case Longer:
		p.main[at].Ms *= 2
	case MoreCalls:
		for i := at; i < len(p.main); i++ {
			if p.under(i, at) {
				p.main[i].Ms, p.main[i].Count = 10*p.main[i].Ms, 10*max(1, p.main[i].Count)
			}
		}
	case NewPath:
		for i := at; i < len(p.main); i++ {
			p.main[i].Ms, p.main[i].Count = added/float64(len(p.main)-at), 1
		}
	case Collector:
		p.main[at].Ms += added
		m.Cycles, m.Pause = m.Cycles+1, m.Pause+time.Duration(added*float64(time.Millisecond))
	case Wait, Outside:
		p.main[at].Ms += added
	}
}

// heal removes the fault.
func (p *Random) heal() {
	p.planted = nil
	for len(p.main) > 0 && p.main[len(p.main)-1].transient {
		up := p.main[p.main[len(p.main)-1].up].Part
		up.Inner = up.Inner[:len(up.Inner)-1]
		p.main = p.main[:len(p.main)-1]
	}
}
