//go:build !iprof_off && (386 || arm || mips || mipsle)

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// storeTicks writes a word that a reader on another goroutine may load at the same time. A 32-bit machine would write its
// halves one after the other, and half a sum has the wrong sign.
//
//go:norace
func storeTicks(word *platform.Ticks, t platform.Ticks) { atomic.StoreInt64((*int64)(word), int64(t)) }
