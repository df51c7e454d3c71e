package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Title returns words for a state: "waiting for mutex".
func (q *TimelineStretch) Title() string {
	if q.Kind == gather.StateWaiting && q.Reason != "" {
		return "waiting for " + q.Reason
	}
	return q.Kind.String()
}

// Ended says who ended a wait, the lane or the function, and the line: "ended by loader at world.go:88", or, of a lock,
// "released by loader at world.go:88". It is "" if that is not known.
func (t *Timeline) Ended(q *TimelineStretch) string {
	by := q.By
	for i := range t.Bands {
		if b := &t.Bands[i]; b.ID == q.Waker && q.Waker != 0 {
			by = b.Name
		}
	}
	switch {
	case by == "" && q.At == "":
		return ""
	case by != "" && q.At != "":
		by += " at " + q.At
	case by == "":
		by = q.At
	}
	return report.EndedWords(q.Reason) + by
}

// Why says what a lane did for most of a stretch of time on the axis other than running, "3.1 of 4.0 ms waiting for
// mutex", and who ended it, as Ended says. Both are "" if that is not known, or less than 1 %.
func (t *Timeline) Why(lane LaneID, begin, end float64) (what, by string) {
	q, ms := t.LongestState(lane, begin, end)
	if q == nil || ms < 0.01*(end-begin) {
		return "", ""
	}
	what = report.ShortMS(ms) + " of " + report.ShortMS(end-begin) + " ms " + q.Title()
	return what, t.Ended(q)
}

// EndedWait returns the longest wait in a stretch of time of a lane that another lane ended, or nil.
func (t *Timeline) EndedWait(lane LaneID, begin, end float64) (longest *TimelineStretch) {
	most := 0.0
	t.StatesIn(lane, begin, end, func(q *TimelineStretch, ms float64) {
		if q.Kind == gather.StateWaiting && q.Waker != 0 && ms > most && q.TimelineSpan.End <= end {
			longest, most = q, ms
		}
	})
	return longest
}

// LongestScope returns the longest scope of a zone in the frames shown: its lane, and its ends on the axis. ok is false
// if there is none.
func (t *Timeline) LongestScope(zone ZoneID) (lane LaneID, begin, end float64, ok bool) {
	for i := range t.Rows {
		r := &t.Rows[i]
		to := r.Beginning(t.Origin + t.Length)
		for at := r.Ending(t.Origin); at < to; at++ {
			if s := r.At[at]; r.Zone(at) == zone && s.End-s.Begin > end-begin {
				lane, begin, end, ok = r.Lane, s.Begin, s.End, true
			}
		}
	}
	return lane, begin, end, ok
}
