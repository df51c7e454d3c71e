//go:build !iprof_off && !(386 || arm || mips || mipsle)

package gather

import "example.com/iprof/platform"

// storeTicks writes a word that a reader on another goroutine may load at the same time. A 64-bit machine writes it whole.
//
//go:norace
func storeTicks(word *platform.Ticks, t platform.Ticks) { *word = t }
