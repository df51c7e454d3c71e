package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// EventSource supplies events to a session that WriteFrame feeds, such as a replay. Its methods do the same as the
// functions of these names in package gather. They are called with the session locked and must not call it.
type EventSource interface {
	AppendEvents(dst []gather.Event, lane LaneID, begin, end platform.Ticks) []gather.Event
	EventsSince(lane LaneID) (since platform.Ticks, kept bool)
}

// PartSource is an EventSource that may lack events in the middle. EventsSinceIn returns the time from which on all
// events of a lane up to end are there. kept is false if the lane kept none at end.
type PartSource interface {
	EventSource
	EventsSinceIn(lane LaneID, begin, end platform.Ticks) (since platform.Ticks, kept bool)
}

// sinceIn returns the time from which on all events of a lane in a window are there.
func sinceIn(from EventSource, lane LaneID, w *window) (since platform.Ticks, kept bool) {
	if part, ok := from.(PartSource); ok {
		return part.EventsSinceIn(lane, w.first.From, w.last.To)
	}
	return from.EventsSince(lane)
}

// liveEvents are the events that the running program's lanes still have.
type liveEvents struct{}

func (liveEvents) AppendEvents(dst []gather.Event, lane LaneID, begin, end platform.Ticks) []gather.Event {
	return gather.AppendEvents(dst, lane, begin, end)
}

func (liveEvents) EventsSince(lane LaneID) (platform.Ticks, bool) { return gather.EventsSince(lane) }

// noEvents is the source of a session without one.
type noEvents struct{}

func (noEvents) AppendEvents(dst []gather.Event, _ LaneID, _, _ platform.Ticks) []gather.Event {
	return dst
}

func (noEvents) EventsSince(LaneID) (platform.Ticks, bool) { return 0, false }

// setSource sets the source of events: see Session.SetEventSource.
func (r *reader) setSource(source EventSource) {
	r.source = source
	r.void()
}

// keepEvents copies the events of the history when the session pauses, and drops the copy when it resumes. The lanes go
// on overwriting theirs. If there is no room for all, the copy has the later ones.
func (r *reader) keepEvents(paused bool) {
	r.kept.Drop()
	r.isKept = false
	p := r.past.Age(0)
	if !paused || p == nil || r.source != nil || r.fed {
		return
	}
	for from := r.past.At(r.past.First()).From; from < p.To && !r.isKept; from += (p.To - from + 1) / 2 {
		r.isKept = r.kept.Take(from, p.To)
	}
}

// eventsOf returns the source of a window's events: the copies of slow frames if they have the whole window, else the
// copy from the time of the pause, else the lanes.
func (r *reader) eventsOf(w *window) EventSource {
	switch {
	case r.source != nil:
		return r.source
	case r.fed:
		return noEvents{}
	case r.copies.covers(w):
		return &r.copies.joined
	case r.isKept:
		return &r.kept
	}
	return liveEvents{}
}

// covers joins the copies of a window's frames, and reports whether there is one of each.
func (k *copies) covers(w *window) bool {
	k.joined.frames = k.joined.frames[:0]
	for seq := w.first.Seq; seq <= w.last.Seq; seq++ {
		f := k.at(seq)
		if f == nil {
			return false
		}
		k.joined.frames = append(k.joined.frames, f)
	}
	return true
}
