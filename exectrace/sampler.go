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
	before int    // gather.Events before it sampled
	got    *process.HotLines
	busy   bool
	next   time.Time
}

// samplingEvents is the number of events of each lane while a sampler runs, if the program keeps none.
const samplingEvents = 1 << 14

// SetSampling starts or stops the sampling. While it samples, lanes keep events.
func (s *sampler) SetSampling(on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on == (s.stop != nil) {
		return nil
	}
	if !on {
		s.stop()
		s.stop = nil
		if s.before == 0 && gather.Events() == samplingEvents {
			gather.SetEvents(0)
		}
		return nil
	}
	stop, err := s.watch.Sample()
	if err != nil {
		return err
	}
	if s.before = gather.Events(); s.before == 0 {
		gather.SetEvents(samplingEvents)
	}
	s.stop, s.got = stop, nil
	return nil
}

// Sampling reports whether it samples.
func (s *sampler) Sampling() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stop != nil
}

// HotLines returns the last lines of a zone, and has them read anew if it is time. It does not wait.
func (s *sampler) HotLines(zone process.ZoneID) *process.HotLines {
	s.mu.Lock()
	defer s.mu.Unlock()
	other := s.got != nil && s.got.Zone != zone
	if !s.busy && (s.stop != nil || other) && (other || time.Now().After(s.next)) {
		s.busy = true
		go s.read(zone)
	}
	if s.got == nil || other {
		return nil
	}
	return s.got
}

// read reads the trace, and tells the session that there is news.
func (s *sampler) read(zone process.ZoneID) {
	begin := time.Now()
	h, err := s.watch.HotLines(zone)
	if err != nil {
		h = &process.HotLines{Zone: zone, Error: err.Error()}
	}
	s.mu.Lock()
	s.got, s.busy = h, false
	s.next = time.Now().Add(max(time.Second, 4*time.Since(begin)))
	s.mu.Unlock()
	if s.watch.session.HotSource() == process.HotSource(s) {
		s.watch.session.SetHotSource(s)
	}
}
