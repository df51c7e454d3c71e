//go:build !iprof_off

package gather

import (
	"math"
	"runtime/metrics"
	"time"
)

// What memoryMeter reads, in this order. None of these stops the world.
var memoryNames = [...]string{
	"/gc/heap/allocs:bytes",
	"/gc/heap/allocs:objects",
	"/memory/classes/heap/objects:bytes",
	"/gc/cycles/total:gc-cycles",
	"/sched/pauses/total/gc:seconds",
}

// withoutPauses leaves the histogram of pauses out, which is the dearest of them: it is read only after a collection.
const withoutPauses = len(memoryNames) - 1

// memoryMeter takes differences of the runtime's own counts.
type memoryMeter struct {
	samples [len(memoryNames)]metrics.Sample
	was     [3]uint64 // bytes, objects, cycles
	pauses  time.Duration
	begun   bool
}

// read returns the heap's part since the last read that moved.
func (m *memoryMeter) read(move bool) (f MemoryFrame) {
	first := !m.begun
	if first {
		for i, name := range memoryNames {
			m.samples[i].Name = name
		}
		metrics.Read(m.samples[withoutPauses:])
		m.pauses = total(m.samples[withoutPauses].Value)
		m.begun = true
	}
	metrics.Read(m.samples[:withoutPauses])
	now := [3]uint64{number(m.samples[0].Value), number(m.samples[1].Value), number(m.samples[3].Value)}
	if first {
		m.was = now
	}
	f = MemoryFrame{AllocBytes: now[0] - m.was[0], AllocObjects: now[1] - m.was[1], HeapLive: number(m.samples[2].Value), Cycles: uint32(now[2] - m.was[2])}
	if f.Cycles > 0 {
		metrics.Read(m.samples[withoutPauses:])
		pauses := total(m.samples[withoutPauses].Value)
		f.Pause = pauses - m.pauses
		if move {
			m.pauses = pauses
		}
	}
	if move {
		m.was = now
	}
	return f
}

func number(v metrics.Value) uint64 {
	if v.Kind() != metrics.KindUint64 {
		return 0
	}
	return v.Uint64()
}

// total estimates the sum of a histogram of durations by the middles of its buckets.
func total(v metrics.Value) time.Duration {
	if v.Kind() != metrics.KindFloat64Histogram {
		return 0
	}
	h, sum := v.Float64Histogram(), 0.0
	for i, count := range h.Counts {
		if count > 0 {
			sum += float64(count) * middle(h.Buckets[i], h.Buckets[i+1])
		}
	}
	return time.Duration(sum * float64(time.Second))
}

func middle(low, high float64) float64 {
	switch {
	case math.IsInf(low, -1):
		return high
	case math.IsInf(high, 1):
		return low
	}
	return (low + high) / 2
}
