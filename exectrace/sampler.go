package exectrace

import (
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// sampler offers the hot lines of a Watcher to the viewer. It reads the trace on a goroutine of its own, at most once a
// second and for a fifth of the time.
type sampler struct {
	watch *Watcher

	rate atomic.Int64 // 0 while it does not sample. Each frame reads it, so the mutex does not guard it

	mu        sync.Mutex
	stop      func() // not nil while it samples
	before    int    // gather.Events before sampling began
	got       *report.HotZones
	busy      bool
	restarted bool // sampling has stopped since the last reading
	next      time.Time
}

// samplingEvents is the number of events of each lane while a sampler runs, if the program itself keeps no events.
const samplingEvents = 1 << 14

// SetSampling starts sampling at a rate, or stops it. While it samples, lanes keep events.
func (s *sampler) SetSampling(rate int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rate == s.Sampling() {
		return nil
	}
	if err := checkRate(rate); err != nil && rate != 0 {
		return err
	}
	if s.stop != nil {
		s.end()
	}
	if rate == 0 {
		return nil
	}
	stop, err := s.watch.SampleAt(rate)
	if err != nil {
		return err
	}
	if s.before = gather.Events(); s.before == 0 {
		gather.SetEvents(samplingEvents)
	}
	s.stop, s.got, s.restarted = stop, nil, false
	s.rate.Store(int64(rate))
	return nil
}

// end stops sampling. The samples are read once more.
func (s *sampler) end() {
	s.rate.Store(0)
	s.stop()
	s.stop, s.restarted = nil, true
	if s.before == 0 && gather.Events() == samplingEvents {
		gather.SetEvents(0)
	}
}

// Sampling returns the rate, 0 while it does not sample.
func (s *sampler) Sampling() int { return int(s.rate.Load()) }

// HotZones returns the last lines of all zones, and starts a new reading if it is time.
func (s *sampler) HotZones() *report.HotZones {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.busy && (s.stop != nil || s.restarted) && time.Now().After(s.next) {
		s.busy, s.restarted = true, false
		go s.read()
	}
	return s.got
}

// read reads the trace, and notifies the session of new lines.
func (s *sampler) read() {
	begin := time.Now()
	h, err := s.watch.hotZones(report.MaxHotZones)
	if err != nil {
		h = &report.HotZones{Error: err.Error()}
	}
	s.mu.Lock()
	s.busy = false
	s.next = time.Now().Add(max(time.Second, 4*time.Since(begin)))
	s.mu.Unlock()
	s.take(h)
}

// take takes new lines, keeps the lines of earlier slow frames, and notifies the session.
func (s *sampler) take(h *report.HotZones) {
	s.mu.Lock()
	if s.got != nil {
		h.Frames = withEarlier(h.Frames, s.got.Frames)
	}
	s.got = h
	s.mu.Unlock()
	if s.watch.session.Sources().Sampler == process.HotSource(s) {
		s.watch.session.SetSources(func(c *process.Sources) { c.Sampler = s })
	}
}
