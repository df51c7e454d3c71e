package calls

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// The limits of what is usual.
const (
	leastCalls = 16 // before that, nothing is known
	farOver    = 2  // times what three quarters of the calls take at most: such a call is far over the usual
	settled    = 64 // calls from which on one of eight is learnt from, so that goroutines seldom write the same words
	finest     = 64 // the least step is this part of the time
)

// Usual is how long the calls of a zone take usually. All goroutines that enter the zone learn it together, without a
// lock: each moves the times a little towards its call. A step that another goroutine overwrites is of no matter. The
// zero value is ready to use.
type Usual struct {
	half, most platform.Ticks // half of the calls take no longer; three quarters
	calls      uint32
	_          [128 - 2*8 - 4]byte // no other words are in its cache lines
}

// Learn takes a call into account. It returns the usual time if the call took far longer, else 0. seed is any number
// that differs from call to call.
//
//go:norace
func (u *Usual) Learn(took, seed platform.Ticks) (usual platform.Ticks) {
	half, most, n := load(&u.half), load(&u.most), atomic.LoadUint32(&u.calls)
	if n >= leastCalls && took > farOver*most {
		usual = max(half, 1)
	}
	if n >= settled && uint64(seed)*0x9E3779B97F4A7C15>>61 != 0 {
		return usual
	}
	if n == 0 {
		half, most = took, took
	}
	part := platform.Ticks(4 + min(n/2, finest-4))
	platform.StoreTicks(&u.half, toward(half, took, half/part+1, half/part+1))
	platform.StoreTicks(&u.most, toward(most, took, 3*(most/part+1), most/part+1))
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
