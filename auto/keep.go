package auto

import (
	"runtime"
	"sync/atomic"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// What was measured is written soon after the start, as a program may end soon, and then each tenth of a second.
var firstFrames = []time.Duration{200 * time.Microsecond, 300 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 3 * time.Millisecond, 5 * time.Millisecond, 15 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond}

const (
	laterFrames = 100 * time.Millisecond
	tickShare   = 25 // times as long as a tick takes passes at least before the next: a lane of 16,000 nodes takes 2 ms
)

// A pending timer would keep the runtime from finding that all goroutines are asleep, and work would cost a program
// that waits. So this package waits without a timer once the program uses less than leastWork of processor time in an
// interval, until a zone is entered. With frames of a given length it takes restAfter without work. Zones entered
// before the last frame are in that frame. A zone entered later ends the rest.
const (
	leastWork = 300 * time.Microsecond
	restAfter = time.Second
)

// mostTaken is how many bytes the work of a tick takes of the heap at most. What takes more says so itself.
const mostTaken = 128 << 10

// keep ends frames, judges functions and writes the recording until the program ends.
func keep() {
	gather.LeaveOut(true) // what it calls may have zones: see Options.Std in package instrument
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

// worked is how many nanoseconds keep has worked, and not slept.
var worked atomic.Int64

// keeper is the state of keep.
type keeper struct {
	settings Settings
	judge    judge
	waits    waits
	cpu      time.Duration // of the process at the end of the last interval
	own      time.Duration // that the last tick took
	took     time.Duration // the same without waiting for a processor
	worked   time.Time     // when the program was last seen to work
	idle     bool          // in the last interval
	woken    chan struct{}
}

// updateZone is the name of the zone in which process.Session.Update works.
const updateZone = "iprof update"

// wake ends the rest when a zone is entered, but not that of the last frame before the rest.
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

// interval returns how long to sleep before tick n.
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

// rest waits until a zone is entered. Zones that are open wait on meanwhile.
func (k *keeper) rest() {
	for k.settings.Listen != "" {
		select {
		case <-k.woken:
			return
		case <-time.After(time.Until(k.waits.next)): // a server has opened Go's poller anyway
			k.timed(func(time.Duration) bool { k.waits.show(); return true })
		}
	}
	<-k.woken
}

// timed does work of the profiler's and counts what that takes. It returns the same.
func (k *keeper) timed(work func(cpu time.Duration) bool) bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread := platform.LockedThread()
	begin, cpu, before := time.Now(), platform.CPUTime(), platform.ThreadTime(thread)
	defer gather.LeaveOutHeap(mostTaken)()
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

// tick does what is done after each interval. It reports whether to rest until k.woken.
func (k *keeper) tick(cpu time.Duration) (rests bool) {
	if cpu-k.cpu-k.own > leastWork {
		k.idle, k.worked = false, time.Now()
	} else {
		k.idle = true
	}
	if rests = k.rests(); rests {
		gather.OnNextEntry(k.wake)
	}
	if k.settings.Every > 0 || !k.settings.Frames {
		Frame()
	}
	if k.settings.Mute {
		k.judge.all()
	}
	readLines(false)
	k.waits.show()
	recording.flush(k.idle)
	return rests
}

// rests reports whether the program does nothing, so that there is nothing to do here either.
func (k *keeper) rests() bool {
	if k.settings.Every > 0 {
		return k.idle && time.Since(k.worked) > restAfter
	}
	return k.idle
}

// finish writes what was measured since the last frame, and the end of the recording.
func finish() {
	if recording.out == nil {
		return
	}
	defer gather.LeaveOutHeap(mostTaken)()
	process.Default().Update()
	readLines(true)
	if settings().Mute {
		judgeRun()
	}
	recording.close()
}
