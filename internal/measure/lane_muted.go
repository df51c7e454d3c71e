//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// This file mutes zones. Begin of a muted zone adds one to the count of its node, and returns a zero Scope. It opens no
// node and reads no clock. At random gaps it times a burst of consecutive entries. A burst measures the self time: the
// elapsed time less that of the zones beside the node. The time of muted entries passes in the enclosing zone. The
// product of the bursts' mean and the number of entries moves from there to the node.

// muted is the data of a node whose zone is or was muted. The lane's goroutine writes it. The lane's mutex guards the
// numbers of entries; the mutex of the bursts guards Entries.Sample.
//
// Collect reads only the fields above Entries, and Entries.Sample. They fit in two cache lines.
type muted struct {
	_              incomparable
	bursts         *bursts
	earlierEntries uint64        // entries while it was muted, before the last time
	from           uint64        // the node's count at its last muting
	reported       uint64        // reported ones of the entries while it was muted
	bias           governor.Bias // time left in the enclosing zone

	mean  float64        // ticks of an entry by the bursts of the node
	count uint64         // the node's, with the entry that is being timed
	start platform.Ticks // when that entry began
	governor.Entries
	besideTicks float64 // ticks of the zones beside it, before that entry
	open        bool    // an entry is being timed
}

// bursts holds the bursts of all nodes of a zone.
type bursts struct {
	governor.Sample
	number  int
	changed bool // some ended in this frame
}

// sampled holds the bursts of all muted zones.
var sampled struct {
	quiet.Mutex
	of      quiet.Index // of zones, in all
	all     []*bursts
	changed []*bursts // the ones that the frame changes
}

// burstsOf returns the bursts of a zone.
func burstsOf(zone ZoneID) *bursts {
	sampled.Lock()
	defer sampled.Unlock()
	at, known := sampled.of.Find(zoneAddress(zone))
	if !known {
		at = int32(len(sampled.all))
		sampled.of.Set(zoneAddress(zone), at)
		sampled.all = append(sampled.all, new(bursts))
	}
	return sampled.all[at]
}

// flagAsMuted sets or clears a node's flagMuted. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) flagAsMuted(n *node) {
	const never = flagFolded | flagWatch | flagHeld | flagCalls | flagPending | flagUntimed | flagVacant
	zone := l.base[n.idx].zone
	is := zones.muted.has(zone) && n.flag&never == 0 && n.key > keyNotKept
	if is == (n.flag&flagMuted != 0) {
		return
	}
	if n.flag ^= flagMuted; !is {
		m := n.extra.Load().muted
		m.earlierEntries += n.count - m.from
		return
	}
	l.unsettleAll() // begin looks at all siblings from now on, without the mutex
	x := n.more()
	if x.muted == nil {
		x.muted = &muted{bursts: burstsOf(zone)}
		l.gap(n, x)
	}
	x.muted.from, l.mutes = n.count, true
}

// hush counts an entry of a muted node, and times it in its turn. The caller may hold the lane's mutex.
//
//go:norace
func (n *node) hush() Scope {
	n.count++
	x := n.extra.Load()
	if x.skip > 0 {
		x.skip--
		return Scope{}
	}
	return n.sample(x)
}

// mostInside is the greatest number of entries of a node inside a timed entry of the same node. Beyond it the timed
// entry is given up. A missing End gives it up, too.
const mostInside = 255

// sample begins to time an entry.
//
//go:norace
//go:noinline
func (n *node) sample(x *extra) Scope {
	m, l := x.muted, (*Lane)(n.slot.Lane)
	if l == nil {
		return Scope{}
	}
	if m.open {
		if m.open = false; m.Drop() {
			l.gap(n, x)
		}
		return Scope{}
	}
	x.skip, m.open, m.count = mostInside, true, n.count
	m.besideTicks, _ = l.beside(n)
	m.start = platform.Now()
	return scopeOf(n)
}

// beside returns the time of the zones below the node's parent, without its own entries, and their number.
//
//go:norace
func (l *Lane) beside(n *node) (ticks float64, number int) {
	for i := l.base[n.parent.idx].kid; i != 0; i = l.base[i].next {
		k := l.node(i)
		if number++; k == n {
			continue
		}
		if k.flag&flagMuted != 0 {
			ticks += float64(k.count) * k.extra.Load().muted.mean
		}
		ticks += float64(max(k.acc, 0))
	}
	return ticks, number
}

// endMuted ends a timed entry. It reports whether the node has no other open entry.
//
//go:norace
func endMuted(n *node) bool {
	x := n.extra.Load()
	if x == nil || x.muted == nil || n.acc < 0 {
		return false
	}
	t := platform.Now()
	m, s := x.muted, n.slot
	l := (*Lane)(s.Lane)
	if !m.open || l == nil || platform.Find() != s && atomic.LoadUint64(&s.ID) != platform.Goroutine() {
		return true
	}
	m.open, x.skip = false, 0
	ended, took := false, t-m.start
	if l.at() == n.parent && took >= 0 {
		after, _ := l.beside(n)
		self := float64(took) - (after - m.besideTicks)
		ended = m.Add(self, float64(n.count-m.count+1), mostSilent*platform.TicksPerSecond())
	} else {
		ended = m.Drop()
	}
	if ended {
		l.gap(n, x)
	}
	return true
}

// mostSilent is the time in seconds beyond which an entry may have been interrupted.
const mostSilent = 50e-6

// gap ends a burst, and begins the gap to the next.
//
//go:norace
func (l *Lane) gap(n *node, x *extra) {
	m := x.muted
	_, number := l.beside(n)
	sampled.Lock()
	defer sampled.Unlock()
	if m.bursts.number++; !m.bursts.changed {
		m.bursts.changed = true
		sampled.changed = append(sampled.changed, m.bursts)
	}
	m.Finish(&m.bursts.Sample)
	m.mean = max(m.Latest().Mean(), 0)
	x.skip = m.Gap(m.bursts.number-1, number, uint64(platform.Now())^uint64(n.idx)<<32)
}

// forgetSampled drops all bursts.
func forgetSampled() {
	sampled.Lock()
	defer sampled.Unlock()
	sampled.of, sampled.all, sampled.changed = quiet.Index{}, nil, nil
}
