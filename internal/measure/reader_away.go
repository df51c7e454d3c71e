//go:build !iprof_off

package measure

import (
	"time"

	"example.com/iprof/platform"
)

// This file measures how long the goroutine that ends the frames had no processor because the system gave it to others.

// awayMeter computes Frame.Away from the run delays of the threads on which the goroutine ends frames. registry.mu
// guards it.
type awayMeter struct {
	_           incomparable
	meter       platform.DelayMeter
	threads     [mostThreads]threadDelay // the latest first
	lane        LaneID                   // that ended the last frame read
	at          platform.Ticks           // the end of that frame, 0 if no reading is known
	lastAttempt platform.Ticks           // the end of the frame with the last attempt to read
	timed       bool                     // cost is known
	cost        platform.Ticks           // the least time of a reading
}

// threadDelay is the run delay of a thread at the last reading. The zero value is no thread.
type threadDelay struct {
	thread int
	delay  time.Duration
}

const (
	mostThreads  = 8
	awayShare    = 1000 // a frame shorter than this many readings is not read
	awaysASecond = 10   // but so many are, however short
)

// end returns the time away in a frame from begin to now, which a lane ends. It reads nothing in most frames that are
// so short that a reading would cost a part of them.
func (a *awayMeter) end(begin, now platform.Ticks, rate float64, lane LaneID) Away {
	length := now - begin
	recent := a.lastAttempt != 0 && float64(now-a.lastAttempt) < rate/awaysASecond
	if recent && (a.at == 0 || length < awayShare*a.cost) {
		return Away{}
	}
	thread, delay, ok := a.read()
	last := &a.threads[0]
	moved := last.thread != thread || a.lane != lane
	if moved && recent && length < mostThreads*awayShare*a.cost {
		return Away{}
	}
	if a.lastAttempt = now; !ok {
		*a = awayMeter{meter: a.meter, lastAttempt: now}
		return Away{}
	}
	took := Away{Time: delay - last.delay, Known: AwayExact}
	switch {
	case moved:
		took = a.move(thread, delay)
	case a.at != begin:
		took.Known = AwayAtMost
	}
	last.delay, a.lane, a.at = delay, lane, now
	if took.Known == AwayUnknown {
		return Away{}
	}
	took.Time = max(0, min(took.Time, time.Duration(float64(length)/rate*1e9)))
	return took
}

// read reads the delay of the calling goroutine's thread, and how long that takes.
func (a *awayMeter) read() (thread int, delay time.Duration, ok bool) {
	before := platform.Now()
	thread, delay, ok = a.meter.Read()
	if took := platform.Now() - before; took >= 0 && (!a.timed || took < a.cost) {
		a.timed, a.cost = true, took
	}
	return thread, delay, ok
}

// move makes a thread the first, and returns the delay of all threads since they were read. The goroutine may have been
// on any of them.
func (a *awayMeter) move(thread int, delay time.Duration) Away {
	sum, at, known := delay, len(a.threads)-1, AwayAtMost
	for i := range a.threads {
		t := &a.threads[i]
		switch {
		case t.thread == 0:
		case t.thread == thread:
			sum, at = sum-t.delay, i
		default:
			now, ok := a.meter.Of(t.thread)
			if !ok { // it has ended, and its delay is not known
				*t, known = threadDelay{}, AwayUnknown
				continue
			}
			sum, t.delay = sum+max(0, now-t.delay), now
		}
	}
	copy(a.threads[1:at+1], a.threads[:at])
	a.threads[0] = threadDelay{thread, delay}
	return Away{Time: sum, Known: known}
}

// anew returns a meter without readings, for another clock.
func (a *awayMeter) anew() awayMeter { return awayMeter{meter: a.meter} }
