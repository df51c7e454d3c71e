package framefile

import (
	"encoding/binary"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/timeline"
)

// mostEvents bounds the events of a frame. The latest events of a lane are kept; its timeline shows that earlier ones
// are gone.
const mostEvents = 1 << 17

// place has the data that all events of a node share.
type place struct {
	zone  gather.ZoneID
	node  gather.NodeID
	level int32
}

// eventEncoder turns the events of frames into chunks. It defines each place once per period. Its memory is reused.
type eventEncoder struct {
	until  platform.Ticks // end of the last chunk in this period
	period uint32
	known  []known // by Node.ID
	places []place // of this period
	zones  int     // of the stretch
	stack  []uint32
	events []gather.Event

	payload, defined, lanes, lane []byte
}

// forget forgets the places, at a key.
func (e *eventEncoder) forget() {
	e.period++
	e.places, e.until = e.places[:0], 0
}

// stretch is the part of a frame that its events need.
type stretch struct {
	lanes      []gather.LaneID // of the frame, in its order
	begin, end platform.Ticks
	zones      int // number that readers know. Events of others came later: the clock was set back
}

func (s *stretch) set(f *gather.Frame, zones int) {
	s.begin = beginOf(f)
	s.lanes = s.lanes[:0]
	s.end = f.End
	s.zones = zones
	for i := range f.Lanes {
		s.lanes = append(s.lanes, f.Lanes[i].ID)
	}
}

// append appends the chunk with the events of a frame, unless the frame has no length.
func (e *eventEncoder) append(dst []byte, from timeline.EventSource, of *stretch) []byte {
	begin, end := of.begin, of.end
	if end <= begin {
		return dst
	}
	before := len(e.places)
	e.zones = of.zones
	e.defined, e.lanes = e.defined[:0], e.lanes[:0]
	lanes, room := 0, mostEvents
	for _, id := range of.lanes {
		if _, kept := from.EventsSince(id); !kept {
			continue
		}
		events, since := e.read(from, id, begin, end-1, room)
		room -= len(events)
		e.lane = e.appendEvents(e.lane[:0], events, begin)
		e.lanes = binary.AppendUvarint(e.lanes, uint64(id))
		e.lanes = binary.AppendUvarint(e.lanes, uint64(max(since-begin, 0)))
		e.lanes = binary.AppendUvarint(e.lanes, uint64(len(e.lane)))
		e.lanes = append(e.lanes, e.lane...)
		lanes++
	}
	p := binary.AppendVarint(e.payload[:0], int64(begin-e.until))
	p = binary.AppendUvarint(p, uint64(end-begin))
	p = binary.AppendUvarint(p, uint64(len(e.places)-before))
	p = append(p, e.defined...)
	p = binary.AppendUvarint(p, uint64(lanes))
	p = append(p, e.lanes...)
	e.payload, e.until = p, end
	return appendChunk(dst, chunkEvents, p)
}

// read returns a lane's latest events, and the time from which on all its events are there.
func (e *eventEncoder) read(from timeline.EventSource, lane gather.LaneID, begin, end platform.Ticks, room int,
) (events []gather.Event, since platform.Ticks) {
	e.events = from.AppendEvents(e.events[:0], lane, begin, end)
	if part, ok := from.(timeline.PartSource); ok {
		since, _ = part.EventsSinceIn(lane, begin, end+1)
	} else {
		since, _ = from.EventsSince(lane) // read afterwards, because the lane may have overwritten events meanwhile
	}
	events = e.events
	for len(events) > 0 && events[0].Time < since {
		events = events[1:]
	}
	if len(events) > room {
		if events = events[len(events)-room:]; room > 0 {
			since = events[0].Time
		} else {
			since = end + 1
		}
	}
	return events, min(since, end+1)
}

// The two low bits of an event's first number. The other bits are the ticks since the previous event.
const (
	eventEnd   = 1 << iota // the scope ends, else it begins
	eventKnown             // the end of the innermost open scope
	eventShift = 2
)

// appendEvents appends the events of a lane, and the definitions of new places to e.defined.
func (e *eventEncoder) appendEvents(p []byte, events []gather.Event, now platform.Ticks) []byte {
	stack, last := e.stack[:0], int64(0)
	for i := range events {
		v := &events[i]
		if v.Node > mostID || v.Level < 0 || int(v.Zone) >= e.zones {
			continue
		}
		flags, at := uint64(0), uint32(0)
		if !v.End {
			at = e.place(v)
			stack = append(stack, at)
		} else {
			flags = eventEnd
			n := len(stack) - 1
			if n >= 0 && e.places[stack[n]] == (place{v.Zone, v.Node, v.Level}) {
				at, flags = stack[n], eventEnd|eventKnown
			} else {
				at = e.place(v)
			}
			stack = stack[:max(n, 0)]
		}
		took := max(v.Time-now, 0)
		now += took
		p = binary.AppendUvarint(p, uint64(took)<<eventShift|flags)
		if flags&eventKnown == 0 {
			p = binary.AppendVarint(p, int64(at)-last)
			last = int64(at)
		}
	}
	e.stack = stack
	return p
}

// place returns the number of an event's place. It defines the place if it is new.
func (e *eventEncoder) place(v *gather.Event) uint32 {
	for int(v.Node) >= len(e.known) {
		e.known = append(e.known, known{})
	}
	now := place{v.Zone, v.Node, v.Level}
	k := &e.known[v.Node]
	if k.period == e.period && e.places[k.local] == now {
		return k.local
	}
	*k = known{e.period, uint32(len(e.places))}
	e.places = append(e.places, now)
	e.defined = binary.AppendUvarint(e.defined, uint64(v.Zone))
	e.defined = binary.AppendUvarint(e.defined, uint64(v.Node))
	e.defined = binary.AppendUvarint(e.defined, uint64(v.Level))
	return k.local
}
