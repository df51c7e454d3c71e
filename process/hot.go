package process

import (
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// HotSource samples a program for a session: see Sources. Any goroutine may call its methods.
type HotSource interface {
	// SetSampling sets the number of samples per second of processor time, MinSampling to MaxSampling; 0 ends
	// sampling. It returns an error if sampling is not possible, or if another rate is in force.
	SetSampling(rate int) error
	// Sampling returns the rate in force, 0 if it does not sample.
	Sampling() int
	// HotZones returns the newest hot lines and asks for newer samples. It does not wait, and returns the same pointer
	// until there are newer ones. If it returns nil, the session shows those of Sources.Hot.
	HotZones() *report.HotZones
}

// bring gives a store the shares of their self time that zones waited.
func (c *Sources) bring(to *store.Store) {
	if to.Waited = nil; c.Hot != nil {
		to.Waited = c.Hot.Waited
	}
}

// HotZones returns the newest hot lines of all zones, nil if nothing was sampled. It asks the Sampler for newer samples
// and does not wait for them. Any goroutine may call it.
func (c Sources) HotZones() *report.HotZones {
	if c.Sampler != nil {
		if h := c.Sampler.HotZones(); h != nil {
			return h
		}
	}
	return c.Hot
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

// snapshotHot fills the hot lines and allocations around the zone under the cursor.
func (v *View) snapshotHot(a *report.Around) {
	c := &v.session.sources
	a.Hot, a.CanSample, a.Sampling = nil, c.Sampler != nil, 0
	a.Allocated = c.Allocated
	if c.Sampler != nil {
		a.Sampling = c.Sampler.Sampling()
	}
	if a.Zone > 0 {
		a.Hot = v.hot.find(c.HotZones(), a.Zone, v.rows.HotFrame())
	}
}
