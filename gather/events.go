//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// AppendEvents appends a lane's events from begin to end, both included, oldest first, as far as they are still kept: see
// SetEvents. A scope that was open at begin or is open at end has one event or none among them. Any goroutine may call it,
// while the lane goes on; what the lane overwrites meanwhile is left out.
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
	l.log.each(func() { dst = dst[:start] }, func(r record) {
		if r.t < begin || r.t > end {
			return
		}
		s := &l.seen[r.what>>1]
		dst = append(dst, Event{Time: r.t, Zone: s.zone, Node: s.id, Level: int32(s.level) - 1, End: r.what&1 != 0})
	})
	return dst
}

// each visits the records, oldest first. When some were overwritten before they could be visited, it says so by gap.
func (g *log) each(gap func(), visit func(record)) {
	latest := platform.Ticks(0)
	for at, last := g.window(); at < last; at++ {
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

// window returns which records there are.
func (g *log) window() (first, last uint64) {
	return g.oldest(), atomic.LoadUint64(&g.pos)
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
	r := &g.ring[pos%uint64(len(g.ring))]
	return record{platform.Ticks(atomic.LoadInt64((*int64)(&r.t))), atomic.LoadUint64(&r.what)}
}
