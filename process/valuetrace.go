package process

import "math"

// valueTrace is one number in each frame of the history: its own values, their running statistics, its averages.
type valueTrace struct {
	level   bool      // stays from frame to frame: it has no averages, and its total is the latest
	v       []float64 // slot = seq % len; NaN where there was none. nil until there is one
	last    uint64    // the newest frame it has a value in
	known   int       // values in v
	total   float64   // of those
	max     float64
	sum     float64 // since start or Reset
	average [averages]float64
	weight  [averages]float64
}

// weights are how much of an average a frame leaves as it was.
type weights [averages]float64

func newWeights(seconds float64) (w weights) {
	for k := range w {
		w[k] = math.Pow(0.1, seconds/settling[k])
	}
	return w
}

// put stores a frame's value in place of the one that goes out of sight. Frames come in order.
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

// forget takes a value out of the statistics; its slot holds another already. That may be the greatest in its place: a number that
// stays as it is would else have all frames looked through for each.
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

// tally counts a value into what it all comes to.
func (t *valueTrace) tally(v float64, known bool) {
	switch {
	case !known:
	case t.level:
		t.sum = v
	default:
		t.sum += v
	}
}

// at returns a frame's value.
func (t *valueTrace) at(seq, next uint64) (v float64, known bool) {
	n := uint64(len(t.v))
	if n == 0 || seq >= next || next-seq > n {
		return 0, false
	}
	v = t.v[seq%n]
	return v, v == v
}

// short is at for a graph: NaN where there is no value.
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

// resize moves the values of the newest frames into a ring of another size.
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

// emptyRing is a ring without values.
func emptyRing(frames int) []float64 {
	ring := make([]float64, frames)
	for i := range ring {
		ring[i] = math.NaN()
	}
	return ring
}
