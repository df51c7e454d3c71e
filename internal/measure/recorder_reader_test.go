//go:build !iprof_off

package measure_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// reader runs freely and adds up its frames.
type reader struct {
	t       *testing.T
	with    setting
	mu      sync.Mutex
	entries uint64 // compared
	timed   int    // stacks whose time was compared
	untimed uint64 // entries
	frame   measure.Frame
	total   map[string]*[cuts]map[stack]sum // by lane; low is the time, with the time of what is inside
	stacks  []stack                         // of the nodes being added
	hier    []platform.Ticks
	frames  int
}

// collect ends a frame. The mutex is held.
func (r *reader) collect() {
	measure.Collect(&r.frame)
	r.frames++
	for i := range r.frame.Lanes {
		r.add(&r.frame.Lanes[i])
	}
}

func (r *reader) add(l *measure.LaneFrame) {
	all := r.total[l.Name]
	if all == nil {
		return
	}
	r.untimed += l.Untimed
	stacks, hier := slices.Grow(r.stacks[:0], len(l.Nodes))[:len(l.Nodes)],
		slices.Grow(r.hier[:0], len(l.Nodes))[:len(l.Nodes)]
	r.stacks, r.hier = stacks, hier
	clear(hier)
	stacks[0] = 0
	whole := platform.Ticks(0)
	for i, n := range l.Nodes {
		if i > 0 {
			digit, _ := strconv.Atoi(r.frame.Zones[n.Zone].Name)
			stacks[i] = stacks[n.Parent]<<3 | stack(digit)
		}
		if n.Self < 0 && r.frame.Zones[n.Zone].Name != "(pending)" {
			r.t.Errorf("lane %q, stack %o: got self time %d; want none below 0", l.Name, stacks[i], n.Self)
		}
		whole += n.Self
	}
	if whole != l.End-l.Begin {
		r.t.Errorf("lane %q: got self times that sum to %d; want %d", l.Name, whole, l.End-l.Begin)
	}
	for i := len(l.Nodes) - 1; i > 0; i-- {
		n := &l.Nodes[i]
		hier[i] += n.Self
		hier[n.Parent] += hier[i]
		estimated := within(l, n.Parent)
		for _, since := range all {
			k := since[stacks[i]]
			k.estimated = k.estimated || estimated
			k.count += uint64(n.Count)
			k.low += hier[i]
			since[stacks[i]] = k
		}
	}
}

// within reports whether node i or a node around it is marked as an estimate. Then a node below it may be one. A node
// that is marked while none around it is gives the time of its entries exactly, and only its self time is an estimate.
func within(l *measure.LaneFrame, i int32) bool {
	for ; i >= 0; i = l.Nodes[i].Parent {
		if l.Nodes[i].Estimated != measure.EstimatedNone {
			return true
		}
	}
	return false
}

// forget has the reader add up the lanes of a new crew.
func (r *reader) forget(c *crew) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range c.all {
		r.total[c.all[i].lane] = &[cuts]map[stack]sum{{}, {}}
	}
}

// run collects until stopped.
func (r *reader) run(stop chan bool, rng *rand.Rand) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		r.mu.Lock()
		r.collect()
		r.mu.Unlock()
		if rng.IntN(3) > 0 {
			time.Sleep(time.Duration(rng.IntN(1000)) * time.Microsecond)
		}
	}
}

// cut is a moment at which everything that was read is thrown away, as Reset does. Later frames are added up since.
func (r *reader) cut(since int) platform.Ticks {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	for _, all := range r.total {
		all[since] = map[stack]sum{}
	}
	return platform.Now()
}

// check compares a recorder's own sums of its last program with the sums of frames since a cut. The cut at the start of
// a program has all of it.
func (r *reader) check(p *recorder, since int, at platform.Ticks) {
	known, got, whole := p.sums(at), r.total[p.lane][since], since == sinceStart
	if whole {
		r.entries += entriesOf(known)
	}
	if r.with.nodes > 0 {
		want := entriesOf(known)
		sum := entriesOf(got)
		if sum < want || whole && sum != want {
			r.t.Errorf("lane %q: got %d entries in all; want %d (whole program: %v)", p.lane, sum, want, whole)
		}
		return
	}
	for at, k := range known {
		count, took := got[at].count, got[at].low
		if count < k.count || whole && count != k.count {
			r.t.Errorf("lane %q, stack %o: got %d entries; want %d (whole program: %v)", p.lane, at, count, k.count,
				whole)
		}
		if got[at].estimated || r.with.jumps {
			continue
		}
		r.timed++
		if took < k.low-r.slack() || whole && took > k.high+r.slack() {
			r.t.Errorf("lane %q, stack %o, %d entries: got %d ticks; want %d to %d (whole program: %v)",
				p.lane, at, count, took, k.low, k.high, whole)
		}
	}
	if !whole {
		return
	}
	for at, now := range got {
		timed := !now.estimated && !r.with.jumps
		if _, ran := known[at]; !ran && (now.count != 0 || now.low > r.slack() && timed) {
			r.t.Errorf("lane %q, stack %o: got %d entries and %d ticks; want none, as it was not entered", p.lane, at,
				now.count, now.low)
		}
	}
}

// slack is how far a time may be off. A clock of the program's own is read under locks that take longer.
func (r *reader) slack() platform.Ticks {
	if r.with.clock != nil {
		return 50_000
	}
	return readingSlack
}

// entriesOf returns the entries of all stacks.
func entriesOf(all map[stack]sum) (n uint64) {
	for _, k := range all {
		n += k.count
	}
	return n
}
