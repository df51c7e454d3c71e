package goroutines

import (
	"runtime"
	"strconv"
	"time"

	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// profiled surveys by the goroutine profile. It has stacks only: neither go statements, nor ages, nor who is who.
func (w *Watch) profiled(g *report.Goroutines, n int) {
	records := make([]runtime.StackRecord, n+n/8)
	start := time.Now()
	n, whole := runtime.GoroutineProfile(records)
	g.Took = time.Since(start)
	w.begun()
	if !whole {
		g.Alive, g.Unlisted = n, n
		return
	}
	counts := make(map[[32]uintptr]int, 64)
	for i := range records[:n] {
		counts[records[i].Stack0]++
	}
	now := platform.Now()
	for stack, count := range counts {
		o, ours := resolve(stack[:])
		if ours {
			continue
		}
		g.Alive += count
		s := w.of(o.crowd)
		if s == nil {
			g.Unlisted += count
			continue
		}
		if s.Alive == 0 {
			s.oldest = now
		}
		s.Alive += count
		s.waits[report.GoWait{Reason: o.state, Place: o.place}] += count
	}
}

// waitIn returns the runtime's words for waits in a function, "" if nothing waits in it.
func waitIn(function string) string {
	switch function {
	case "runtime.chansend":
		return "chan send"
	case "runtime.chanrecv":
		return "chan receive"
	case "runtime.selectgo":
		return "select"
	case "runtime.block":
		return "select (no cases)"
	case "time.Sleep":
		return "sleep"
	case "internal/poll.runtime_pollWait":
		return "IO wait"
	case "internal/sync.runtime_SemacquireMutex", "sync.runtime_SemacquireMutex":
		return "sync.Mutex.Lock"
	case "sync.runtime_notifyListWait":
		return "sync.Cond.Wait"
	case "sync.runtime_SemacquireWaitGroup":
		return "sync.WaitGroup.Wait"
	case "sync.runtime_SemacquireRWMutex":
		return "sync.RWMutex.Lock"
	case "sync.runtime_SemacquireRWMutexR":
		return "sync.RWMutex.RLock"
	}
	return ""
}

// resolve reads a stack. ours reports whether the goroutine is the profiler's.
func resolve(stack []uintptr) (o one, ours bool) {
	depth := 0
	for depth < len(stack) && stack[depth] != 0 {
		depth++
	}
	root := ""
	for frames, more := runtime.CallersFrames(stack[:depth]), depth > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if word := waitIn(f.Function); word != "" {
			o.state = word
		}
		if o.place == "" && !ofLibrary(f.Function) {
			o.place = baseOf(f.File) + ":" + strconv.Itoa(f.Line)
		}
		if f.Function != "runtime.goexit" && f.Function != "runtime.main" {
			root = f.Function
		}
	}
	if o.state == "" {
		o.state = "running"
	}
	o.crowd = short(root)
	return o, isOurs(root)
}
