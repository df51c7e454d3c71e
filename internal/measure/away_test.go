//go:build !iprof_off

package measure_test

import (
	"testing"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// machine has a clock of microseconds and threads with run delays, both under the test's control.
type machine struct {
	now    int64
	thread int // on which the test runs; 0: the system does not tell
	delays map[int]time.Duration
}

func newMachine(t *testing.T) *machine {
	m := &machine{thread: 1, delays: map[int]time.Duration{1: time.Hour}}
	platform.SetClock(func() int64 { return m.now }, 1e6)
	platform.SetRunDelay(func(thread int) (int, time.Duration, bool) {
		if thread == 0 {
			thread = m.thread
		}
		delay, ok := m.delays[thread]
		return thread, delay, ok
	})
	t.Cleanup(func() {
		platform.SetRunDelay(nil)
		platform.SetClock(nil, 0)
	})
	return m
}

// frame ends a frame of some milliseconds, in which the thread that ends it was away for some.
func (m *machine) frame(f *measure.Frame, ms, away int64) measure.Away {
	m.now += ms * 1000
	if m.thread != 0 {
		m.delays[m.thread] += time.Duration(away) * time.Millisecond
	}
	measure.Collect(f)
	return f.Away
}

// TestAway has frames with readings of a machine of its own.
func TestAway(t *testing.T) {
	m := newMachine(t)
	var f measure.Frame
	m.frame(&f, 16, 0)
	want := func(what string, got measure.Away, ms int64, known measure.AwayKnown) {
		t.Helper()
		if want := (measure.Away{Time: time.Duration(ms) * time.Millisecond, Known: known}); got != want {
			t.Errorf("%s: got %+v; want %+v", what, got, want)
		}
	}
	want("one thread", m.frame(&f, 16, 5), 5, measure.AwayExact)
	want("nothing", m.frame(&f, 16, 0), 0, measure.AwayExact)
	if f.Disturbed() {
		t.Error("nothing: got a disturbed frame")
	}
	want("most", m.frame(&f, 80, 60), 60, measure.AwayExact)
	if !f.Disturbed() {
		t.Error("most: got no disturbed frame")
	}
	want("more than the frame", m.frame(&f, 10, 20), 10, measure.AwayExact)

	m.thread, m.delays[2], m.delays[1] = 2, 0, m.delays[1]+4*time.Millisecond
	want("a new thread", m.frame(&f, 16, 3), 7, measure.AwayAtMost)
	want("the same thread again", m.frame(&f, 16, 2), 2, measure.AwayExact)
	m.thread, m.delays[2] = 1, m.delays[2]+time.Millisecond
	want("the thread before", m.frame(&f, 16, 8), 9, measure.AwayAtMost)
	want("and again", m.frame(&f, 16, 8), 8, measure.AwayExact)
	m.thread = 2
	delete(m.delays, 1)
	want("a thread has ended", m.frame(&f, 16, 8), 0, measure.AwayUnknown)
	want("afterwards", m.frame(&f, 16, 1), 1, measure.AwayExact)

	done := make(chan measure.Away)
	go func() { done <- m.frame(&f, 16, 3) }()
	want("another goroutine", <-done, 3, measure.AwayAtMost)

	m.thread = 0
	want("the system does not tell", m.frame(&f, 16, 3), 0, measure.AwayUnknown)
	if f.Disturbed() {
		t.Error("unknown: got a disturbed frame")
	}
	m.thread = 2
	m.frame(&f, 200, 3)
	want("it tells again", m.frame(&f, 16, 3), 3, measure.AwayExact)
	platform.SetRunDelay(nil)
	m.frame(&f, 200, 0)
	want("a clock without readings", m.frame(&f, 16, 0), 0, measure.AwayUnknown)
}

// Where a reading takes long, short frames are read ten times a second, and a frame after such a one knows a bound.
func TestAwayOfShortFrames(t *testing.T) {
	m := newMachine(t)
	reads := 0
	platform.SetRunDelay(func(int) (int, time.Duration, bool) {
		reads++
		m.now += 10 // microseconds
		return 1, m.delays[1], true
	})
	var f measure.Frame
	m.frame(&f, 2, 0)
	known := 0
	for range 500 { // a second
		if m.frame(&f, 2, 0).Known != measure.AwayUnknown {
			known++
		}
	}
	if reads > 14 || reads < 8 || known < reads-2 {
		t.Errorf("a second of frames of 2 ms: got %d readings, of %d frames; want about 10", reads, known)
	}
	m.frame(&f, 2, 1)
	if got := m.frame(&f, 40, 20); got != (measure.Away{Time: 21 * time.Millisecond, Known: measure.AwayAtMost}) {
		t.Errorf("a long frame: got %+v; want at most 21 ms", got)
	}
	if got := m.frame(&f, 40, 20); got != (measure.Away{Time: 20 * time.Millisecond, Known: measure.AwayExact}) {
		t.Errorf("the frame after: got %+v; want 20 ms", got)
	}
}
