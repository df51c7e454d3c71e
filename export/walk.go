package export

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/timeline"
)

// walk writes the slices of one lane in one frame.
type walk struct {
	x       *Frames
	f       *gather.Frame
	l       *gather.LaneFrame
	start   int64 // beginning of the lane, in nanoseconds
	last    int64 // end of the lane
	hier    []platform.Ticks
	child   []int32 // the first child of a node, or 0
	next    []int32 // the next child of a node's parent, or 0
	stack   []open
	event   []gather.Event
	zones   []gather.ZoneID // of the slices that have begun, for events
	remarks remarks
}

// open is a slice that has begun.
type open struct {
	node int32
	at   platform.Ticks // beginning of its next child, relative to the lane's beginning
	end  platform.Ticks
}

func (w *walk) reset(x *Frames, f *gather.Frame, l *gather.LaneFrame, start int64) {
	w.x = x
	w.f = f
	w.l = l
	w.start = start
	w.last = start
	n := len(l.Nodes)
	w.hier, w.child, w.next = grown(w.hier, n), grown(w.child, n), grown(w.next, n)
	for i := n - 1; i >= 0; i-- { // backwards, so that the first child is linked last
		w.hier[i] += max(l.Nodes[i].Self, 0)
		if p := l.Nodes[i].Parent; p >= 0 {
			w.hier[p] += w.hier[i]
			w.next[i], w.child[p] = w.child[p], int32(i)
		}
	}
}

func grown[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// at returns a time of the lane in nanoseconds. It rounds edges instead of lengths, which keeps all sums exact.
func (w *walk) at(t platform.Ticks) int64 {
	from := w.x.at(w.f, w.l.Begin)
	return w.start + w.x.at(w.f, w.l.Begin+t) - from
}

// tree writes each node as a slice as long as its hierarchical time, its children first and its self time behind them.
func (w *walk) tree() {
	if len(w.l.Nodes) == 0 {
		return
	}
	w.stack = w.stack[:0]
	w.push(0, 0)
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if c := w.child[top.node]; c > 0 {
			w.child[top.node] = w.next[c]
			begin := top.at
			top.at += w.hier[c]
			if w.hier[c] > 0 || w.l.Nodes[c].Count > 0 {
				w.push(c, begin)
			}
			continue
		}
		w.last = w.at(top.end)
		w.x.target.end(w.l.ID, w.last)
		w.stack = w.stack[:len(w.stack)-1]
	}
}

func (w *walk) push(node int32, at platform.Ticks) {
	n := &w.l.Nodes[node]
	calls := uint64(n.Count) + uint64(w.l.Extra(int(node)).More)<<32
	w.x.target.begin(w.l.ID, w.at(at), n.Zone, calls)
	w.stack = append(w.stack, open{node, at, at + w.hier[node]})
}

// events writes each scope as a slice, if the source has all events of the lane in this frame.
func (w *walk) events(source timeline.EventSource) bool {
	since, kept := source.EventsSince(w.l.ID)
	if part, ok := source.(timeline.PartSource); ok {
		since, kept = part.EventsSinceIn(w.l.ID, w.l.Begin, w.l.End)
	}
	if !kept || since > w.l.Begin || len(w.l.Nodes) == 0 {
		return false
	}
	w.event = source.AppendEvents(w.event[:0], w.l.ID, w.l.Begin, w.l.End)
	if len(w.event) == 0 {
		return false
	}
	w.zones, w.x.placed = w.zones[:0], true
	w.remarks.begin(w)
	w.enter(w.l.Nodes[0].Zone, 0, 0)
	for _, zone := range w.above(&w.event[0]) {
		w.enter(zone, 0, 0)
	}
	for i := range w.event {
		e := &w.event[i]
		at := max(e.Time, w.l.Begin) - w.l.Begin
		if e.Time >= w.l.End { // the next frame has the event, too
			break
		}
		w.remarks.writeBefore(w, e)
		if !e.End {
			w.enter(e.Zone, at, 1)
		} else if len(w.zones) > 1 {
			w.leave(at)
		}
	}
	w.remarks.writeBefore(w, &gather.Event{Time: platform.MaxTicks})
	for len(w.zones) > 0 {
		w.leave(w.l.End - w.l.Begin)
	}
	return true
}

// enter begins a slice. A scope that was begun earlier has 0 calls in this frame.
func (w *walk) enter(zone gather.ZoneID, at platform.Ticks, calls uint64) {
	w.x.target.begin(w.l.ID, w.at(at), zone, calls)
	w.zones = append(w.zones, zone)
}

func (w *walk) leave(at platform.Ticks) {
	w.last = w.at(at)
	w.x.target.end(w.l.ID, w.last)
	w.zones = w.zones[:len(w.zones)-1]
}

// above returns the zones that were open at the beginning of the frame, outermost first. They are the zones around the
// first event.
func (w *walk) above(e *gather.Event) (zones []gather.ZoneID) {
	at := slices.IndexFunc(w.l.Nodes, func(n gather.Node) bool { return n.ID == e.Node && n.Zone == e.Zone })
	if at < 0 { // inside a hold
		if e.End {
			zones = append(zones, e.Zone)
		}
		return zones
	}
	if !e.End {
		at = int(w.l.Nodes[at].Parent)
	}
	for ; at > 0; at = int(w.l.Nodes[at].Parent) {
		zones = append(zones, w.l.Nodes[at].Zone)
	}
	slices.Reverse(zones)
	return zones
}
