package timeline

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// EventSource supplies events to a session that WriteFrame feeds, such as a replay. Its methods do the same as the
// functions of the same names in package gather. They are called with the session locked and must not call the session.
type EventSource interface {
	// AppendEvents appends the events of a lane from begin to end.
	AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event
	// EventsSince returns the time from which on all events of a lane are kept. kept is false if the lane keeps no
	// events.
	EventsSince(lane report.LaneID) (since platform.Ticks, kept bool)
}

// PartSource is an EventSource that may lack events in the middle. EventsSinceIn returns the time from which on all
// events of a lane up to end are kept. kept is false if the lane kept no events at end.
type PartSource interface {
	EventSource
	EventsSinceIn(lane report.LaneID, begin, end platform.Ticks) (since platform.Ticks, kept bool)
}

// sinceIn returns the time from which on all events of a lane in a window are kept.
func sinceIn(from EventSource, lane report.LaneID, w *window) (since platform.Ticks, kept bool) {
	if part, ok := from.(PartSource); ok {
		return part.EventsSinceIn(lane, w.first.From, w.last.To)
	}
	return from.EventsSince(lane)
}

// LiveEvents are the events that the running program's lanes still have.
type LiveEvents struct{}

// AppendEvents appends the events of a lane from begin to end: see gather.AppendEvents.
func (LiveEvents) AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event {
	return gather.AppendEvents(dst, lane, begin, end)
}

// EventsSince returns the time from which on all events of a lane are kept: see gather.EventsSince.
func (LiveEvents) EventsSince(lane report.LaneID) (platform.Ticks, bool) {
	return gather.EventsSince(lane)
}

// noEvents is the source of a session without events.
type noEvents struct{}

func (noEvents) AppendEvents(dst []gather.Event, _ report.LaneID, _, _ platform.Ticks) []gather.Event {
	return dst
}

func (noEvents) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, false }

// SetSource sets the source of events: see process.Sources.
func (r *Reader) SetSource(source EventSource) {
	r.Source = source
	r.Void()
}

// KeepEvents copies the events of the history when the session pauses, and drops the copy when it resumes. The lanes
// continue to overwrite their own events. If there is no room for all events, the copy has the later ones.
func (r *Reader) KeepEvents(paused bool) {
	r.pauseCopy.Drop()
	r.isKept = false
	p := r.Past.Age(0)
	if !paused || p == nil || r.Source != nil || r.Fed {
		return
	}
	for from := r.Past.At(r.Past.First()).From; from < p.To && !r.isKept; from += (p.To - from + 1) / 2 {
		r.isKept = r.pauseCopy.Take(from, p.To)
	}
}

// eventsOf returns the source of a window's events: the copies of slow frames if they have the whole window, else the
// copy from the time of the pause, else the lanes.
func (r *Reader) eventsOf(w *window) EventSource {
	switch {
	case r.Source != nil:
		return r.Source
	case r.Fed:
		return noEvents{}
	case r.Copies.covers(w):
		return &r.Copies.joined
	case r.isKept:
		return &r.pauseCopy
	}
	return LiveEvents{}
}

// covers joins the copies of a window's frames, and reports whether every frame has a copy.
func (k *Copies) covers(w *window) bool {
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
