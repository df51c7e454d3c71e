package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// CallSource supplies the durations of single calls to a session that WriteFrame feeds, such as a replay: as
// gather.AppendCounted does, one element for each distinct stack of zones, with all its calls so far. It is called with
// the session locked and must not call it. Any goroutine may call it.
type CallSource interface {
	AppendCalls(dst []gather.Calls) []gather.Calls
}

// CallSink is a sink that also takes the durations of single calls. AddSink calls TakeCalls before it hands out each
// frame. The source is nil if nobody has calls. It may be used as long as the sink is.
type CallSink interface {
	gather.Sink
	TakeCalls(from CallSource)
}

// callFeed is what a session that WriteFrame feeds knows of single calls.
type callFeed struct {
	source CallSource
	count  func(ZoneID) (release func()) // see CountCallsWith
}

// SetCallSource sets the source of the durations of single calls in a session that WriteFrame feeds. The running
// program's session reads package gather. Any goroutine may call it.
func (s *Session) SetCallSource(source CallSource) {
	s.change()
	defer s.mu.Unlock()
	s.feed.source = source
	s.calls.Asked = false
}

// countedCalls are the calls that the running program counts.
type countedCalls struct{}

func (countedCalls) AppendCalls(dst []gather.Calls) []gather.Calls { return gather.AppendCounted(dst) }

// callsFor returns the source of the calls of a frame, nil for none.
func (s *store) callsFor(live bool) CallSource {
	if live {
		return countedCalls{}
	}
	return s.feed.source
}

// readCalls appends all that is known of single calls.
func (s *store) readCalls(dst []gather.Calls) []gather.Calls {
	switch {
	case s.running():
		return gather.AppendCalls(dst)
	case s.fed:
		if s.feed.source != nil {
			dst = s.feed.source.AppendCalls(dst)
		}
		return new(history.EventCalls).Append(dst, s.timeline.Source, &s.past, &s.lanes)
	}
	return dst
}
