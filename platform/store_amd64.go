package platform

// StoreTicks writes a word that another goroutine may load atomically at the same time. A 64-bit store is never
// split.
//
//go:norace
func StoreTicks(word *Ticks, t Ticks) { *word = t }

// Publish writes a word. A goroutine that loads the new value atomically also sees everything written before it: this
// processor keeps stores in order. An atomic store would be a locked exchange, which costs more than the rest of a
// zone. See BenchmarkPerCall in package measure.
//
//go:norace
func Publish(word *uint64, v uint64) { *word = v }
