package export

import "example.com/iprof/gather"

// The field numbers of states and flows. A flow is an arrow from one event to another of the same flow id.
const (
	annotationText = 6
	annotationName = 10
	eventFlow      = 47 // flow_ids
	eventFlowEnd   = 48 // terminating_flow_ids
)

// stateTrack returns the track of a lane's states, or of states of the whole program.
func stateTrack(on track) uint64 {
	if on.lane != 0 {
		return uint64(on.lane) << 2
	}
	return uint64(on.kind)<<2 + trackOfPhases
}

func (p *perfetto) state(on track, title string, q *gather.LaneState, begin, end int64) {
	uuid := stateTrack(on)
	if !p.stated[on] {
		if len(p.stated) > mostLanes {
			clear(p.stated)
		}
		p.stated[on] = true
		parent := uint64(trackOfProcess)
		if on.lane != 0 {
			parent = laneTrack(on.lane)
		}
		p.describe(uuid, parent, on.name(), 0)
	}
	p.event(begin, uuid, typeBegin, func(e *wire) {
		e.text(eventName, title)
		stateNotes(q, func(name, text string) { p.note(e, name, text) })
	})
	p.event(end, uuid, typeEnd, nil)
}

// note adds an annotation to an event.
func (p *perfetto) note(e *wire, name, text string) {
	p.nested = p.nested[:0]
	p.nested.text(annotationText, text)
	p.nested.text(annotationName, name)
	e.message(eventAnnotation, p.nested)
}

// wake writes an arrow from the scope that ended a wait to the scope that had waited: two instants with a flow.
func (p *perfetto) wake(number uint64, q *gather.LaneState, at int64) {
	for _, end := range [...]struct {
		lane gather.LaneID
		flow int
		name string
	}{{q.Waker, eventFlow, "wakes"}, {q.Lane, eventFlowEnd, "woken"}} {
		p.event(at, laneTrack(end.lane), typeInstant, func(e *wire) {
			if e.text(eventName, end.name); q.At != "" {
				p.note(e, "at", q.At)
			}
			e.fixed(end.flow, number)
		})
	}
}
