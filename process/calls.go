package process

import (
	"cmp"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// SetPerCall starts or stops the counting of every call of a zone by its duration, for AppendCalls. It does nothing in
// a session that WriteFrame feeds. For its cost see gather.Zone.SetPerCall. Any goroutine may call it.
func (s *Session) SetPerCall(zone report.ZoneID, on bool) {
	s.lock()
	running := s.running()
	s.mu.Unlock()
	if running {
		gather.SetPerCallOf(zone, on)
	}
}

// WantCalls counts the calls of a zone for a display until release is called, whether or not SetPerCall is on: see
// gather.WantCalls. In a session that WriteFrame feeds it does what CountCallsWith says. Any goroutine may call it.
func (s *Session) WantCalls(zone gather.ZoneID) (release func()) {
	s.lock()
	running, count := s.running(), s.feed.count
	s.mu.Unlock()
	switch {
	case running:
		return gather.WantCalls(zone)
	case count != nil:
		return count(zone)
	}
	return func() {}
}

// CountCallsWith sets what WantCalls does in a session that WriteFrame feeds, so that the program that the frames are
// of can be asked to count. It is nothing at first. Any goroutine may call it.
func (s *Session) CountCallsWith(count func(zone report.ZoneID) (release func())) {
	s.lock()
	defer s.mu.Unlock()
	s.feed.count = count
}

// AppendCalls appends the histogram of a zone's call durations since SetPerCall, of all lanes, the shortest first. It
// appends nothing if calls are not counted. It copies the histograms of all counted zones. In a session that WriteFrame
// feeds, they are those of SetCallSource. Any goroutine may call it.
func (s *Session) AppendCalls(dst []report.CallBucket, zone report.ZoneID) []report.CallBucket {
	s.lock()
	defer s.mu.Unlock()
	return s.appendCalls(dst, zone)
}

// appendCalls appends the histogram of a zone's call durations, of all lanes, the shortest first.
func (s *store) appendCalls(dst []report.CallBucket, zone report.ZoneID) []report.CallBucket {
	p := s.past.Age(0)
	if p == nil {
		return dst
	}
	from := len(dst)
	calls := s.readCalls(nil)
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

// callReader reads the durations of single calls, as a CallSource does.
type callReader interface {
	AppendCalls(dst []gather.Calls) []gather.Calls
}

// callFeed is what a session that WriteFrame feeds knows of single calls.
type callFeed struct {
	source callReader
	count  func(report.ZoneID) (release func()) // see CountCallsWith
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
func (s *intake) callsFor(live bool) CallSource {
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

// fillCalls sets the call columns of a record.
func (s *builder) fillCalls(out *report.Record, r *row, lane report.LaneID, want report.ColumnSet) {
	s.calls.Read((*callsOf)(&s.store), &s.past, lane)
	of := s.calls.Zones[r.zone]
	if s.ownPath(r) {
		of = s.calls.Paths[r.path]
	}
	if of != nil && (s.past.Next == 0 || s.past.Age(0) != nil) {
		of.Fill(out, want, s.fed, s.msPerTick())
	}
}

// appendCallRows appends the zones that count each call, those with the most time first.
func (s *builder) appendCallRows(dst []*report.CallRow) []*report.CallRow {
	if s.running() && !gather.CountsCalls() || s.fed && s.feed.source == nil || len(s.zones) == 0 {
		return dst
	}
	s.calls.Read((*callsOf)(&s.store), &s.past, 0)
	ms, first := s.msPerTick(), len(dst)
	for zone, c := range s.calls.Zones {
		if c.Counted() && int(zone) < len(s.zones) {
			dst = append(dst, &report.CallRow{Zone: zone, Name: s.zones[zone].Name, Count: c.Count, Missing: c.Missing,
				Times: history.SummaryOf(func(k report.Statistic) float64 { return c.Of(k) * ms }), Bars: c.Bars()})
		}
	}
	slices.SortFunc(dst[first:], func(a, b *report.CallRow) int {
		return cmp.Or(cmp.Compare(b.Times.Mean*float64(b.Count), a.Times.Mean*float64(a.Count)),
			cmp.Compare(a.Zone, b.Zone))
	})
	return dst
}

// callsOf is a session as the reader of its calls.
type callsOf store

func (s *callsOf) ReadAll(dst []gather.Calls) (calls []gather.Calls, slow bool) {
	return (*store)(s).readCalls(dst), s.fed
}

func (s *callsOf) PathOfNode(node gather.NodeID, zone report.ZoneID) int32 {
	return s.totals.PathOfNode(node, zone)
}

// msPerTick is the rate of the clock in the newest frame.
func (s *store) msPerTick() float64 {
	switch p := s.past.Age(0); {
	case p != nil:
		return p.PerTick
	case s.first.PerTick > 0:
		return s.first.PerTick
	}
	return 1e-6
}
