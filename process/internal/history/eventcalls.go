package history

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// Limits of one reading of the calls of a session that WriteFrame feeds, and of the stacks with such calls.
const (
	eventCallFrames = 300
	mostCallEvents  = 1 << 17
	mostCallStacks  = 1 << 14
)

// EventCalls makes calls from the events of a source. Each reading takes the new frames, and then some older ones,
// until all frames of the history have been read. The running program's calls come from package gather.
type EventCalls struct {
	From, To uint64 // sequence numbers: of the first frame that has been read, and after the last
	Frames   int    // number of frames in which there were events
	Done     bool   // no older frame will be read

	events []gather.Event
	list   []gather.Calls
	place  map[callKey]int // in list
	read   callBlock       // the events without their other end in the frames from From to To
}

// callBlock has the events of successive frames whose other end is in other frames, by lane and time.
type callBlock struct {
	begins, ends map[report.LaneID][]gather.Event
}

func newCallBlock() callBlock {
	return callBlock{make(map[report.LaneID][]gather.Event), make(map[report.LaneID][]gather.Event)}
}

// callEvents is the source of the events of lanes.
type callEvents interface {
	AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event
}

// Append reads calls that begin and end in the frames of the history, and appends them for stacks that are not in the
// list already.
func (e *EventCalls) Append(dst []gather.Calls, from callEvents, h *Ring, l *Lanes) []gather.Calls {
	if from == nil || h.Next == 0 {
		return dst
	}
	e.readNew(from, h, l)
	e.readOld(from, h, l)
	counted := make(map[callKey]bool)
	for i := range dst {
		counted[keyOf(&dst[i])] = true
	}
	for i := range e.list {
		if k := &e.list[i]; !counted[keyOf(k)] {
			at := len(dst)
			dst = slices.Grow(dst, 1)[:at+1]
			buckets := append(dst[at].Buckets[:0], k.Buckets...)
			dst[at] = *k
			dst[at].Buckets = buckets
		}
	}
	return dst
}

// readNew reads the frames since the last reading. If they are too many, it begins anew with the newest.
func (e *EventCalls) readNew(from callEvents, h *Ring, l *Lanes) {
	least := max(h.First(), min(e.To, h.Next))
	first := e.first(from, h, l, least, h.Next)
	if e.To == 0 || first > e.To || h.Next > e.To && len(e.list) > mostCallStacks {
		first = min(first, h.Next-1)
		*e = EventCalls{From: first, To: first, events: e.events, place: make(map[callKey]int), read: newCallBlock()}
	}
	e.pairAll(&e.read, from, h, l, e.To, h.Next)
	e.To = h.Next
}

// readOld reads some of the frames before those that have been read.
func (e *EventCalls) readOld(from callEvents, h *Ring, l *Lanes) {
	e.Done = e.From <= h.First() || len(e.list) > mostCallStacks
	if e.Done {
		return
	}
	first := min(e.first(from, h, l, h.First(), e.From), e.From-1) // one frame may have more than the limit
	old := newCallBlock()
	e.pairAll(&old, from, h, l, first, e.From)
	for lane, ends := range e.read.ends {
		begins := old.begins[lane]
		for i := range ends {
			if !e.pair(&begins, lane, &ends[i]) {
				old.ends[lane] = append(old.ends[lane], ends[i])
			}
		}
		old.begins[lane] = begins
	}
	for lane, begins := range e.read.begins {
		old.begins[lane] = append(old.begins[lane], begins...)
	}
	e.read, e.From, e.Done = old, first, first <= h.First()
}

// first returns the oldest frame to be read of those from least to end.
func (e *EventCalls) first(from callEvents, h *Ring, l *Lanes, least, end uint64) uint64 {
	first, count := end, 0
	for first > least && end-first < eventCallFrames {
		p := h.At(first - 1)
		count += len(p.Lanes) * len(p.Lanes) / 4 // sources search linearly
		for i := range p.Lanes {
			e.events = from.AppendEvents(e.events[:0], l.List[p.Lanes[i].Place].ID, p.From, p.To-1)
			count += len(e.events)
		}
		if count > mostCallEvents {
			break
		}
		first--
	}
	return first
}

// pairAll adds the calls that end in the frames from first to end.
func (e *EventCalls) pairAll(b *callBlock, from callEvents, h *Ring, l *Lanes, first, end uint64) {
	for ; first < end; first++ {
		p, some := h.At(first), 0
		for i := range p.Lanes {
			lane := l.List[p.Lanes[i].Place].ID
			begins := b.begins[lane]
			e.events = from.AppendEvents(e.events[:0], lane, p.From, p.To-1)
			some += len(e.events)
			for i := range e.events {
				if v := &e.events[i]; !v.End {
					begins = append(begins, *v)
				} else if !e.pair(&begins, lane, v) {
					b.ends[lane] = append(b.ends[lane], *v)
				}
			}
			b.begins[lane] = begins
		}
		if some > 0 {
			e.Frames++
		}
	}
}

// pair takes the begin of a call from the stack, and adds the call. It reports whether there was a begin.
func (e *EventCalls) pair(begins *[]gather.Event, lane report.LaneID, end *gather.Event) bool {
	last := len(*begins) - 1
	if last < 0 {
		return false
	}
	begun := (*begins)[last]
	*begins = (*begins)[:last]
	if begun.Node == end.Node && begun.Zone == end.Zone && begun.Level == end.Level {
		e.add(callKey{lane, end.Node, end.Zone}, end.Time-begun.Time)
	}
	return true
}

// add adds a call.
func (e *EventCalls) add(key callKey, took platform.Ticks) {
	at, known := e.place[key]
	if !known {
		at = len(e.list)
		e.place[key] = at
		e.list = append(e.list, gather.Calls{Lane: key.lane, Node: key.node, Zone: key.zone, FromEvents: true})
	}
	e.list[at].Add(took)
}
