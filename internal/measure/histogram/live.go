package histogram

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// Live counts durations on one goroutine while others read it. The zero value is empty. Its memory comes in octaves, as
// they are needed.
type Live struct {
	octaves [octaveCount]atomic.Pointer[octave]
}

type octave [octaveSteps]uint64

// MaxBytes bounds the memory of all Lives together, in bytes.
const MaxBytes = 8 << 20

const (
	liveBytes   = (octaveCount + 4) * 8
	octaveBytes = octaveSteps * 8
)

// take takes memory, and reports whether there was room.
func take(bytes int64) bool {
	if budget.Held(budget.Calls)+bytes > MaxBytes || !budget.Fits(bytes) {
		return false
	}
	budget.Add(budget.Calls, bytes)
	return true
}

// Reserve reports whether there is memory for another Live, which Free gives back.
func Reserve() bool { return take(liveBytes) }

// Free gives the memory back.
func (l *Live) Free() {
	bytes := int64(liveBytes)
	for i := range l.octaves {
		if l.octaves[i].Load() != nil {
			bytes += octaveBytes
		}
	}
	budget.Add(budget.Calls, -bytes)
}

// Count counts a duration. It returns false if there is no memory. Only the owning goroutine calls it.
//
//go:norace
func (l *Live) Count(took platform.Ticks) bool {
	i, step := bucketOf(took)
	o := l.octave(i)
	if o == nil {
		return false
	}
	o[step]++
	return true
}

// octave returns octave i, which it makes on first use, or nil if there is no memory.
//
//go:norace
func (l *Live) octave(i int) *octave {
	o := l.octaves[i].Load()
	if o == nil && take(octaveBytes) {
		o = new(octave)
		l.octaves[i].Store(o)
	}
	return o
}

// Drain empties the histogram, and adds it to another one that the same goroutine writes, or to none if to is nil.
//
//go:norace
func (l *Live) Drain(to *Live) {
	for i := range l.octaves {
		o := l.octaves[i].Load()
		if o == nil {
			continue
		}
		if to != nil && *o != (octave{}) {
			if sum := to.octave(i); sum != nil {
				for step, count := range o {
					sum[step] += count
				}
			}
		}
		*o = octave{}
	}
}

// AddTo adds the counts to a histogram, but not their sum. Any goroutine may call it.
func (l *Live) AddTo(h *Histogram) {
	for i := range l.octaves {
		o := l.octaves[i].Load()
		if o == nil {
			continue
		}
		for step := range o {
			if count := atomic.LoadUint64(&o[step]); count > 0 {
				h.add(bucketAt(i, step, count))
				h.Count += count
			}
		}
	}
}
