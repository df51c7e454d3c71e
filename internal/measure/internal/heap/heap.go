// Package heap reads the program's allocations on the Go heap from runtime/metrics.
//
// A Frame reads the figures of a whole frame. A Meter reads the growth of two counts at any moment, to charge it to a
// zone. Neither stops the world.
package heap

import (
	"math"
	"runtime/metrics"
	"time"

	"example.com/iprof/platform"
)

// The metrics, in the order of reading.
var names = [...]string{
	"/gc/heap/allocs:bytes",
	"/gc/heap/allocs:objects",
	"/memory/classes/heap/objects:bytes",
	"/gc/cycles/total:gc-cycles",
	"/sched/pauses/total/gc:seconds",
	"/cpu/classes/gc/mark/assist:cpu-seconds",
}

// withoutPauses leaves out the histogram of pauses, and the assists that only change at the end of a collection. These
// are the most expensive metrics, so Frame reads them only after a collection.
const withoutPauses = len(names) - 2

// Figures are the figures of a frame.
type Figures struct {
	Bytes, Objects uint64        // allocated by the program: see BeginOwn
	Live           uint64        // bytes in live objects now
	Cycles         uint32        // garbage collections that ended
	Pause          time.Duration // their stop-the-world pauses
	Assist         time.Duration // sum of the work of allocating goroutines for them

	RunQueue, LockWait time.Duration  // of all goroutines, estimated: see Waits
	Cost               platform.Ticks // of reading
}

// Frame reads the figures of frames. The zero value is ready for use. Only one goroutine may use it.
type Frame struct {
	_       [0]func() // not comparable: the code of == would be in each program
	samples [len(names)]metrics.Sample
	last    [3]uint64 // bytes, objects, cycles
	payer   payer
	pauses  time.Duration
	assists time.Duration
	begun   bool
	waiting Waits
	waited  platform.Ticks // time of the last reading of waits, 0 for never
}

// waitsEvery is the least time in seconds between two readings of the waits. A reading takes some microseconds, so
// shorter frames share one.
const waitsEvery = 0.002

// Read returns the figures since the last Read with move. The first frame, and the first one after Stop, starts at 0.
// now is the time on a clock with rate ticks per second.
func (f *Frame) Read(now platform.Ticks, rate float64, move bool) (d Figures) {
	begun := platform.Now()
	f.readHeap(&d, move)
	if f.waited == 0 || float64(now-f.waited) >= waitsEvery*rate {
		if d.RunQueue, d.LockWait = f.waiting.Read(move); move {
			f.waited = now
		}
	}
	d.Cost = max(platform.Now()-begun, 0) // the clock may have been set back, or replaced
	return d
}

// readHeap reads all metrics except the waits.
func (f *Frame) readHeap(d *Figures, move bool) {
	if !f.begun {
		f.start()
	}
	metrics.Read(f.samples[:withoutPauses])
	now := f.counts()
	grown := f.payer.less(counts{now[0] - f.last[0], now[1] - f.last[1]}, move)
	d.Bytes, d.Objects, d.Cycles = grown[0], grown[1], uint32(now[2]-f.last[2])
	d.Live = number(f.samples[2].Value)
	if d.Cycles > 0 {
		d.Pause, d.Assist = f.collected(move)
	}
	if move {
		f.last = now
	}
}

// Stop ends the reading of frames.
func (f *Frame) Stop() { f.begun = false }

// start makes the current counts the baseline.
func (f *Frame) start() {
	for i, name := range names {
		f.samples[i].Name = name
	}
	metrics.Read(f.samples[:])
	f.last, f.begun = f.counts(), true
	f.payer.begin()
	f.pauses, f.assists = f.collector()
}

// counts returns the latest readings of bytes, objects and cycles.
func (f *Frame) counts() [3]uint64 {
	return [3]uint64{number(f.samples[0].Value), number(f.samples[1].Value), number(f.samples[3].Value)}
}

// collected returns the pauses and the assists since the last call with move.
func (f *Frame) collected(move bool) (pause, assist time.Duration) {
	metrics.Read(f.samples[withoutPauses:])
	pauses, assists := f.collector()
	pause, assist = pauses-f.pauses, max(assists-f.assists, 0)
	if move {
		f.pauses, f.assists = pauses, assists
	}
	return pause, assist
}

// collector returns the latest readings of pauses and assists.
func (f *Frame) collector() (pauses, assists time.Duration) {
	if v := f.samples[withoutPauses+1].Value; v.Kind() == metrics.KindFloat64 {
		assists = time.Duration(v.Float64() * float64(time.Second))
	}
	return total(f.samples[withoutPauses].Value), assists
}

func number(v metrics.Value) uint64 {
	if v.Kind() != metrics.KindUint64 {
		return 0
	}
	return v.Uint64()
}

// total estimates the sum of a histogram of durations from the middles of its buckets.
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
