package store

import (
	"cmp"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// LockWaits returns the waits for locks among the states that are kept.
func (s *Store) LockWaits() (list []report.LockWait) {
	newest := s.Past.Age(0)
	for i := range s.States.List {
		q := &s.States.List[i]
		if newest == nil || q.Kind != gather.StateWaiting || !report.IsLock(q.Reason) {
			continue
		}
		w := report.LockWait{Lock: q.Reason, Place: q.Place, Lane: q.Lane, LaneName: s.LaneName(q.Lane), By: q.By,
			At: q.At, Time: float64(q.End-q.Begin) * newest.PerTick}
		if q.Waker != 0 {
			w.By = s.LaneName(q.Waker)
			w.By = cmp.Or(report.Crowd(w.By), w.By)
		}
		if p := s.endOf(q); p != nil {
			w.Frame, w.HasFrame = p.Index, true
		}
		list = append(list, w)
	}
	return list
}

// endOf returns the frame of the history in which a state ended, or nil.
func (s *Store) endOf(q *gather.LaneState) *history.Frame {
	first := s.Past.First()
	ended := func(i int) bool { return s.Past.At(first+uint64(i)).To >= q.End }
	at := first + uint64(sort.Search(s.Past.Length(), ended))
	if at >= s.Past.Next || s.Past.At(at).From > q.End {
		return nil
	}
	return s.Past.At(at)
}
