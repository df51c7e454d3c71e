package timeline

import "example.com/iprof/process/report"

// Call is a scope of one zone, with its frame, lane and caller.
type Call struct {
	Scope                // Begin is ms from the beginning of Frame
	Frame  uint64        // FrameSummary.Index of the frame in which it began, as far as events show
	Parent report.ZoneID // of the scope around it, 0 without one
}

// Length returns how long the call took, in ms. If Before or After is set, the call took at least that long.
func (c *Call) Length() float64 { return c.End - c.Begin }

// CallQuery chooses calls.
type CallQuery struct {
	Zone     report.ZoneID
	From, To float64 // the length in ms; a To of 0 means no limit
	Most     int     // number of newest calls to keep; 0 is 10,000
}

// mostFoundCalls is the number of calls that a query keeps if it does not say.
const mostFoundCalls = 10_000

// Has reports whether the query wants calls of a length.
func (q *CallQuery) Has(ms float64) bool { return ms >= q.From && (q.To <= 0 || ms <= q.To) }

// CallSearch collects the calls of a query frame by frame, the oldest frame first. One goroutine may use it.
type CallSearch struct {
	Query  CallQuery
	Found  []Call // the calls, by the frames in which they ended
	Count  int    // number of calls, also those that are no longer in Found
	Frames int    // number of frames that had scopes

	First, Last uint64 // FrameSummary.Index of the first and the last of them
	open        []openCall
	next        uint64 // FrameSummary.Index of the frame that would continue the last
}

// openCall is a call that continues in the next frame.
type openCall struct {
	call      Call
	length    float64 // until the end of the last frame
	continued bool
}

// Take takes the scopes of a frame, lane by lane, in the order of Session.AppendTimelineFrame for all lanes. Calls may
// cross the border of two frames with consecutive numbers.
func (s *CallSearch) Take(frame uint64, scopes []Scope) {
	if s.next != frame {
		s.closeAll()
	}
	s.next = frame + 1
	if len(scopes) > 0 {
		if s.Last = frame; s.Frames == 0 {
			s.First = frame
		}
		s.Frames++
	}
	for from := 0; from < len(scopes); {
		end := from + 1
		for end < len(scopes) && scopes[end].Lane == scopes[from].Lane {
			end++
		}
		s.takeLane(frame, scopes[from:end])
		from = end
	}
	s.closeUnseen()
}

// takeLane takes the scopes of a lane in a frame.
func (s *CallSearch) takeLane(frame uint64, scopes []Scope) {
	for i := range scopes {
		c := &scopes[i]
		if c.Zone != s.Query.Zone {
			continue
		}
		o := s.openAt(c)
		if o == nil {
			call := Call{Scope: *c, Frame: frame, Parent: parentOf(scopes, i)}
			if !c.After {
				s.found(call)
				continue
			}
			s.open = append(s.open, openCall{call: call, continued: true, length: c.End - c.Begin})
			continue
		}
		o.length += c.End - c.Begin
		o.call.Remark = joined(o.call.Remark, c.Remark)
		if o.continued = c.After; !c.After {
			o.call.End, o.call.After = o.call.Begin+o.length, false
			s.found(o.call)
			*o = s.open[len(s.open)-1]
			s.open = s.open[:len(s.open)-1]
		}
	}
}

// openAt returns the call of the previous frame that a scope continues, or nil.
func (s *CallSearch) openAt(c *Scope) *openCall {
	for i := range s.open {
		if o := &s.open[i]; c.Before && !o.continued && o.call.Lane == c.Lane && o.call.Level == c.Level {
			return o
		}
	}
	return nil
}

// parentOf returns the zone of the scope around a scope.
func parentOf(scopes []Scope, at int) report.ZoneID {
	c := &scopes[at]
	for i := at - 1; i >= 0; i-- {
		if p := &scopes[i]; p.Level < c.Level && p.Begin <= c.Begin {
			return p.Zone
		}
	}
	return 0
}

// found keeps a call that the query wants. If there are too many, it drops the older half.
func (s *CallSearch) found(c Call) {
	if !s.Query.Has(c.Length()) {
		return
	}
	s.Count++
	if s.Found = append(s.Found, c); len(s.Found) >= 2*s.most() {
		s.Found = append(s.Found[:0], s.Found[s.most():]...)
	}
}

func (s *CallSearch) most() int {
	if s.Query.Most > 0 {
		return s.Query.Most
	}
	return mostFoundCalls
}

// closeUnseen ends the calls that the last frame did not continue. The other calls wait for the next frame.
func (s *CallSearch) closeUnseen() {
	kept := s.open[:0]
	for i := range s.open {
		o := s.open[i]
		if o.continued {
			o.continued = false
			kept = append(kept, o)
			continue
		}
		s.close(o)
	}
	s.open = kept
}

// closeAll ends all open calls, because the next frame does not follow the last.
func (s *CallSearch) closeAll() {
	for _, o := range s.open {
		s.close(o)
	}
	s.open = s.open[:0]
}

// close keeps an open call with its known length.
func (s *CallSearch) close(o openCall) {
	o.call.End, o.call.After = o.call.Begin+o.length, true
	s.found(o.call)
}

// End ends the search. It keeps open calls with their length so far.
func (s *CallSearch) End() {
	s.closeAll()
	if most := s.most(); len(s.Found) > most {
		s.Found = append(s.Found[:0], s.Found[len(s.Found)-most:]...)
	}
}
