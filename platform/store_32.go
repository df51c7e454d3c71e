//go:build 386 || arm || mips || mipsle

package platform

import "sync/atomic"

// StoreTicks writes a word that another goroutine may load atomically at the same time. On a 32-bit machine a plain
// store writes two halves, one after the other, and a half-written sum can have the wrong sign.
//
//go:norace
func StoreTicks(word *Ticks, t Ticks) { atomic.StoreInt64((*int64)(word), int64(t)) }

// Publish writes a word. A goroutine that loads the new value atomically also sees everything written before.
//
//go:norace
func Publish(word *uint64, v uint64) { atomic.StoreUint64(word, v) }
