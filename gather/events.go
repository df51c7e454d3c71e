//go:build !iprof_off

package gather

import (
	"sort"
	"sync/atomic"

	"example.com/iprof/platform"
)

// AppendEvents appends a lane's events from begin to end, both included, oldest first, as far as they are still kept: see
// SetEvents and EventsSince. A scope that was open at begin or is open at end has one event or none among them. Any goroutine
// may call it, while the lane goes on; what the lane overwrites meanwhile is left out. What lies outside begin and end costs
// next to nothing: the first event is searched for, not walked to.
func AppendEvents(dst []Event, lane uint64, begin, end platform.Ticks) []Event {
	l := laneByID(lane)
	if l == nil {
		return dst
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ask()
	if !l.log.keeps() {
		return dst
	}
	start := len(dst)
	l.log.within(begin, end, func() { dst = dst[:start] }, func(r record) {
		s := &l.seen[r.what>>1]
		dst = append(dst, Event{Time: r.t, Zone: s.zone, Node: s.id, Level: int32(s.level) - 1, End: r.what&1 != 0})
	})
	return dst
}

// EventsSince returns the time from which on a lane's events are all still there, the later the more has been overwritten, and
// whether it keeps events at all. Any goroutine may call it.
func EventsSince(lane uint64) (since platform.Ticks, kept bool) {
	l := laneByID(lane)
	if l == nil {
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.log.keeps() {
		return 0, false
	}
	if first := l.log.oldest(); first > 0 {
		return l.log.at(first).t, true
	}
	return l.log.begun, true
}

// Events returns how many events each lane keeps: what SetEvents has set, rounded up.
func Events() int { return int(wanted.events.Load()) }

// OwnLane returns the number of the calling goroutine's lane, 0 if it has none.
func OwnLane() uint64 { return laneFor(false).ID() }

// each visits the records, oldest first. When some were overwritten before they could be visited, it says so by gap.
func (g *log) each(gap func(), visit func(record)) {
	g.within(-platform.MaxTicks, platform.MaxTicks, gap, visit)
}

// within is each for the records of a stretch of time.
func (g *log) within(begin, end platform.Ticks, gap func(), visit func(record)) {
	latest := begin
	for at, last := g.since(begin), atomic.LoadUint64(&g.pos); at < last; at++ {
		r := g.at(at)
		if oldest := g.oldest(); at < oldest {
			at = oldest - 1
			gap()
		} else if r.t > end {
			return
		} else if r.t >= latest {
			latest = r.t
			visit(r)
		}
	}
}

// since finds the first record that is not before t. A lane that overwrites records meanwhile makes them later, so the search
// may stop too early in the ring, never too late.
func (g *log) since(t platform.Ticks) uint64 {
	first, last := g.oldest(), atomic.LoadUint64(&g.pos)
	n := sort.Search(int(last-first), func(i int) bool { return g.at(first+uint64(i)).t >= t })
	return first + uint64(n)
}

// laneByID returns a lane, nil if there is none.
func laneByID(id uint64) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, l := range registry.lanes {
		if l.id == id {
			return l
		}
	}
	return nil
}

// oldest returns the first record that is neither overwritten nor about to be.
func (g *log) oldest() uint64 {
	pos, size := atomic.LoadUint64(&g.pos), uint64(len(g.ring))
	if pos+inFlight <= size {
		return 0
	}
	return pos + inFlight - size
}

// at reads a record. Whether it was overwritten meanwhile, oldest tells afterwards.
func (g *log) at(pos uint64) record {
	r := &g.ring[pos&uint64(len(g.ring)-1)]
	return record{platform.Ticks(atomic.LoadInt64((*int64)(&r.t))), atomic.LoadUint64(&r.what)}
}
