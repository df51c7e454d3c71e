//go:build !iprof_off

package gather

import (
	"math"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"example.com/iprof/platform"
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

// memoryMode is the MemoryMode. Alloc and Free read it plainly.
var memoryMode = uint32(HeapPerFrame)

// SetMemoryMode chooses how much is measured of the program's memory; values beyond the last are HeapPerZone. It holds from
// now on: lanes follow HeapPerZone at their next Begin or End. Any goroutine may call it.
func SetMemoryMode(m MemoryMode) {
	m = min(m, HeapPerZone)
	if m == HeapPerZone {
		zoneHeap.begin()
	}
	atomic.StoreUint32(&memoryMode, uint32(m))
	askLanes()
}

// Memory returns the memory mode.
func Memory() MemoryMode { return MemoryMode(atomic.LoadUint32(&memoryMode)) }

// memoryMeter takes differences of the runtime's own counts.
type memoryMeter struct {
	samples [len(memoryNames)]metrics.Sample
	was     [3]uint64 // bytes, objects, cycles
	pauses  time.Duration
	begun   bool
}

// read returns the heap's part since the last read that moved, and what it cost to find that out. In the first frame of a
// mode that asks for it there is none.
func (m *memoryMeter) read(move bool) (f MemoryFrame) {
	f.Mode = Memory()
	if f.Mode < HeapPerFrame {
		m.begun = false
		return f
	}
	start := platform.Now()
	if !m.begun {
		m.begin()
	}
	metrics.Read(m.samples[:withoutPauses])
	now := [3]uint64{number(m.samples[0].Value), number(m.samples[1].Value), number(m.samples[3].Value)}
	f.AllocBytes, f.AllocObjects = now[0]-m.was[0], now[1]-m.was[1]
	f.HeapLive, f.Cycles = number(m.samples[2].Value), uint32(now[2]-m.was[2])
	if f.Cycles > 0 {
		f.Pause = m.pause(move)
	}
	if move {
		m.was = now
	}
	f.Cost = platform.Now() - start + zoneHeap.spent(move)
	return f
}

// begin takes the runtime's counts as they are now for nothing.
func (m *memoryMeter) begin() {
	for i, name := range memoryNames {
		m.samples[i].Name = name
	}
	metrics.Read(m.samples[:])
	m.was = [3]uint64{number(m.samples[0].Value), number(m.samples[1].Value), number(m.samples[3].Value)}
	m.pauses = total(m.samples[withoutPauses].Value)
	m.begun = true
}

// pause returns the pauses since the last call that moved.
func (m *memoryMeter) pause(move bool) time.Duration {
	metrics.Read(m.samples[withoutPauses:])
	now := total(m.samples[withoutPauses].Value)
	took := now - m.pauses
	if move {
		m.pauses = now
	}
	return took
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
