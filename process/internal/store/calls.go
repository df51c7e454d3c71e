package store

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// AppendCalls appends the histogram of a zone's call durations, of all lanes, the shortest first.
func (s *Store) AppendCalls(dst []report.CallBucket, zone report.ZoneID) []report.CallBucket {
	p := s.Past.Age(0)
	if p == nil {
		return dst
	}
	from := len(dst)
	calls := s.ReadCalls(nil)
	for i := range calls {
		if calls[i].Zone != zone {
			continue
		}
		for _, b := range calls[i].Buckets {
			low, high := float64(b.Low)*p.PerTick, float64(b.Low+b.Width)*p.PerTick
			dst = append(dst, report.CallBucket{Low: low, High: high, Count: b.Count})
		}
	}
	return slices.Delete(dst, from+history.Merged(dst[from:]), len(dst))
}

// callReader reads the durations of single calls, like a CallSource.
type callReader interface {
	AppendCalls(dst []gather.Calls) []gather.Calls
}

// callFeed has the sources of single calls in a session that WriteFrame feeds.
type callFeed struct {
	Source callReader
	Count  func(report.ZoneID) (release func()) // see process.Sources
	events func(s *Store, dst []gather.Calls) []gather.Calls
}

// ReadCalls appends all known durations of single calls.
func (s *Store) ReadCalls(dst []gather.Calls) []gather.Calls {
	switch {
	case s.Running():
		return gather.AppendCalls(dst)
	case s.Fed:
		if s.Feed.Source != nil {
			dst = s.Feed.Source.AppendCalls(dst)
		}
		return s.Feed.events(s, dst)
	}
	return dst
}

// BeFed is called when WriteFrame feeds the session. Programs that never call WriteFrame do not link the reader of
// calls from events.
func (s *Store) BeFed() {
	s.Fed = true
	s.Feed.events = func(s *Store, dst []gather.Calls) []gather.Calls {
		return new(history.EventCalls).Append(dst, s.Timeline.Source, &s.Past, &s.Lanes)
	}
}

// ReadAll appends all known durations of single calls. slow reports whether that takes long.
func (s *Store) ReadAll(dst []gather.Calls) (calls []gather.Calls, slow bool) {
	return s.ReadCalls(dst), s.Fed
}

// PathOfNode returns the path of a node: see totals.Tally.
func (s *Store) PathOfNode(node gather.NodeID, zone report.ZoneID) int32 {
	return s.Totals.PathOfNode(node, zone)
}

// MsPerTick is the rate of the clock in the newest frame.
func (s *Store) MsPerTick() float64 {
	switch p := s.Past.Age(0); {
	case p != nil:
		return p.PerTick
	case s.First.PerTick > 0:
		return s.First.PerTick
	}
	return 1e-6
}
