package exectrace

import (
	"slices"
	"sync"
	"time"

	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// cost measures the cost of tracing in the running program: the events per second times the time of an event, plus the
// time to read the events.
type cost struct {
	mu       sync.Mutex
	since    time.Time
	perEvent float64 // ns
	perTrip  float64 // ns of a round trip without a trace
	events   float64 // per second
	reading  time.Duration
	read     bool
}

const (
	trips         = 1000
	eventsPerTrip = 6 // each of two goroutines blocks, wakes up and runs
	attempts      = 7
)

// trip returns the time of a message to another goroutine and its answer, in ns: the median of some attempts. It takes
// the lesser of wall time and processor time: a busy machine increases wall time, a busy program increases processor
// time.
func trip() float64 {
	var ns [attempts]float64
	there, back := make(chan int), make(chan int)
	go func() {
		for v := range there {
			back <- v
		}
		close(back)
	}()
	for i := range ns {
		begin, used := time.Now(), platform.CPUTime()
		for range trips {
			there <- 1
			<-back
		}
		passed := time.Since(begin)
		if used = platform.CPUTime() - used; used > 0 {
			passed = min(passed, used)
		}
		ns[i] = float64(passed.Nanoseconds()) / trips
	}
	close(there)
	<-back
	slices.Sort(ns[:])
	return ns[attempts/2]
}

// before measures without the trace.
func (c *cost) before() { c.perTrip, c.since = trip(), time.Now() }

// begin measures with the trace.
func (c *cost) begin() {
	with := trip()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.perEvent = max(with-c.perTrip, 0) / eventsPerTrip
}

// took adds a reading. The first reading only counts the events; its time is not part of the continuous cost.
func (c *cost) took(s *States, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read {
		c.reading += d
	}
	if seconds := float64(s.End-s.Begin) / 1e9; seconds > 0 {
		c.events, c.read = float64(s.Events)/seconds, true
	}
}

// known reports whether the events were counted.
func (c *cost) known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read
}

// Tracing returns the state and the cost of tracing in the running program. The time of an event is measured with two
// goroutines that send each other messages, with the trace and without it. The number of events is from the last
// reading.
func (w *Watcher) Tracing() report.Tracing {
	c := &w.cost
	c.mu.Lock()
	defer c.mu.Unlock()
	t := report.Tracing{On: true, Measured: c.read, Events: c.events, PerEvent: c.perEvent,
		Every: time.Duration(w.every.Load())}
	if passed := time.Since(c.since); passed > 0 {
		t.Reading = c.reading.Seconds() / passed.Seconds()
	}
	return t
}
