package heap

import (
	"runtime/metrics"
	"time"
)

// Waits estimates the sums of all goroutines' waiting times: for a processor, and for locks. The runtime measures one
// of sampledOf waits. It counts a wait for a lock that often, but a wait for a processor once.
type Waits struct {
	_       [0]func() // not comparable: the code of == would be in each program
	samples [2]metrics.Sample
	last    [2]time.Duration
	begun   bool
}

var waitNames = [...]string{"/sched/latencies:seconds", "/sync/mutex/wait/total:seconds"}

const sampledOf = 8 // gTrackingPeriod in Go's runtime/runtime2.go

// Read returns the times since the last Read with move. The first Read starts at 0.
func (w *Waits) Read(move bool) (runQueue, locks time.Duration) {
	first := !w.begun
	for i, name := range waitNames {
		w.samples[i].Name = name
	}
	metrics.Read(w.samples[:])
	now := [...]time.Duration{sampledOf * total(w.samples[0].Value), seconds(w.samples[1].Value)}
	if first {
		w.last, w.begun = now, true
	}
	runQueue, locks = max(now[0]-w.last[0], 0), max(now[1]-w.last[1], 0)
	if move {
		w.last = now
	}
	return runQueue, locks
}

func seconds(v metrics.Value) time.Duration {
	if v.Kind() != metrics.KindFloat64 {
		return 0
	}
	return time.Duration(v.Float64() * float64(time.Second))
}
