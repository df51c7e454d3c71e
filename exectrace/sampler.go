package exectrace

import (
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// sampler offers the hot lines of a Watcher to the viewer. It reads the trace on a goroutine of its own, at most once a
// second and for a fifth of the time.
type sampler struct {
	watch *Watcher

	mu     sync.Mutex
	stop   func() // not nil while it samples
	rate   int    // 0 while it does not
	before int    // gather.Events before it sampled
	got    *process.HotZones
	busy   bool
	again  bool // it has stopped since the last reading
	next   time.Time
}

// samplingEvents is the number of events of each lane while a sampler runs, if the program keeps none.
const samplingEvents = 1 << 14

// SetSampling starts the sampling at a rate, or stops it. While it samples, lanes keep events.
func (s *sampler) SetSampling(rate int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rate == s.rate {
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
	s.stop, s.rate, s.got, s.again = stop, rate, nil, false
	return nil
}

// end stops the sampling. What was sampled is read once more.
func (s *sampler) end() {
	s.stop()
	s.stop, s.rate, s.again = nil, 0, true
	if s.before == 0 && gather.Events() == samplingEvents {
		gather.SetEvents(0)
	}
}

// Sampling returns the rate, 0 while it does not sample.
func (s *sampler) Sampling() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rate
}

// HotZones returns the last lines of all zones, and has them read anew if it is time.
func (s *sampler) HotZones() *process.HotZones {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.busy && (s.stop != nil || s.again) && time.Now().After(s.next) {
		s.busy, s.again = true, false
		go s.read()
	}
	return s.got
}

// read reads the trace, and tells the session that there is news.
func (s *sampler) read() {
	begin := time.Now()
	h, err := s.watch.hotZones(process.MostHotZones)
	if err != nil {
		h = &process.HotZones{Error: err.Error()}
	}
	s.mu.Lock()
	s.got, s.busy = h, false
	s.next = time.Now().Add(max(time.Second, 4*time.Since(begin)))
	s.mu.Unlock()
	if s.watch.session.HotSource() == process.HotSource(s) {
		s.watch.session.SetHotSource(s)
	}
}
