//go:build cgo || windows

package gl

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// The package keeps a timer for each context with GPU zones: its queries and its lane. The window system names the
// current context. Query objects belong to one context, even if it shares other objects.

// maxTimers is the greatest number of timers. Beyond it, the least recently used timer is forgotten.
const maxTimers = 16

var timers struct {
	sync.Mutex
	list []*timer // most recently used first
	any  atomic.Bool
	made int
}

var (
	errNoTimers = errors.New("profgl: no GPU lane: this OpenGL context has no timer queries: " +
		"OpenGL 3.3, GL_ARB_timer_query or GL_EXT_disjoint_timer_query has them")
	errCompiledOut = errors.New("profgl: no GPU lane: " + report.CompiledOut)

	errNoCounter = errors.New("profgl: no GPU lane: this OpenGL driver counts no time in its queries")
)

// GPULane returns the lane of the current context's GPU zones. The first zone makes the lane. The error says in one
// line why a context has no lane. If the driver has no timestamps (macOS), only outermost zones are timed, and the
// lane's name says so.
func GPULane() (*gather.ForeignLane, error) {
	if !gather.Enabled {
		return nil, errCompiledOut
	}
	handle := currentContext()
	if handle == 0 {
		return nil, errNoContext
	}
	t := timerOf(handle, true)
	return t.lane, t.why
}

// timerOf returns the timer of the current context. If there is no timer, it makes one if make is set, and otherwise
// returns nil.
func timerOf(handle uintptr, make bool) *timer {
	timers.Lock()
	defer timers.Unlock()
	list := timers.list
	for i, t := range list {
		if t.handle == handle {
			copy(list[1:i+1], list[:i])
			list[0] = t
			return t
		}
	}
	if !make {
		return nil
	}
	if len(list) == maxTimers {
		list[maxTimers-1].lane.Close()
		list = list[:maxTimers-1]
	}
	t := newTimer(handle)
	timers.list = append([]*timer{t}, list...)
	timers.any.Store(true)
	return t
}

// forgetTimer drops the timer of a deleted context, whose number another context has reused.
func forgetTimer(gone *timer) {
	timers.Lock()
	defer timers.Unlock()
	for i, t := range timers.list {
		if t == gone {
			timers.list = append(timers.list[:i:i], timers.list[i+1:]...)
			break
		}
	}
	gone.lane.Drop(int(gone.tail - gone.head))
	gone.lane.Close()
}

// laneName names the lane of the next timer.
func laneName(kind timerKind) string {
	name := "GPU"
	if timers.made++; timers.made > 1 {
		name += " " + strconv.Itoa(timers.made)
	}
	if kind == timerElapsed {
		name += " (outermost zones only)"
	}
	return name
}

// gpuScope is an open entry of a zone on a GPU lane.
type gpuScope struct {
	timer *timer
	at    uint32
}

// beginGPU enters a zone on the lane of the current context. It makes a lane only if may is set.
func beginGPU(z *Zone, may bool) gpuScope {
	if !may && !timers.any.Load() {
		return gpuScope{}
	}
	handle := currentContext()
	if handle == 0 {
		return gpuScope{}
	}
	t := timerOf(handle, may)
	if t != nil && t.isGone() {
		forgetTimer(t)
		t = timerOf(handle, may)
	}
	if t == nil || t.kind == timerNone {
		return gpuScope{}
	}
	return t.begin(z)
}

func (s gpuScope) end() {
	switch {
	case s.timer == nil:
	case currentContext() != s.timer.handle:
		s.timer.broken.Store(true)
	default:
		s.timer.end(s.at)
	}
}
