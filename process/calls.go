package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
)

// SetPerCall starts or stops the counting of every call of a zone by its duration, for AppendCalls. It does nothing in
// a session that WriteFrame feeds. For its cost see gather.Zone.SetPerCall. Any goroutine may call it.
func (s *Session) SetPerCall(zone report.ZoneID, on bool) {
	s.lock()
	running := s.store.Running()
	s.mu.Unlock()
	if running {
		measure.SetPerCallOf(zone, on)
	}
}

// WantCalls counts the calls of a zone for a display until release is called, whether or not SetPerCall is on: see
// measure.WantCalls. In a session that WriteFrame feeds, it calls Sources.Count. Any
// goroutine may call it.
func (v *View) WantCalls(zone gather.ZoneID) (release func()) {
	v.lock()
	running, count := v.store.Running(), v.store.Feed.Count
	v.unlock()
	switch {
	case running:
		return measure.WantCalls(zone)
	case count != nil:
		return count(zone)
	}
	return func() {}
}

// AppendCalls appends the histogram of a zone's call durations since SetPerCall, of all lanes, the shortest first. It
// appends nothing if calls are not counted. It copies the histograms of all counted zones. In a session that WriteFrame
// feeds, the histograms come from Sources.Calls. Any goroutine may call it.
func (s *Session) AppendCalls(dst []report.CallBucket, zone report.ZoneID) []report.CallBucket {
	s.lock()
	defer s.mu.Unlock()
	return s.store.AppendCalls(dst, zone)
}

// CallSource supplies the durations of single calls to a session that WriteFrame feeds, such as a replay. Like
// measure.AppendCounted, it has one element for each distinct stack of zones, with all its calls so far. It is called
// with the session locked and must not call the session. Any goroutine may call it.
type CallSource interface {
	AppendCalls(dst []gather.Calls) []gather.Calls
}

// countedCalls are the calls that the running program counts.
type countedCalls struct{}

func (countedCalls) AppendCalls(dst []gather.Calls) []gather.Calls { return measure.AppendCounted(dst) }

// callsFor returns the source of the calls of a frame, or nil if there is no source.
func (s *sinks) callsFor(live bool) CallSource {
	if live {
		return countedCalls{}
	}
	return s.store.Feed.Source
}
