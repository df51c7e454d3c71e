//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// woken is a stack of woken lanes. The next Collect takes them.
var woken atomic.Pointer[Lane]

// reportedTo is the end of the last frame, in ticks: parked lanes count as reported up to then.
var reportedTo atomic.Int64

// stayAwake runs in each Collect that found activity on the lane. Both mutexes are held.
func (l *Lane) stayAwake() {
	if l.quiet = 0; l.parking.Load() {
		l.parking.Store(false)
	}
}

// wake wakes the lane at time t, if it is parking or parked. The lane's mutex is held.
func (l *Lane) wake(t platform.Ticks) {
	if !l.parking.Load() {
		return
	}
	l.stayAwake()
	if !l.parked {
		return
	}
	end := platform.Ticks(reportedTo.Load())
	if l.slow.Load() && end > l.last { // as raise does for a lane that is awake
		if l.raised.to != l.last {
			l.raised.from = l.last
		}
		l.last, l.raised.to = end, end
	}
	l.wokeAt = max(t, end)
	if l.proxy != nil {
		l.resume(end)
	} else {
		l.leaveOut(end)
	}
	quiet.Call(l.pushWoken)
}

// pushWoken adds the lane to woken.
func (l *Lane) pushWoken() {
	for {
		l.nextWoke = woken.Load()
		if woken.CompareAndSwap(l.nextWoke, l) {
			return
		}
	}
}

// wakeNow wakes the lane for a function without the slow path, after its writes.
func (l *Lane) wakeNow() {
	if l.parking.Load() {
		l.wakeSlow()
	}
}

//go:noinline
func (l *Lane) wakeSlow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.wake(platform.Now())
	}
}

// leaveOut excludes the time from the last report up to a frame's end from the lane's time.
func (l *Lane) leaveOut(end platform.Ticks) {
	if end = min(end, l.wokeAt); end > l.reportedAt {
		l.base[0].hier += end - l.reportedAt
		l.rests(end - l.reportedAt)
		l.reportedAt = end
	}
}

// rests notes that time has passed on the lane outside zones, and no piece has it. The lane's mutex is held.
func (l *Lane) rests(took platform.Ticks) {
	if !l.isNobodys() {
		l.rest.to += took
	}
}

// resume makes the lane go on from a frame's end. Its proxy has the time until then. The mutex is held.
//
//go:norace
func (l *Lane) resume(end platform.Ticks) {
	end = max(end, l.reportedAt)
	for n := l.at(); n != nil; n = n.parent {
		l.base[n.idx].hier += end - l.reportedAt
	}
	l.reportedAt, l.resumed = end, end
}
