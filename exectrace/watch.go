package exectrace

import (
	"bytes"
	"fmt"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Watcher gives a session the states of the last seconds. Any goroutine may call its methods.
type Watcher struct {
	session  *process.Session
	recorder *trace.FlightRecorder
	stop     chan struct{}
	done     chan struct{}
	once     sync.Once
	remove   func()
	slow     atomic.Bool // a slow frame has ended
	sampler  *sampler
	since    atomic.Int64 // ticks at the last start of the samples
	slowest  slowest
	every    atomic.Int64 // nanoseconds between readings while frames run; 0: no readings

	cost  cost
	offer *offer // the offer that it belongs to

	mu    sync.Mutex // one reading at a time
	err   error
	texts lineTexts
}

// The window of a Watcher.
const (
	windowTime  = 5 * time.Second
	windowBytes = 16 << 20
	lookEvery   = 250 * time.Millisecond
	slowEvery   = 2 * time.Second // least time between readings for slow frames
	slowTimes   = 2               // frame budgets that make a slow frame
	rest        = 4               // pause after a reading while frames run, in times of the reading
)

// Watch starts a flight recorder for the running program, with a window of 5 seconds and 16 MB. The frames of the
// window get their states when the session is paused, and soon after a frame took twice its budget, but at most every
// two seconds. Take does it at any time, TakeEvery at an interval. The zone's card of the viewer can start to sample
// hot lines. The command trace of the viewer stops the Watcher and starts another: see Offer. The error is the
// recorder's, because a program can have only one. The Watcher has a goroutine of its own until Stop.
func Watch(s *process.Session) (*Watcher, error) {
	o := &offer{session: s}
	if err := o.SetTracing(true); err != nil {
		return nil, err
	}
	s.SetSources(func(c *process.Sources) { c.Tracer = o })
	return o.watch.Load(), nil
}

// start starts a Watcher.
func start(s *process.Session) (*Watcher, error) {
	w := &Watcher{session: s, stop: make(chan struct{}), done: make(chan struct{})}
	w.recorder = trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: windowTime, MaxBytes: windowBytes})
	w.cost.before()
	if err := w.recorder.Start(); err != nil {
		return nil, fmt.Errorf("exectrace: %w", err)
	}
	w.sampler = &sampler{watch: w}
	w.remove = s.AddSink(slowFrames{w})
	s.SetSources(func(c *process.Sources) { c.Sampler = w.sampler })
	go w.look()
	return w, nil
}

// look takes the states of the window after each pause of the session.
func (w *Watcher) look() {
	defer close(w.done)
	w.cost.begin()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	paused := false
	last := time.Time{}
	next := time.Time{}
	began := time.Now()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		was := paused
		paused = w.session.Paused()
		count := !w.cost.known() && time.Since(began) > time.Second
		every := time.Duration(w.every.Load())
		live := every > 0 && !paused && time.Now().After(next)
		if paused && !was || count || live || time.Since(last) > slowEvery && w.slow.Load() {
			w.slow.Store(false)
			last = time.Now()
			_ = w.Take() // Err returns the error
			next = last.Add(max(every-lookEvery/2, rest*time.Since(last)))
		}
	}
}

// TakeEvery takes the states once every d while frames run, at most four times a second: a shorter interval is raised
// to 250 ms. 0 or less stops it, which is the default. Each reading takes a microsecond for an event of the window. The
// pause after a reading is at least four times as long, so the readings take at most a fifth of a processor. Tracing
// returns their cost.
func (w *Watcher) TakeEvery(d time.Duration) {
	if d > 0 {
		d = max(d, lookEvery)
	}
	w.every.Store(int64(max(d, 0)))
}

// Take gives the session the states of the window. It takes about a microsecond an event, and some megabytes.
func (w *Watcher) Take() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = w.take()
	return w.err
}

func (w *Watcher) take() error {
	lanes := w.session.AppendGoroutines(nil)
	states, err := w.window(lanes)
	if err != nil {
		return err
	}
	if err := states.AddTo(w.session); err != nil || w.sampler.Sampling() == 0 {
		return err
	}
	h, err := w.hotOf(states, lanes, report.MaxHotZones)
	if err == nil {
		w.sampler.take(h)
	}
	return err
}

// window reads the window of the recorder. The mutex is held.
func (w *Watcher) window(lanes []report.LaneGoroutine) (*States, error) {
	var b bytes.Buffer
	begin := time.Now()
	MarkClock()
	if _, err := w.recorder.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("exectrace: %w", err)
	}
	var numbers []uint64
	for _, l := range lanes {
		numbers = append(numbers, l.Goroutine)
	}
	states, err := Read(&b, numbers...)
	if states != nil {
		w.cost.took(states, time.Since(begin))
	}
	return states, err
}

// Err returns the error of the last reading, or nil.
func (w *Watcher) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Stop stops the recorder and the goroutine. The session keeps its states.
func (w *Watcher) Stop() {
	if w.offer != nil {
		w.offer.watch.CompareAndSwap(w, nil)
	}
	w.end()
}

func (w *Watcher) end() {
	w.once.Do(func() {
		w.remove()
		_ = w.sampler.SetSampling(0)
		if w.session.Sources().Sampler == process.HotSource(w.sampler) {
			w.session.SetSources(func(c *process.Sources) { c.Sampler = nil })
		}
		close(w.stop)
	})
	<-w.done
	w.recorder.Stop()
}

// slowFrames is a sink that notifies a Watcher of slow frames.
type slowFrames struct{ *Watcher }

// WriteFrame does nothing: sessions call WriteJudged.
func (slowFrames) WriteFrame(*gather.Frame) error { return nil }

// WriteJudged notifies the Watcher if a frame took too long.
func (w slowFrames) WriteJudged(f *gather.Frame, j *process.Judged) error {
	if j.Budget > 0 && j.Time > j.Budget && w.sampler.Sampling() > 0 {
		w.slowest.add(f, j.Time.Nanoseconds())
	}
	if j.Budget > 0 && j.Time > slowTimes*j.Budget {
		w.slow.Store(true)
	}
	return nil
}
