package framefile

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// eventChunk has the events of a frame in the form of the file. The events have been verified.
type eventChunk struct {
	from, to platform.Ticks // to is excluded
	lanes    []byte
	count    int // number of lanes
	places   []place
	index    []uint32 // places of the lanes in lanes, ascending by ID; nil until it is needed
}

// eventChunk reads a chunk of events. It shares the bytes of the decoder.
func (t *tables) eventChunk(d *decoder) (c eventChunk) {
	c.from = t.until + platform.Ticks(d.varint())
	length := d.uvarint()
	c.to = c.from + platform.Ticks(length)
	if length > uint64(platform.MaxTicks) || c.to < c.from {
		d.fail()
	}
	t.until = c.to
	for range d.length(3) {
		zone, node, level := d.uvarint(), d.uvarint(), d.uvarint()
		if node > mostID || level > mostID || !t.hasZone(zone) {
			d.fail()
			break
		}
		t.places = append(t.places, place{gather.ZoneID(zone), gather.NodeID(node), int32(level)})
	}
	c.count = d.length(3)
	c.lanes, c.places = d.rest, t.places
	for range c.count {
		l := d.laneEvents(&c)
		if l.verify(int64(len(c.places))); l.err != nil {
			d.err = l.err
		}
	}
	if d.err != nil || len(d.rest) > 0 {
		d.fail()
		return eventChunk{}
	}
	return c
}

// laneEvents has the events of a lane in a chunk.
type laneEvents struct {
	decoder
	id           gather.LaneID
	begin, since platform.Ticks
}

// laneEvents reads the head of a lane's events.
func (d *decoder) laneEvents(c *eventChunk) (l laneEvents) {
	l.id, l.begin = gather.LaneID(d.uvarint()), c.from
	since := min(d.uvarint(), uint64(c.to-c.from))
	l.since = c.from + platform.Ticks(since)
	l.rest = d.bytes(d.length(1))
	return l
}

// verify fails for the same input as events. Most of the time to read a file is spent here. So it makes no calls for
// most events, and reads only the flags and the place of an event.
func (l *laneEvents) verify(places int64) {
	open, at := 0, int64(0)
	for rest := l.rest; len(rest) > 0; {
		flags, n := rest[0], 1
		for ; rest[n-1] >= 0x80; n++ {
			if n == len(rest) || n == binary.MaxVarintLen64 {
				l.fail()
				return
			}
		}
		if n == binary.MaxVarintLen64 && rest[n-1] > 1 {
			l.fail()
			return
		}
		rest = rest[n:]
		if flags&eventKnown == 0 {
			by, n := int64(0), 1
			if len(rest) > 0 && rest[0] < 0x80 {
				by = int64(rest[0]>>1) ^ -int64(rest[0]&1)
			} else {
				by, n = binary.Varint(rest)
			}
			if at += by; n <= 0 || at < 0 || at >= places {
				l.fail()
				return
			}
			rest = rest[n:]
		} else if flags&eventEnd == 0 || open == 0 {
			l.fail()
			return
		}
		if flags&eventEnd == 0 {
			open++
		} else {
			open = max(open-1, 0)
		}
	}
}

// events calls visit for each event.
func (l *laneEvents) events(places []place, visit func(e *gather.Event)) {
	var space [64]int64
	stack, last := space[:0], int64(0)
	var e gather.Event
	for len(l.rest) > 0 {
		head := l.uvarint()
		at := int64(0)
		switch n := len(stack); {
		case head&eventKnown == 0:
			last += l.varint()
			at = last
		case n > 0 && head&eventEnd != 0:
			at = stack[n-1]
		default:
			l.fail()
		}
		if at < 0 || at >= int64(len(places)) {
			l.fail()
		}
		if l.err != nil {
			return
		}
		if e.End = head&eventEnd != 0; !e.End {
			stack = append(stack, at)
		} else if len(stack) > 0 {
			stack = stack[:len(stack)-1]
		}
		l.begin += platform.Ticks(head >> eventShift)
		p := &places[at]
		e.Time = l.begin
		e.Zone = p.zone
		e.Node = p.node
		e.Level = p.level
		visit(&e)
	}
}

// find returns the events of a lane. It looks at few of the other lanes, because a timeline asks for all lanes.
func (c *eventChunk) find(lane gather.LaneID) (l laneEvents, found bool) {
	if c.index == nil {
		c.makeIndex()
	}
	at := sort.Search(len(c.index), func(i int) bool { return c.idAt(c.index[i]) >= lane })
	if at == len(c.index) || c.idAt(c.index[at]) != lane {
		return l, false
	}
	d := decoder{rest: c.lanes[c.index[at]:]}
	return d.laneEvents(c), true
}

// idAt returns the ID of the lane whose events begin at a place in c.lanes.
func (c *eventChunk) idAt(place uint32) gather.LaneID {
	id, _ := binary.Uvarint(c.lanes[place:])
	return gather.LaneID(id)
}

// makeIndex makes the index. Of two lanes with one ID, which only a damaged file has, the first one counts.
func (c *eventChunk) makeIndex() {
	c.index = make([]uint32, c.count)
	d := decoder{rest: c.lanes}
	for i := range c.index {
		c.index[i] = uint32(len(c.lanes) - len(d.rest))
		d.laneEvents(c)
	}
	byID := func(a, b uint32) int { return cmp.Compare(c.idAt(a), c.idAt(b)) }
	if !slices.IsSortedFunc(c.index, byID) {
		sort.SliceStable(c.index, func(i, k int) bool { return byID(c.index[i], c.index[k]) < 0 })
	}
}

// eventList has the events of frames, ascending in time.
type eventList []eventChunk

// AppendEvents appends a lane's events with times from begin to end, both included, oldest first.
func (list eventList) AppendEvents(dst []gather.Event, lane gather.LaneID, begin, end platform.Ticks) []gather.Event {
	first := sort.Search(len(list), func(i int) bool { return list[i].to > begin })
	for i := first; i < len(list) && list[i].from <= end; i++ {
		if l, found := list[i].find(lane); found {
			l.events(list[i].places, func(e *gather.Event) {
				if e.Time >= begin && e.Time <= end {
					dst = append(dst, *e)
				}
			})
		}
	}
	return dst
}

// EventsSinceIn returns the time from which on all events of a lane up to end are kept. If an earlier frame lacks the
// lane, the lane did nothing in that frame.
func (list eventList) EventsSinceIn(lane gather.LaneID, begin, end platform.Ticks) (since platform.Ticks, kept bool) {
	at := sort.Search(len(list), func(i int) bool { return list[i].from >= end }) - 1
	if at < 0 || list[at].to < end {
		return 0, false
	}
	l, kept := list[at].find(lane)
	if !kept {
		return 0, false
	}
	for since = l.since; since <= list[at].from && since > begin; at-- {
		if at == 0 || list[at-1].to != list[at].from {
			break
		}
		since = list[at-1].from
		if l, found := list[at-1].find(lane); found {
			since = l.since
		}
	}
	return since, true
}

// EventsSince returns the time from which on all events of a lane are kept, up to the last frame with events.
func (list eventList) EventsSince(lane gather.LaneID) (since platform.Ticks, kept bool) {
	for i := range slices.Backward(list) {
		if _, found := list[i].find(lane); found {
			return list.EventsSinceIn(lane, list[0].from, list[i].to)
		}
	}
	return 0, false
}

// mostEventBytes bounds the events that Load keeps in memory, in bytes of the file. The oldest are dropped first.
const mostEventBytes = 64 << 20

// eventStore has the events of the frames that Load has read. It is a timeline.PartSource.
type eventStore struct {
	mu    sync.Mutex
	list  eventList
	bytes int
}

// add adds the events of a frame.
func (s *eventStore) add(c eventChunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.list); n > 0 && c.from < s.list[n-1].to { // another clock
		s.list, s.bytes = nil, 0
	}
	c.lanes = slices.Clone(c.lanes)
	s.list = append(s.list, c)
	s.bytes += c.bytes()
	for s.bytes > mostEventBytes {
		s.bytes -= s.list[0].bytes()
		s.list[0] = eventChunk{}
		s.list = s.list[1:]
	}
}

// bytes returns about the memory that a chunk takes, without the places that it shares with other chunks.
func (c *eventChunk) bytes() int { return len(c.lanes) + 4*c.count + 128 }

// AppendEvents appends a lane's events with times from begin to end, both included, oldest first. Any goroutine may
// call it.
func (s *eventStore) AppendEvents(dst []gather.Event, lane gather.LaneID, begin, end platform.Ticks) []gather.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list.AppendEvents(dst, lane, begin, end)
}

// EventsSince returns the time from which on all events of a lane are kept. Any goroutine may call it.
func (s *eventStore) EventsSince(lane gather.LaneID) (since platform.Ticks, kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list.EventsSince(lane)
}

// EventsSinceIn returns the time from which on all events of a lane up to end are kept. Any goroutine may call it.
func (s *eventStore) EventsSinceIn(lane gather.LaneID, begin, end platform.Ticks) (platform.Ticks, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list.EventsSinceIn(lane, begin, end)
}
