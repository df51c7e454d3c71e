package timeline

import (
	"cmp"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// The limits of the reasons in a report.
const (
	mostReasons  = 256 // distinct reasons in a frame
	shownReasons = 8   // waits with a reason of their own; the others are "other reasons"
	otherReasons = "other reasons"
)

// Waits sums the time in states of a frame, by reason and innermost path.
type Waits struct {
	of            waitKey
	made          bool
	Reasons       []report.StateTime // of the frame; Time is the sum
	Sums          []PathWait         // of the frame
	Roots         []float64          // times of the updating lane by reason, from KnownTime on
	index         map[[2]int32]int32 // path and reason: index of sums
	states        []gather.LaneState // of the frame, by lane
	scopes        []Scope            // of a lane
	laneStates    []stateSpan        // states of a lane, then
	gaps          []stateSpan        // without running
	programStates []stateSpan        // of the whole program
	order         []int32            // reasons, the largest first
	open          []openPath         // scopes around
}

// waitKey identifies the frame and lane of the sums.
type waitKey struct {
	gen, seq uint64
	lane     int32
}

// PathWait is the time of a reason while a path was innermost. Reason KnownTime stands for the whole time.
type PathWait struct {
	Path   int32
	Reason int32   // index of Waits.Reasons, or KnownTime
	Time   float64 // ms
}

// KnownTime is the reason of PathWait that stands for the whole time.
const KnownTime = -1

// stateSpan is a state of a lane in the frame, in ms.
type stateSpan struct {
	begin, end float64
	kind       gather.StateKind
	reason     string
}

// Update brings the sums up to date with a frame, of one lane or of all lanes. gen changes with the measurements.
func (w *Waits) Update(src *Reader, known *history.States, gen uint64, p *history.Frame, lane int32) {
	if of := (waitKey{gen, p.Seq, lane}); !w.made || w.of != of {
		w.of, w.made = of, true
		w.sumUp(src, known, p, lane)
	}
}

// sumUp sums the time of each reason, by the innermost path, in a frame of one lane or of all lanes.
func (w *Waits) sumUp(src *Reader, known *history.States, p *history.Frame, lane int32) {
	w.Reasons = w.Reasons[:0]
	w.Sums = w.Sums[:0]
	w.Roots = w.Roots[:0]
	w.states = w.states[:0]
	w.programStates = w.programStates[:0]
	if w.index == nil {
		w.index = make(map[[2]int32]int32)
	}
	clear(w.index)
	win := window{p, p, p.From, p.PerTick}
	known.Each(p.From, p.To, func(q *gather.LaneState) {
		if q.Lane != 0 {
			w.states = append(w.states, *q)
		} else if q.Kind == gather.StateStopped || q.Kind == gather.StateGone {
			w.programStates = append(w.programStates, win.span(q))
		}
	})
	end(w.programStates)
	sort.Stable((*statesByLane)(w))
	for i := range p.Lanes {
		if l := &p.Lanes[i]; !l.Device && (lane == history.EveryLane || l.Place == lane) {
			w.lane(src, win, l, lane != history.EveryLane || l.Updater)
		}
	}
	w.rank()
}

// statesByLane sorts the states. A generic sort would add 15 kB to each program.
type statesByLane Waits

func (w *statesByLane) Len() int           { return len(w.states) }
func (w *statesByLane) Less(i, k int) bool { return w.states[i].Lane < w.states[k].Lane }
func (w *statesByLane) Swap(i, k int)      { w.states[i], w.states[k] = w.states[k], w.states[i] }

// span returns a state in ms from the beginning of the window, clamped to the window.
func (w *window) span(q *gather.LaneState) stateSpan {
	return stateSpan{w.ms(max(q.Begin, w.first.From)), w.ms(min(q.End, w.last.To)), q.Kind, q.Reason}
}

// end makes each state end when the next one begins, so that each moment has at most one.
func end(list []stateSpan) {
	for i := 1; i < len(list); i++ {
		list[i-1].end = min(list[i-1].end, list[i].begin)
	}
}

// lane adds the times of a lane with known states. With root, time outside zones counts, too.
func (w *Waits) lane(src *Reader, win window, l *history.LaneRecords, root bool) {
	id := src.Lanes.List[l.Place].ID
	at := sort.Search(len(w.states), func(i int) bool { return w.states[i].Lane >= id })
	if at == len(w.states) || w.states[at].Lane != id {
		return
	}
	w.laneStates = w.laneStates[:0]
	for ; at < len(w.states) && w.states[at].Lane == id; at++ {
		w.laneStates = append(w.laneStates, win.span(&w.states[at]))
	}
	end(w.laneStates)
	events := Lane{ID: id}
	if settleState(&events, win, src.eventsOf(&win)); events.State != Whole && events.State != Cut {
		return
	}
	w.list(win.ms(win.last.To))
	w.scopes = src.scopesOf(w.scopes[:0], id, win)
	c := cover{Waits: w, tree: src.Tree, root: root, updater: l.Updater, covered: events.From}
	c.run(win.ms(win.last.To))
}

// list lists when the lane did not run: its own states, and between them those of the whole program.
func (w *Waits) list(length float64) {
	w.gaps = w.gaps[:0]
	now := 0.0
	for i := range w.laneStates {
		q := &w.laneStates[i]
		w.split(stateSpan{begin: now, end: q.begin})
		if q.kind == gather.StateWaiting {
			w.gaps = append(w.gaps, *q)
		} else {
			w.split(*q)
		}
		now = max(q.end, now)
	}
	w.split(stateSpan{begin: now, end: length})
}

// split adds a state, interrupted by states of the whole program.
func (w *Waits) split(q stateSpan) {
	for i := range w.programStates {
		over := w.programStates[i]
		over.begin = max(over.begin, q.begin)
		over.end = min(over.end, q.end)
		if over.begin >= over.end {
			continue
		}
		before := q
		before.end = over.begin
		w.put(before)
		w.put(over)
		q.begin = over.end
	}
	w.put(q)
}

func (w *Waits) put(q stateSpan) {
	if q.begin < q.end && q.kind != gather.StateRunning {
		w.gaps = append(w.gaps, q)
	}
}

// cover lays the states of a lane over its scopes.
type cover struct {
	*Waits
	tree          *history.Tree
	root, updater bool
	covered       float64 // ms added so far
	at            int     // the first state of gaps that may not have passed
}

// openPath is a scope that is open.
type openPath struct {
	path, level int32
	end         float64
}

// run adds all scopes of the lane, and the time around them until end.
func (c *cover) run(until float64) {
	c.open = c.open[:0]
	for i := range c.scopes {
		q := &c.scopes[i]
		c.close(q.Begin, q.Level)
		c.until(q.Begin)
		path := c.top()
		if id, ok := c.tree.IDs[history.PathKey{Parent: path, Zone: q.Zone}]; ok {
			path = id
		}
		c.open = append(c.open, openPath{path, q.Level, q.End})
	}
	c.close(until, 0)
	c.until(until)
}

// close ends the scopes that end before a time, and the scopes that are not around a level.
func (c *cover) close(at float64, level int32) {
	for n := len(c.open); n > 0 && (c.open[n-1].end <= at || c.open[n-1].level >= level); n-- {
		c.until(min(c.open[n-1].end, at))
		c.open = c.open[:n-1]
	}
}

func (c *cover) top() int32 {
	if n := len(c.open); n > 0 {
		return c.open[n-1].path
	}
	return 0
}

// until adds the time up to then to the innermost scope.
func (c *cover) until(then float64) {
	if then <= c.covered {
		return
	}
	c.add(KnownTime, then-c.covered)
	for ; c.at < len(c.gaps) && c.gaps[c.at].end <= c.covered; c.at++ {
	}
	for i := c.at; i < len(c.gaps) && c.gaps[i].begin < then; i++ {
		q := &c.gaps[i]
		c.add(c.reason(q), min(q.end, then)-max(q.begin, c.covered))
	}
	c.covered = then
}

// add adds time of a reason.
func (c *cover) add(reason int32, ms float64) {
	for len(c.Roots) <= int(reason)+1 {
		c.Roots = append(c.Roots, 0)
	}
	if c.updater {
		c.Roots[reason+1] += ms
	}
	path := c.top()
	if path == 0 && !c.root {
		return
	}
	at, ok := c.index[[2]int32{path, reason}]
	if !ok {
		at = int32(len(c.Sums))
		c.index[[2]int32{path, reason}] = at
		c.Sums = append(c.Sums, PathWait{Path: path, Reason: reason})
	}
	c.Sums[at].Time += ms
	if reason >= 0 {
		c.Reasons[reason].Time += ms
	}
}

// reason returns the index of a state's reason. Beyond the limit all waits share one.
func (w *Waits) reason(q *stateSpan) int32 {
	reason := report.StateTime{Kind: q.kind}
	if q.kind == gather.StateWaiting {
		if reason.Reason = q.reason; len(w.Reasons) >= mostReasons {
			reason.Reason = otherReasons
		}
	}
	for i := range w.Reasons {
		if w.Reasons[i].Kind == reason.Kind && w.Reasons[i].Reason == reason.Reason {
			return int32(i)
		}
	}
	w.Reasons = append(w.Reasons, reason)
	return int32(len(w.Reasons) - 1)
}

// rank keeps the largest waits separate, and merges the others.
func (w *Waits) rank() {
	w.order = w.order[:0]
	for i := range w.Reasons {
		w.order = append(w.order, int32(i))
	}
	slices.SortFunc(w.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(w.Reasons[b].Time, w.Reasons[a].Time), cmp.Compare(a, b))
	})
	shown, other := 0, int32(-1)
	for _, i := range w.order {
		q := &w.Reasons[i]
		switch {
		case q.Kind != gather.StateWaiting:
		case shown < shownReasons:
			shown++
		case other < 0:
			other, q.Reason = i, otherReasons
		default:
			w.merge(i, other)
		}
	}
}

// merge moves the time of a reason to another reason.
func (w *Waits) merge(from, to int32) {
	for i := range w.Sums {
		if w.Sums[i].Reason == from {
			w.Sums[i].Reason = to
		}
	}
	w.Reasons[to].Time, w.Reasons[from].Time = w.Reasons[to].Time+w.Reasons[from].Time, 0
	w.Roots[to+1], w.Roots[from+1] = w.Roots[to+1]+w.Roots[from+1], 0
}
