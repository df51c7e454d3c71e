package process

import "math"

// valueTrace is one number in each frame of the history, with running statistics and averages.
type valueTrace struct {
	level   bool      // it keeps its value from frame to frame: it has no averages, and sum is the latest value
	v       []float64 // slot = seq % len; NaN in frames without a value. nil before the first value
	last    uint64    // newest frame with a value
	known   int       // number of values in v
	total   float64   // sum of the values in v
	max     float64
	sum     float64 // since start or Reset
	average [averages]float64
	weight  [averages]float64
}

// put stores a frame's value. It replaces the oldest. Frames come in order.
func (t *valueTrace) put(seq uint64, frames int, v float64, known bool, keep *weights) {
	if t.v == nil {
		if !known {
			return
		}
		t.v = emptyRing(frames)
	}
	if !known {
		v = math.NaN()
	}
	slot := &t.v[seq%uint64(len(t.v))]
	old := *slot
	*slot = v
	t.forget(old, v)
	t.tally(v, known)
	if !known {
		return
	}
	t.last = seq
	t.known++
	t.total += v
	if t.known == 1 || v > t.max {
		t.max = v
	}
	for k := range keep {
		t.weight[k] = t.weight[k]*keep[k] + 1 - keep[k]
		if t.weight[k] > 0 {
			t.average[k] += (1 - keep[k]) / t.weight[k] * (v - t.average[k])
		}
	}
}

// forget takes an old value out of the statistics. Its slot has the new value already. If the new one is as great as
// the greatest, the ring is not searched: a constant number would search it in every frame.
func (t *valueTrace) forget(old, now float64) {
	if old != old {
		return
	}
	t.known--
	t.total -= old
	if t.known == 0 {
		t.total, t.max = 0, 0
		return
	}
	if old < t.max || now >= t.max {
		return
	}
	t.max = math.Inf(-1)
	for _, v := range t.v {
		if v > t.max {
			t.max = v
		}
	}
}

// tally adds a value to the sum since Reset.
func (t *valueTrace) tally(v float64, known bool) {
	switch {
	case !known:
	case t.level:
		t.sum = v
	default:
		t.sum += v
	}
}

// at returns the value of a frame.
func (t *valueTrace) at(seq, next uint64) (v float64, known bool) {
	n := uint64(len(t.v))
	if n == 0 || seq >= next || next-seq > n {
		return 0, false
	}
	v = t.v[seq%n]
	return v, v == v
}

// short is at for graphs: NaN without a value.
func (t *valueTrace) short(seq, next uint64) float32 {
	if v, known := t.at(seq, next); known {
		return float32(v)
	}
	return float32(math.NaN())
}

func (t *valueTrace) mean() float64 {
	if t.known == 0 {
		return 0
	}
	return t.total / float64(t.known)
}

// resize moves the values of the newest frames to a ring of another size.
func (t *valueTrace) resize(next uint64, frames int) {
	if t.v == nil || len(t.v) == frames {
		return
	}
	old := *t
	t.v, t.known, t.total, t.max = emptyRing(frames), 0, 0, 0
	for seq := next - min(next, uint64(min(frames, len(old.v)))); seq < next; seq++ {
		v, known := old.at(seq, next)
		if !known {
			continue
		}
		t.v[seq%uint64(frames)] = v
		t.total += v
		if t.known++; t.known == 1 || v > t.max {
			t.max = v
		}
	}
}

// emptyRing returns a ring of NaN.
func emptyRing(frames int) []float64 {
	ring := make([]float64, frames)
	for i := range ring {
		ring[i] = math.NaN()
	}
	return ring
}
