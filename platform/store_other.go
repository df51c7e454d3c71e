//go:build !(amd64 || 386 || arm || mips || mipsle)

package platform

import "sync/atomic"

// StoreTicks writes a word that another goroutine may load atomically at the same time. A 64-bit store is never
// split.
//
//go:norace
func StoreTicks(word *Ticks, t Ticks) { *word = t }

// Publish writes a word. A goroutine that loads the new value atomically also sees everything written before it.
//
//go:norace
func Publish(word *uint64, v uint64) { atomic.StoreUint64(word, v) }
