package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// HotSource samples a program for a session: see Session.SetHotSource. Any goroutine may call its methods.
type HotSource interface {
	// SetSampling sets the number of samples per second of processor time, MinSampling to MaxSampling; 0 ends
	// sampling. It returns an error if sampling is not possible, or if another rate is in force.
	SetSampling(rate int) error
	// Sampling returns the rate in force, 0 if it does not sample.
	Sampling() int
	// HotZones returns the newest hot lines and asks for newer samples. It does not wait, and returns the same pointer
	// until there are newer ones. If it returns nil, the session shows the hot lines of SetHotZones.
	HotZones() *report.HotZones
}

// HotSink is a sink that also takes hot lines. AddSink calls TakeHot before it hands out a frame, if there are newer
// hot lines. The sink may keep them.
type HotSink interface {
	gather.Sink
	TakeHot(*report.HotZones)
}

// hotFeed has a session's hot lines and their source.
type hotFeed struct {
	source HotSource
	given  *report.HotZones // by SetHotZones
}

// SetHotSource sets the source that samples the program, or nil. The module exectrace has one. The zone's card of the
// viewer shows the hot lines, and a command of the viewer starts and stops sampling. Captures and remote viewers get
// the hot lines, too. The methods of the source are called with the session locked and must not call the session. Any
// goroutine may call SetHotSource.
func (s *Session) SetHotSource(source HotSource) {
	s.change()
	defer s.mu.Unlock()
	s.hot.source = source
}

// HotSource returns the source that samples the program, or nil. Any goroutine may call it.
func (s *Session) HotSource() HotSource {
	s.lock()
	defer s.mu.Unlock()
	return s.hot.source
}

// SetHotZones gives the session the hot lines of another program or of a capture, whose frames WriteFrame writes.
// HotZones then returns them. With nil the session forgets them. Any goroutine may call it.
func (s *Session) SetHotZones(h *report.HotZones) {
	s.change()
	defer s.mu.Unlock()
	s.hot.give(h, &s.store)
}

// give takes hot lines, and gives the shares of their self time that zones waited to a store.
func (f *hotFeed) give(h *report.HotZones, to *store.Store) {
	if f.given, to.Waited = h, nil; h != nil {
		to.Waited = h.Waited
	}
}

// HotZones returns the newest hot lines of all zones, nil if nothing was sampled. It asks the HotSource for newer
// samples and does not wait for them. Any goroutine may call it.
func (s *Session) HotZones() *report.HotZones {
	s.lock()
	defer s.mu.Unlock()
	return s.hot.newest()
}

func (f *hotFeed) newest() *report.HotZones {
	if f.source != nil {
		if h := f.source.HotZones(); h != nil {
			return h
		}
	}
	return f.given
}

// hotShown has the hot lines that a view shows.
type hotShown struct {
	of    *report.HotZones // the hot lines that lines was taken from
	begin platform.Ticks
	lines *report.HotLines
}

// find returns the lines of a zone among hot lines, nil if nothing was sampled. If the frame that began at a time has
// samples, they are the lines of that frame.
func (s *hotShown) find(h *report.HotZones, zone report.ZoneID, begin platform.Ticks) *report.HotLines {
	if h == nil {
		return nil
	}
	if s.of != h || s.lines.Zone != zone || s.begin != begin {
		s.of, s.begin, s.lines = h, begin, h.OfFrame(begin, zone)
		if s.lines == nil {
			s.lines = h.Of(zone)
		}
	}
	return s.lines
}

// snapshotHot fills the hot lines around the zone under the cursor.
func (v *View) snapshotHot(a *report.Around) {
	f := &v.session.hot
	a.Hot, a.CanSample, a.Sampling = nil, f.source != nil, 0
	if f.source != nil {
		a.Sampling = f.source.Sampling()
	}
	if a.Zone > 0 {
		a.Hot = v.hot.find(f.newest(), a.Zone, v.rows.HotFrame())
	}
}
