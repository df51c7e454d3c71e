package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
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
	of     *report.HotZones // the hot lines that shown was taken from
	begin  platform.Ticks
	shown  *report.HotLines
}

// SetHotSource sets the source that samples the program, or nil. The module exectrace has one. The zone's card of the
// viewer shows the hot lines, and a command of the viewer starts and stops sampling. Captures and remote viewers get
// the hot lines, too. The methods of the source are called with the session locked and must not call the session. Any
// goroutine may call SetHotSource.
func (s *Session) SetHotSource(source HotSource) {
	s.change()
	defer s.mu.Unlock()
	s.data.hot.source = source
}

// HotSource returns the source that samples the program, or nil. Any goroutine may call it.
func (s *Session) HotSource() HotSource {
	s.lock()
	defer s.mu.Unlock()
	return s.data.hot.source
}

// SetHotZones gives the session the hot lines of another program or of a capture, whose frames WriteFrame writes.
// HotZones then returns them. With nil the session forgets them. Any goroutine may call it.
func (s *Session) SetHotZones(h *report.HotZones) {
	s.change()
	defer s.mu.Unlock()
	s.data.giveHot(h)
}

// giveHot takes hot lines, and the shares of their self time that zones waited.
func (s *intake) giveHot(h *report.HotZones) {
	if s.hot.given, s.Waited = h, nil; h != nil {
		s.Waited = h.Waited
	}
}

// HotZones returns the newest hot lines of all zones, nil if nothing was sampled. It asks the HotSource for newer
// samples and does not wait for them. Any goroutine may call it.
func (s *Session) HotZones() *report.HotZones {
	s.lock()
	defer s.mu.Unlock()
	return s.data.hot.newest()
}

func (f *hotFeed) newest() *report.HotZones {
	if f.source != nil {
		if h := f.source.HotZones(); h != nil {
			return h
		}
	}
	return f.given
}

// lines returns the hot lines of a zone, nil if nothing was sampled. If the frame that began at a time has samples,
// they are the lines of that frame.
func (f *hotFeed) lines(zone report.ZoneID, begin platform.Ticks) *report.HotLines {
	h := f.newest()
	if h == nil {
		return nil
	}
	if f.of != h || f.shown.Zone != zone || f.begin != begin {
		f.of, f.begin, f.shown = h, begin, h.OfFrame(begin, zone)
		if f.shown == nil {
			f.shown = h.Of(zone)
		}
	}
	return f.shown
}

// snapshotHot fills the hot lines around the zone under the cursor.
func (s *intake) snapshotHot(a *report.Around) {
	f := &s.hot
	a.Hot, a.CanSample, a.Sampling = nil, f.source != nil, 0
	if f.source != nil {
		a.Sampling = f.source.Sampling()
	}
	if a.Zone > 0 {
		a.Hot = f.lines(a.Zone, s.HotFrame())
	}
}
