//go:build !iprof_off

package gather

import (
	"cmp"
	"slices"
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
	return l.appendEvents(dst, begin, end)
}

// appendEvents copies what is in the ring first, and looks after that how much of it may have been overwritten meanwhile.
func (l *Lane) appendEvents(dst []Event, begin, end platform.Ticks) []Event {
	g, start := l.log, len(dst)
	first, last := g.stretch(begin, end)
	n := int(last - first)
	dst = slices.Grow(dst, n)[:start+n]
	out := dst[start:]
	for i := range out {
		r := g.at(first + uint64(i))
		s, e := &l.seen[r.what>>1], &out[i]
		e.Time, e.Zone, e.Node, e.Level, e.End = r.t, s.zone, s.id, int32(s.level)-1, r.what&1 != 0
	}
	kept, latest := 0, begin
	for i := int(min(max(g.oldest(), first)-first, uint64(n))); i < n && out[i].Time <= end; i++ {
		if out[i].Time >= latest {
			if latest = out[i].Time; kept != i {
				out[kept] = out[i]
			}
			kept++
		}
	}
	return dst[:start+kept]
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
	latest := platform.Ticks(0)
	for at, last := g.oldest(), atomic.LoadUint64(&g.pos); at < last; at++ {
		r := g.at(at)
		if oldest := g.oldest(); at < oldest {
			at = oldest - 1
			gap()
		} else if r.t >= latest {
			latest = r.t
			visit(r)
		}
	}
}

// stretch finds the records from begin to end, both included. Records that the lane overwrites during the search become later
// ones: that makes the first too early, which does no harm, or the last, which therefore is the newest then.
func (g *log) stretch(begin, end platform.Ticks) (first, last uint64) {
	oldest, newest := g.oldest(), atomic.LoadUint64(&g.pos)
	first = oldest + uint64(sort.Search(int(newest-oldest), func(i int) bool { return g.at(oldest+uint64(i)).t >= begin }))
	last = first + uint64(sort.Search(int(newest-first), func(i int) bool { return g.at(first+uint64(i)).t > end }))
	if g.oldest() > first {
		last = newest
	}
	return first, last
}

// laneByID returns a lane, nil if there is none.
func laneByID(id uint64) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	at, found := slices.BinarySearchFunc(registry.lanes, id, func(l *Lane, id uint64) int { return cmp.Compare(l.id, id) })
	if !found {
		return nil
	}
	return registry.lanes[at]
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
