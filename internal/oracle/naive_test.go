//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"math"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// entry is an entry of a zone, inside another.
type entry struct {
	around  *entry
	zone    string
	held    bool // by Zone.Hold
	drop    bool // it is not to be kept
	decided bool // the hold has ended

	settled bool   // there is no hold around it, so its path is known
	path    string // then
	same    int    // rows of its zone on the path
}

func enter(around *entry, zone string, held bool) *entry {
	e := &entry{around: around, zone: zone, held: held, same: 1, settled: !held}
	above := ""
	if around != nil {
		e.settled = e.settled && around.settled
		above = around.path
	}
	for a := around; a != nil; a = a.around {
		if a.zone == zone {
			e.same = a.same + 1
			break
		}
	}
	if around != nil && around.zone == zone && e.same > measure.MaxRecursion {
		e.same, e.path = around.same, above // the last row has the calls of itself
		return e
	}
	e.path = join(above, zone)
	return e
}

func join(above, name string) string { return strings.TrimPrefix(above+"/"+name, "/") }

// The rows of a hold that is not decided, and of one that is not kept.
const (
	pending = "(pending)"
	notKept = "(not kept)"
)

// row returns the path of the row that an entry's time belongs to, and whether the entry is counted there.
func (e *entry) row() (path string, counts bool) {
	switch {
	case e == nil:
		return "", true
	case e.settled:
		return e.path, true
	}
	above, _ := e.around.row()
	switch {
	case strings.HasSuffix(above, ")"):
		return above, false
	case e.held && !e.decided:
		return join(above, pending), false
	case e.held && e.drop:
		return join(above, notKept), true
	}
	return join(above, e.zone), true
}

// fact is what has happened, between two readings of the clock.
type fact struct {
	lane        string
	in          *entry
	first, last platform.Ticks
	low, high   platform.Ticks // it took between low and high
	entries     int64
	open        bool // the entry is open at the end of the frame
	charges     charges
}

// charges are sums that are exact whatever the clock does.
type charges struct {
	allocs, allocated, frees, freed, units uint64
	counted, marks                         int64
}

func (c *charges) add(o charges) {
	c.allocs, c.allocated = c.allocs+o.allocs, c.allocated+o.allocated
	c.frees, c.freed = c.frees+o.frees, c.freed+o.freed
	c.units, c.counted, c.marks = c.units+o.units, c.counted+o.counted, c.marks+o.marks
}

// place is a row of a lane.
type place struct{ lane, path string }

// counts is the lane of counts and marks, which are nobody's.
const counts = "counts"

// sum is what is known of a row, or what the profiler says of it.
type sum struct {
	low, high platform.Ticks
	facts     int // with time
	least     int64
	most      int64 // entries
	open      bool
	estimated bool // the profiler says that its time is an estimate
	charges   charges
}

func (s sum) String() string {
	return fmt.Sprintf("%d..%d ticks, %d..%d entries, open %v, %+v", s.low, s.high, s.least, s.most, s.open, s.charges)
}

func (s *sum) add(o sum) {
	s.low, s.high, s.facts = s.low+o.low, s.high+o.high, s.facts+o.facts
	s.least, s.most = s.least+o.least, s.most+o.most
	s.open, s.estimated = s.open || o.open, s.estimated || o.estimated
	s.charges.add(o.charges)
}

// level is how far rows are told apart.
type level int

const (
	byPath level = iota
	merged       // lanes are not told apart
	byZone       // some goroutines have no lanes, so that only their entries by zone are known
	byLane       // rows are folded into "(other)"
)

// place returns where a row of a lane is summed up.
func (l level) place(lane, path string) place {
	if lane == counts {
		return place{lane: counts}
	}
	switch l {
	case byZone:
		return place{path: path[strings.LastIndexByte(path, '/')+1:]}
	case merged:
		return place{path: path}
	case byLane:
		return place{lane: lane}
	}
	return place{lane, path}
}

// sums adds up facts, as far as they happened after a moment.
func (l level) sums(facts []fact, since moment) map[place]sum {
	all := map[place]sum{}
	for i := range facts {
		f := &facts[i]
		path, counts := f.in.row()
		s := sum{high: f.high, low: f.low, facts: 1, most: f.entries, least: f.entries, charges: f.charges}
		if f.low == 0 && f.high == 0 {
			s.facts = 0
		}
		if !counts {
			s.most, s.least = 0, 0
		}
		if f.open && !strings.HasSuffix(path, ")") {
			s.open = true
		}
		if f.last < since.first {
			continue
		}
		if f.first <= since.last && since != (moment{}) {
			s.low, s.least, s.charges = 0, 0, charges{}
		}
		if path == "" && l != byPath && l != merged {
			s = sum{charges: s.charges}
		}
		sum := all[l.place(f.lane, path)]
		sum.add(s)
		all[l.place(f.lane, path)] = sum
	}
	return all
}

// moment lies between two readings of the clock. The zero moment is before all others.
type moment struct{ first, last platform.Ticks }

// told are rows that the profiler tells, in the order of a tree.
type told struct {
	zone   gather.ZoneID
	parent int32
	sum
}

// rows adds rows of a lane to the sums, but for those of the profiler's own zones.
func (l level) rows(all map[place]sum, lane string, rows []told, zones []gather.ZoneInfo) {
	paths := make([]string, len(rows))
	for i, r := range rows {
		if r.parent >= 0 {
			paths[i] = join(paths[r.parent], zones[r.zone].Name)
		}
		if r.parent >= 0 && rows[r.parent].estimated {
			r.estimated = true
			rows[i].estimated = true
		}
		if !ours(paths[i]) {
			continue
		}
		if paths[i] == "" && l != byPath && l != merged {
			r.sum = sum{charges: r.charges}
		}
		sum := all[l.place(lane, paths[i])]
		sum.add(r.sum)
		all[l.place(lane, paths[i])] = sum
	}
}

// ours reports whether a path is of the program, not of the profiler itself or of another test.
func ours(path string) bool {
	switch name := path[strings.LastIndexByte(path, '/')+1:]; name {
	case "", "(other)", pending, notKept:
		return true
	default:
		return strings.Trim(strings.TrimPrefix(name, "p"), "0123456789") == "z"
	}
}

// frame adds the rows of a frame to the sums. It checks that a lane's self times sum to its length, and that rows with
// nothing are there only for those below.
func (p *program) frame(all map[place]sum, f *gather.Frame) {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		p.untimed.Add(l.Untimed)
		rows, used := make([]told, len(l.Nodes)), make([]bool, len(l.Nodes))
		whole := platform.Ticks(0)
		for i := len(l.Nodes) - 1; i >= 0; i-- {
			n, x := &l.Nodes[i], l.Extra(i)
			rows[i] = told{n.Zone, n.Parent, sum{low: n.Self, high: n.Self, open: n.Open,
				estimated: n.Estimated != measure.EstimatedNone,
				charges: charges{allocs: x.Allocs, allocated: x.AllocBytes, frees: x.Frees, freed: x.FreeBytes,
					units: x.Units}}}
			rows[i].most = int64(n.Count) + int64(x.More)<<32
			rows[i].least = rows[i].most
			whole += n.Self
			used[i] = used[i] || n.Self != 0 || n.Open || rows[i].most > 0 || rows[i].charges != (charges{})
			if used[i] && n.Parent >= 0 {
				used[n.Parent] = true
			}
			if n.Self < 0 && f.Zones[n.Zone].Name != pending {
				p.t.Errorf("lane %q: got %d ticks in %s; want none below 0", l.Name, n.Self, f.Zones[n.Zone].Name)
			}
		}
		if whole != l.End-l.Begin {
			p.t.Errorf("lane %q: got self times that sum to %d; want %d", l.Name, whole, l.End-l.Begin)
		}
		p.with.level.rows(all, p.lane(l.Name), rows, f.Zones)
	}
	for _, v := range f.Values {
		if f.Counters[v.Counter].Name == "oracle" {
			all[place{lane: counts}] = all[place{lane: counts}].with(charges{counted: int64(v.Value)})
		}
	}
	for _, m := range f.Marks {
		if m.Text == "oracle" {
			all[place{lane: counts}] = all[place{lane: counts}].with(charges{marks: 1})
		}
	}
}

// with returns a sum with more charges.
func (s sum) with(c charges) sum {
	s.charges.add(c)
	return s
}

// tree adds the rows of a lane's tree to the sums.
func (p *program) tree(all map[place]sum, d *report.Dump, lane *report.LaneTree) {
	rows := make([]told, len(lane.Nodes))
	for i, n := range lane.Nodes {
		ticks := platform.Ticks(n.Self*d.TicksPerSecond/1000 + 0.5)
		rows[i] = told{n.Zone, n.Parent, sum{low: ticks, high: ticks, least: int64(n.Count), most: int64(n.Count),
			open: n.Open, estimated: n.Estimated != measure.EstimatedNone, charges: chargesOf(&n.Charges)}}
	}
	p.with.level.rows(all, p.lane(lane.Name), rows, d.Zones)
	p.addUp(d, lane)
}

// chargesOf are the charges of a node, without those of the heap.
func chargesOf(c *report.Charges) charges {
	return charges{allocs: uint64(c.Allocs), allocated: uint64(c.AllocBytes), frees: uint64(c.Frees),
		freed: uint64(c.FreeBytes), units: uint64(c.Units)}
}

// addUp looks for times that cannot be: each node must have what its own and its children's sum to.
func (p *program) addUp(d *report.Dump, lane *report.LaneTree) {
	below := make([]float64, len(lane.Nodes))
	for i := len(lane.Nodes) - 1; i >= 0; i-- {
		n := &lane.Nodes[i]
		sum := n.Self + below[i]
		if n.Self < 0 && d.Zones[n.Zone].Name != pending || n.Count < 0 || math.Abs(n.Hier-sum) > 1e-6*(1+sum) {
			p.t.Errorf("lane %q, %q: got hier %v, self %v with children's %v", lane.Name, d.Zones[n.Zone].Name,
				n.Hier, n.Self, below[i])
			return
		}
		if n.Parent >= 0 {
			below[n.Parent] += n.Hier
		}
	}
}

// lane returns the name by which facts know a lane.
func (p *program) lane(name string) string {
	name = strings.TrimSuffix(name, " (ended)")
	if strings.HasPrefix(name, "player ") {
		return name
	}
	return ""
}

// clockSlack is what readings of a clock may be off for each fact, as processors reorder them.
const clockSlack = 64

// question is what is asked of the profiler, and what the answer does not have.
type question struct {
	name    string
	since   moment
	noMarks bool
	noOpen  bool
	noRoots bool // no time outside zones, of lanes at rest
}

// answer compares what the profiler says with the facts.
func (p *program) answer(q question, got map[place]sum, facts []fact) {
	p.t.Helper()
	since := q.since
	want := p.with.level.sums(facts, since)
	for at := range got {
		if _, known := want[at]; !known {
			want[at] = sum{}
		}
	}
	for at, w := range want {
		g := got[at]
		if _, told := got[at]; at.path == "" && (!told || at.lane == "" || q.noRoots) { // the lane was at rest
			w.low, w.high = g.low, g.high
			g.open = w.open
		}
		if q.noMarks {
			g.charges.marks = w.charges.marks
		}
		if q.noOpen || p.with.level == byZone {
			g.open, w.open = false, false
		}
		if strings.HasSuffix(at.path, pending) {
			w.least, w.most = g.least, g.most
			w.charges = g.charges
		}
		slack := p.with.slack
		if slack > 0 {
			slack += platform.Ticks(w.facts) * clockSlack
		}
		times := g.low >= w.low-slack && g.high <= w.high+slack
		if p.with.counts || g.estimated {
			times = true
		}
		if since != (moment{}) {
			w.charges = g.charges
		}
		if !times || g.open != w.open || g.least < w.least || g.least > w.most || g.charges != w.charges {
			path := at.path[max(0, len(at.path)-200):]
			p.t.Errorf("%s: lane %q, %q: got %v; want %v; after %v", q.name, at.lane, path, g, w, p.done)
		}
	}
}
