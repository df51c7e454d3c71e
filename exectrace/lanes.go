package exectrace

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Lanes returns the states of lanes and of the whole program, on the clock of package platform: at most most states,
// the longest. lanes has the goroutines of the lanes. perSecond is the rate of the platform clock, as in gather.Frame.
// It returns an error if the trace's clock is not known. For a trace of this program the clock is known on Linux;
// otherwise see MarkClock.
func (s *States) Lanes(lanes []report.LaneGoroutine, perSecond float64, most int) ([]gather.LaneState, error) {
	if !s.clock.marked {
		return nil, errClock
	}
	owner := map[uint64]gather.LaneID{0: 0}
	for _, l := range lanes {
		owner[l.Goroutine] = l.Lane
	}
	var list []State
	for _, g := range s.order {
		if _, known := owner[g]; known {
			list = append(list, s.states[g]...)
		}
	}
	list = longest(list, most)
	out := make([]gather.LaneState, 0, len(list))
	for i := range list {
		q := &list[i]
		out = append(out, gather.LaneState{Lane: owner[q.Goroutine], Kind: q.Kind, Reason: q.Reason, Place: q.Place,
			Begin: s.clock.at(q.Begin, perSecond), End: s.clock.at(q.End, perSecond),
			Waker: owner[q.Waker], By: q.By, At: q.At})
	}
	slices.SortStableFunc(out, func(a, b gather.LaneState) int { return int(min(max(a.Begin-b.Begin, -1), 1)) })
	return out, nil
}

// longest returns the most longest states.
func longest(list []State, most int) []State {
	if len(list) <= most {
		return list
	}
	lengths := make([]int64, len(list))
	for i := range list {
		lengths[i] = list[i].End - list[i].Begin
	}
	slices.Sort(lengths)
	least := lengths[len(lengths)-max(most, 1)]
	return slices.DeleteFunc(list, func(q State) bool { return q.End-q.Begin <= least })
}

// AddTo gives the states to a session of this program. They replace the session's states of the same time.
func (s *States) AddTo(session *process.Session) error {
	s.clock.here()
	rate := platform.TicksPerSecond()
	list, err := s.Lanes(session.AppendGoroutines(nil), rate, report.MaxStates)
	if err == nil {
		session.AddStates(s.clock.at(s.Begin, rate), s.clock.at(s.End, rate)+1, list)
	}
	return err
}
