package process

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// heartbeat notices that the whole process was stopped: by SIGSTOP, by a debugger, with its container. No zone and no
// metric of the runtime shows a stop, but timers fire late. A timer beats ten times a second while frames end, and for
// up to ten seconds in a long frame. A beat takes some microseconds. The timer ends sooner if all goroutines wait. So a
// program without frames takes no power, and the runtime still finds deadlocks.
type heartbeat struct {
	off        atomic.Bool // no frame can be late; the timer would open Go's poller in programs that have no use for it
	set        bool
	due        time.Time
	expiry     platform.Ticks // a timer that has not fired by then never fires: its bubble of testing/synctest is gone
	after      time.Duration
	cpu        time.Duration // of the process when the timer was set
	frames     uint64
	lastFrames uint64 // frames at the last beat
	beats      int    // without a frame
	quiet      int    // beats in a row at which all other goroutines waited
	losses     losses
}

// The limits of the heartbeat.
const (
	firstBeat  = 25 * time.Millisecond  // the interval doubles at each beat without a frame, up to:
	lastBeat   = 100 * time.Millisecond // a longer interval would hide a stop in the work that followed
	mostBeats  = 100                    // without a frame: 10 s
	mostQuiet  = 4                      // without a frame: 0.3 s
	leastLate  = 100 * time.Millisecond
	beatExpiry = 10 // s
)

// frame sets the timer at the end of a frame, if it is not set.
func (h *heartbeat) frame(s *Session, f *gather.Frame, recording bool) {
	h.frames++
	if h.set && f.End < h.expiry || !recording || h.off.Load() || platform.Custom() {
		return
	}
	h.beats = 0
	h.start(s, firstBeat, f.End)
}

// start sets a new timer, at a time of the profiler's own clock. A timer that began in a bubble of testing/synctest
// must not be reset outside the bubble.
func (h *heartbeat) start(s *Session, after time.Duration, now platform.Ticks) {
	if h.cpu = platform.CPUTime(); h.cpu == 0 { // not known: see stopped
		return
	}
	h.set, h.after, h.due = true, after, time.Now().Add(after)
	h.expiry = now + platform.Ticks(beatExpiry*platform.TicksPerSecond())
	time.AfterFunc(after, func() { beat(s) })
}

// beat measures how late the timer is, and sets the next timer while frames end.
func beat(s *Session) {
	end, own := readOwnClock()
	now, cpu := time.Now(), platform.CPUTime() // before the lock
	if own {
		defer noteLosses(s)
	}
	s.frames.front.mu.Lock()
	defer s.frames.front.mu.Unlock()
	h := &s.frames.front.heart
	if !own || h.off.Load() {
		h.set = false
		return
	}
	if late := now.Sub(h.due); h.set && h.stopped(late, cpu-h.cpu) {
		begin := end - platform.Ticks(late.Seconds()*platform.TicksPerSecond())
		measure.AddState(gather.LaneState{Kind: gather.StateGone, Begin: max(begin, 0), End: end,
			Reason: "no timer fired"})
	}
	if h.lastFrames != h.frames {
		h.lastFrames, h.beats, h.quiet = h.frames, 0, 0
	} else if h.quiet++; !platform.OthersWait() {
		h.quiet = 0
	}
	if h.set = false; h.beats < mostBeats && h.quiet < mostQuiet && gather.Recording() {
		h.beats++
		h.start(s, min(firstBeat<<min(h.beats-1, 8), lastBeat), end)
	}
}

// readOwnClock reads the clock. ok is false if the host has set a clock, which may belong to one goroutine.
func readOwnClock() (now platform.Ticks, ok bool) {
	platform.KeepClock()
	defer platform.ReleaseClock()
	if platform.Custom() {
		return 0, false
	}
	return platform.Now(), true
}

// stopped reports whether a late timer means that the process was stopped. If the process used the processors for more
// than half of the delay, one of its goroutines kept a processor, and the process was not stopped.
func (h *heartbeat) stopped(late, used time.Duration) bool {
	before := h.after * time.Duration(runtime.GOMAXPROCS(0))
	return late >= leastLate && used < late/2+before
}

// losses follows the time that the machine took away: by the hypervisor, or by the CPU quota of a container. The system
// reports how much time, but not when. So losses reads it at most ten times a second, not in the program's frames, and
// assigns it to the longest frame since the last read.
type losses struct {
	mu    sync.Mutex // beats may overlap
	meter platform.LossMeter
	read  platform.Ticks // time of the last read, 0 before the first
}

const (
	lossesEvery = 0.1                  // seconds
	leastLoss   = 5 * time.Millisecond // less does not make a frame late
)

// noteLosses reads the losses if the last read is long enough ago. The session is not locked.
func noteLosses(s *Session) {
	m := &s.frames.front.heart.losses
	m.mu.Lock()
	defer m.mu.Unlock()
	now, own := readOwnClock()
	rate := platform.TicksPerSecond()
	if !own || m.read != 0 && float64(now-m.read) < lossesEvery*rate {
		return
	}
	lost, since := m.meter.Read(), m.read
	if m.read = now; since == 0 {
		return
	}
	if lost.Stolen >= leastLoss {
		noteLoss(s, measure.ReasonStolen, lost.Stolen, since, now)
	}
	if lost.Throttled >= leastLoss {
		noteLoss(s, measure.ReasonThrottled, lost.Throttled, since, now)
	}
}

// noteLoss adds the state of a loss between two times.
func noteLoss(s *Session, reason string, lost time.Duration, since, now platform.Ticks) {
	s.lock()
	begin, end := s.frames.longestFrame(since, now)
	s.mu.Unlock()
	end = min(end, begin+platform.Ticks(lost.Seconds()*platform.TicksPerSecond()))
	measure.AddState(gather.LaneState{Kind: gather.StateGone, Begin: begin, End: end, Reason: reason})
}

// longestFrame returns the longest frame that overlaps a stretch of time, the frame in progress included. The session
// is locked.
func (in *intake) longestFrame(since, now platform.Ticks) (begin, end platform.Ticks) {
	begin, end = since, now
	if in.store.Past.Next > in.store.Past.First() {
		begin = max(begin, in.store.Past.At(in.store.Past.Next-1).To)
	}
	for seq := in.store.Past.Next; seq > in.store.Past.First(); seq-- {
		p := in.store.Past.At(seq - 1)
		if p.To <= since {
			break
		}
		if p.To-p.From > end-begin {
			begin, end = p.From, p.To
		}
	}
	return begin, end
}
