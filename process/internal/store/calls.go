package store

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// AppendCalls appends the histogram of a zone's call durations, of all lanes, the shortest first.
func (s *Store) AppendCalls(dst []report.CallBucket, zone report.ZoneID) []report.CallBucket {
	from := len(dst)
	for _, k := range s.ReadCalls(nil) {
		if k.Zone == zone {
			dst = s.appendBuckets(dst, &k)
		}
	}
	return slices.Delete(dst, from+history.Merged(dst[from:]), len(dst))
}

// appendBuckets appends the histogram of a stack.
func (s *Store) appendBuckets(dst []report.CallBucket, k *gather.Calls) []report.CallBucket {
	ms := s.MsPerTick()
	for _, b := range k.Buckets {
		low, high := float64(b.Low)*ms, float64(b.Low+b.Width)*ms
		dst = append(dst, report.CallBucket{Low: low, High: high, Count: b.Count})
	}
	return dst
}

// FillCalls fills in the call durations of a zone by caller.
func (s *Store) FillCalls(a *report.Around) {
	callers, counted := map[report.ZoneID][]report.CallBucket{}, false
	a.Calls, a.Callers, a.CallFrames = a.Calls[:0], a.Callers[:0], 0
	for _, k := range s.ReadCalls(nil) {
		if k.Zone != a.Zone {
			continue
		}
		counted = counted || !k.FromEvents
		caller, from := report.ZoneID(0), len(a.Calls)
		if path := s.PathOfNode(k.Node, k.Zone); path >= 0 && s.Tree.Paths[path].Parent >= 0 {
			caller = s.Tree.Paths[s.Tree.Paths[path].Parent].Zone
		}
		a.Calls = s.appendBuckets(a.Calls, &k)
		callers[caller] = append(callers[caller], a.Calls[from:]...)
	}
	if !counted {
		a.CallFrames = s.Feed.events.Frames
	}
	a.Calls = a.Calls[:history.Merged(a.Calls)]
	for caller, calls := range callers {
		a.Callers = append(a.Callers, report.CallsFrom{Caller: caller, Calls: calls[:history.Merged(calls)]})
	}
	sort.Slice(a.Callers, func(i, j int) bool { return a.Callers[i].Caller < a.Callers[j].Caller })
}

// callReader reads the durations of single calls, like a CallSource.
type callReader interface {
	AppendCalls(dst []gather.Calls) []gather.Calls
}

// callFeed has the sources of single calls in a session that WriteFrame feeds.
type callFeed struct {
	Source callReader
	Count  func(report.ZoneID) (release func()) // see process.Sources
	read   func(s *Store, dst []gather.Calls) []gather.Calls
	events history.EventCalls
	Asked  bool // there was a reading in this Snapshot
	More   bool // the last reading left older frames for the next
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
		return s.Feed.read(s, dst)
	}
	return dst
}

// BeFed is called when WriteFrame feeds the session. Programs that never call WriteFrame do not link the reader of
// calls from events.
func (s *Store) BeFed() {
	s.Fed = true
	s.Feed.read = func(s *Store, dst []gather.Calls) []gather.Calls {
		f := &s.Feed
		dst = f.events.Append(dst, s.Timeline.Source, &s.Past, &s.Lanes)
		f.Asked, f.More = true, f.events.To > 0 && !f.events.Done
		return dst
	}
}

// MoreCalls reports whether another reading brings calls of older frames.
func (s *Store) MoreCalls() bool { return s.Feed.More }

// RestartCalls leaves out all calls counted so far.
func (s *Store) RestartCalls() {
	s.Calls.Restart(s.ReadCalls(nil))
	s.Feed.events, s.Feed.More = history.EventCalls{}, false
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
