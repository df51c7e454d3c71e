package process

import (
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// EventSource is where a session that is fed by WriteFrame finds the events of its lanes: a replay, a test. Both methods do
// what the functions of their names in package gather do, and are called with the session's lock held: they must not use it.
type EventSource interface {
	AppendEvents(dst []gather.Event, lane uint64, begin, end platform.Ticks) []gather.Event
	EventsSince(lane uint64) (since platform.Ticks, kept bool)
}

// SetEventSource sets where AppendTimeline finds events; nil restores the default: package gather for the running program's
// session, nowhere for one that is fed by WriteFrame.
func (s *Session) SetEventSource(source EventSource) {
	s.change()
	defer s.mu.Unlock()
	s.timeline.source = source
}

// keptEvents is how many events all lanes together keep while the session is paused: 48 MB.
const keptEvents = 2 << 20

// keptLane is a lane's events of the moment when the session was paused: the rings go on.
type keptLane struct {
	id     uint64
	since  platform.Ticks
	events []gather.Event
}

// keepEvents copies the rings when the session pauses, and gives the copy up when it goes on.
func (s *Session) keepEvents(paused bool) {
	s.timeline.kept = nil
	p := s.past.age(0)
	if !paused || p == nil || s.timeline.source != nil || s.fed {
		return
	}
	w := window{first: s.past.at(s.past.first()), last: p, origin: p.from, perTick: p.perTick}
	room := keptEvents
	for _, l := range s.appendTimelineLanes(nil, w) {
		if l.State == TimelineOff || l.State == TimelineGone {
			continue
		}
		k := keptLane{id: l.ID, events: gather.AppendEvents(nil, l.ID, w.first.from, p.to)}
		k.since, _ = gather.EventsSince(l.ID)
		if room -= len(k.events); room < 0 {
			return
		}
		s.timeline.kept = append(s.timeline.kept, k)
	}
}

// keptOf finds a lane's copy.
func (t *timeline) keptOf(lane uint64) *keptLane {
	for i := range t.kept {
		if t.kept[i].id == lane {
			return &t.kept[i]
		}
	}
	return nil
}

func (s *Session) eventsSince(lane uint64) (since platform.Ticks, kept bool) {
	switch k := s.timeline.keptOf(lane); {
	case s.timeline.source != nil:
		return s.timeline.source.EventsSince(lane)
	case s.fed:
		return 0, false
	case k != nil:
		return k.since, true
	}
	return gather.EventsSince(lane)
}

func (s *Session) appendEvents(dst []gather.Event, lane uint64, begin, end platform.Ticks) []gather.Event {
	switch k := s.timeline.keptOf(lane); {
	case s.timeline.source != nil:
		return s.timeline.source.AppendEvents(dst, lane, begin, end)
	case s.fed:
		return dst
	case k != nil:
		return append(dst, k.between(begin, end)...)
	}
	return gather.AppendEvents(dst, lane, begin, end)
}

// between cuts out what lies from begin to end, both included.
func (k *keptLane) between(begin, end platform.Ticks) []gather.Event {
	from := sort.Search(len(k.events), func(i int) bool { return k.events[i].Time >= begin })
	to := sort.Search(len(k.events), func(i int) bool { return k.events[i].Time > end })
	return k.events[from:max(from, to)]
}
