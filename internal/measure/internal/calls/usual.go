package calls

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// The constants of the estimate of usual durations.
const (
	leastCalls = 16 // fewest calls for an estimate
	farOver    = 2  // a call longer than this times the third quartile is far over the usual
	settled    = 64 // number of calls after which it learns from one in eight: goroutines seldom write the same words
	finest     = 64 // the least step is the time divided by this
)

// Usual estimates the median and the third quartile of the durations of a zone's calls. All goroutines that enter the
// zone update it without a lock: each moves the quantiles a little towards its call. A step lost to another goroutine
// does not matter. The zero value is ready to use.
type Usual struct {
	median, quartile platform.Ticks // the median and the third quartile
	calls            uint32
	_                [128 - 2*8 - 4]byte // keeps other words out of its cache lines
}

// Learn takes a call into account. It returns the usual time if the call took far longer, else 0. seed is any number
// that differs from call to call.
//
//go:norace
func (u *Usual) Learn(took, seed platform.Ticks) (usual platform.Ticks) {
	median, quartile, n := load(&u.median), load(&u.quartile), atomic.LoadUint32(&u.calls)
	if n >= leastCalls && took > farOver*quartile {
		usual = max(median, 1)
	}
	if n >= settled && uint64(seed)*0x9E3779B97F4A7C15>>61 != 0 {
		return usual
	}
	if n == 0 {
		median, quartile = took, took
	}
	part := platform.Ticks(4 + min(n/2, finest-4))
	platform.StoreTicks(&u.median, toward(median, took, median/part+1, median/part+1))
	platform.StoreTicks(&u.quartile, toward(quartile, took, 3*(quartile/part+1), quartile/part+1))
	atomic.StoreUint32(&u.calls, min(n+1, settled*finest))
	return usual
}

// toward moves a time towards a call's, by at most a step.
func toward(from, to, up, down platform.Ticks) platform.Ticks {
	return min(max(to, from-down), from+up)
}

func load(word *platform.Ticks) platform.Ticks {
	return platform.Ticks(atomic.LoadInt64((*int64)(word)))
}
