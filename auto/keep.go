package auto

import (
	"runtime"
	"sync/atomic"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// The measurements are written soon after the start, because a program may end soon, and then each tenth of a second.
var firstFrames = []time.Duration{200 * time.Microsecond, 300 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 3 * time.Millisecond, 5 * time.Millisecond, 15 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond}

const (
	laterFrames = 100 * time.Millisecond
	tickShare   = 25 // least interval between ticks, in multiples of the time of one: a lane of 16,000 nodes takes 2 ms
)

// A pending timer would keep the runtime from reporting a deadlock of all goroutines, and its work would cost a waiting
// program time. So once the program uses less than leastWork of processor time in an interval, this package rests
// without a timer until the next entry of a zone. With frames of a given length it rests only after restAfter without
// work. Zones entered before the last frame are in that frame. A zone entered later ends the rest.
const (
	leastWork = 300 * time.Microsecond
	restAfter = time.Second
)

// mostTaken is the greatest number of heap bytes that a tick allocates. Functions that take more declare it themselves.
const mostTaken = 128 << 10

// keep ends frames, judges functions and writes the recording until the program ends.
func keep() {
	measure.LeaveOut(true) // its callees may have zones: see Options.Std in package instrument
	s := settings()
	k := keeper{settings: s, cpu: platform.CPUTime(), worked: time.Now(), woken: make(chan struct{}, 1)}
	if s.Mute {
		process.Default().AddSink(&k.judge)
	}
	for n := 0; ; n++ {
		sleep(k.interval(n))
		if k.timed(k.tick) {
			k.rest()
			k.worked = time.Now()
		}
	}
}

// worked is the working time of keep in nanoseconds, without sleep.
var worked atomic.Int64

// keeper is the state of keep.
type keeper struct {
	settings Settings
	judge    judge
	waits    waits
	cpu      time.Duration // processor time of the process at the end of the last interval
	own      time.Duration // duration of the last tick
	took     time.Duration // the same without waits for a processor
	worked   time.Time     // last time at which the program worked
	idle     bool          // the program did nothing in the last interval
	woken    chan struct{}
}

// updateZone is the name of the zone of process.Session.Update.
const updateZone = "iprof update"

// wake ends the rest at the entry of a zone, except the zone of the last frame before the rest.
func (k *keeper) wake(entered *gather.Zone) bool {
	if entered == nil || entered.Name == updateZone {
		return false
	}
	select {
	case k.woken <- struct{}{}:
	default:
	}
	return true
}

// interval returns the time to sleep before tick n.
func (k *keeper) interval(n int) time.Duration {
	next := laterFrames
	switch {
	case k.settings.Every > 0:
		return k.settings.Every
	case n < len(firstFrames):
		next = firstFrames[n]
	}
	return max(next, min(tickShare*k.took, time.Second))
}

// rest waits until the next entry of a zone. Open zones stay open.
func (k *keeper) rest() {
	for k.settings.Listen != "" {
		select {
		case <-k.woken:
			return
		case <-time.After(time.Until(k.waits.next)): // a server uses Go's poller anyway
			k.timed(func(time.Duration) bool { k.waits.show(); return true })
		}
	}
	<-k.woken
}

// timed does work of the profiler and counts its time. It returns the result of work.
func (k *keeper) timed(work func(cpu time.Duration) bool) bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread := platform.LockedThread()
	begin, cpu, before := time.Now(), platform.CPUTime(), platform.ThreadTime(thread)
	defer measure.LeaveOutHeap(mostTaken)()
	result := work(cpu)
	k.cpu, k.own = platform.CPUTime(), time.Since(begin)
	own := min(k.own, k.cpu-cpu) // the program works meanwhile, too
	if used := platform.ThreadTime(thread) - before; thread != 0 {
		own = used
	}
	worked.Add(int64(own))
	k.took = own
	return result
}

// tick does the work after each interval. It reports whether to rest until k.woken.
func (k *keeper) tick(cpu time.Duration) (rests bool) {
	if cpu-k.cpu-k.own > leastWork {
		k.idle, k.worked = false, time.Now()
	} else {
		k.idle = true
	}
	if rests = k.rests(); rests {
		measure.OnNextEntry(k.wake)
	}
	if k.settings.Every > 0 || !k.settings.Frames {
		cut()
	}
	if k.settings.Mute {
		k.judge.all()
	}
	readLines(false)
	k.waits.show()
	recording.flush(k.idle)
	return rests
}

// rests reports whether the program does nothing, so that this goroutine can rest, too.
func (k *keeper) rests() bool {
	if k.settings.Every > 0 {
		return k.idle && time.Since(k.worked) > restAfter
	}
	return k.idle
}

// finish writes the measurements since the last frame, and the end of the recording.
func finish() {
	if recording.out == nil {
		return
	}
	defer measure.LeaveOutHeap(mostTaken)()
	process.Default().Update()
	readLines(true)
	if settings().Mute {
		judgeRun()
	}
	recording.close()
}
