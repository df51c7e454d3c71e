package process

import (
	"fmt"

	"example.com/iprof/gather"
)

// The first traces of a session are those of the heap.
const (
	heapAllocated = iota
	heapObjects
	heapLive
	heapCycles
	heapPause
	heapCost
	heapTraces
)

// heapInfo names the heap's traces.
var heapInfo = [heapTraces]struct {
	name  string
	unit  Unit
	level bool
}{
	heapAllocated: {"heap allocated", UnitBytes, false},
	heapObjects:   {"heap objects", UnitNone, false},
	heapLive:      {"live heap", UnitBytes, true},
	heapCycles:    {"garbage collections", UnitNone, false},
	heapPause:     {"collector pauses", UnitMilliseconds, false},
	heapCost:      {"reading the heap", UnitMilliseconds, false},
}

// resize changes the number of frames whose values are kept.
func (t *frameValues) resize(frames int) {
	for i := range t.traces {
		t.traces[i].resize(t.next, frames)
	}
}

// countersWarning is the warning about too many names. Its text changes only with the number, so that a report does not
// allocate.
func (s *Session) countersWarning(calls uint64) string {
	if t := &s.numbers; t.dropped != calls {
		t.dropped = calls
		t.warning = fmt.Sprintf("beyond the limit of names: %d calls of Count and Value, which no value shows", calls)
	}
	return s.numbers.warning
}

// validValues reports whether the values of a frame are finite and belong to its counters.
func validValues(f *gather.Frame) bool {
	for _, v := range f.Values {
		if v.Counter < 0 || int(v.Counter) >= len(f.Counters) || v.Value-v.Value != 0 {
			return false
		}
	}
	return len(f.Counters) <= mostCounters
}

// mostCounters bounds the counters of a frame: WriteFrame takes frames from anywhere.
const mostCounters = 1 << 16

// frameValues holds the values of the frames of the history.
type frameValues struct {
	infos  []gather.CounterInfo
	traces []valueTrace // the heap's, then by counter
	next   uint64       // sequence number of the frame to come

	dropped uint64 // calls in the text of warning
	warning string
}

// begin makes room for the traces of a frame.
func (t *frameValues) begin(f *gather.Frame) {
	if len(f.Counters) < len(t.infos) { // another program's
		t.infos, t.traces = nil, t.traces[:min(len(t.traces), heapTraces)]
	}
	t.infos = f.Counters
	for len(t.traces) < heapTraces+len(t.infos) {
		at := len(t.traces)
		level := at < heapTraces && heapInfo[at].level || at >= heapTraces && t.infos[at-heapTraces].Level
		t.traces = append(t.traces, valueTrace{level: level})
	}
}

// take adds a finished frame of the history.
func (t *frameValues) take(f *gather.Frame, seq uint64, frames int, seconds float64) {
	t.begin(f)
	t.next = seq + 1
	weights := newWeights(seconds)
	t.each(f, func(at int, v float64, known bool) { t.traces[at].put(seq, frames, v, known, &weights) })
}

// total adds a frame that is not in the history.
func (t *frameValues) total(f *gather.Frame) {
	t.begin(f)
	t.each(f, func(at int, v float64, known bool) { t.traces[at].tally(v, known) })
}

// each calls do for every trace with its value in a frame, if it is known. A count without a call is 0.
func (t *frameValues) each(f *gather.Frame, do func(at int, v float64, known bool)) {
	m := &f.Memory
	heap := m.Mode >= gather.MemoryHeapPerFrame
	for at, v := range [heapTraces]float64{
		float64(m.AllocBytes), float64(m.AllocObjects), float64(m.HeapLive),
		float64(m.Cycles), m.Pause.Seconds() * 1000, costOf(f),
	} {
		do(at, v, heap)
	}
	next := 0
	for id := range t.infos {
		v, known := 0.0, !t.infos[id].Level
		if next < len(f.Values) && int(f.Values[next].Counter) == id {
			v, known = f.Values[next].Value, true
			next++
		}
		do(heapTraces+id, v, known)
	}
}

// costOf is the time in ms that the frame spent on reading the heap.
func costOf(f *gather.Frame) float64 {
	return float64(f.Memory.Cost) * 1000 / rateOf(f)
}

// info describes a trace.
func (t *frameValues) info(at int) FrameValue {
	if at < heapTraces {
		return FrameValue{Name: heapInfo[at].name, Kind: ValueHeap, Unit: heapInfo[at].unit}
	}
	info := &t.infos[at-heapTraces]
	v := FrameValue{Name: info.Name, Kind: ValueCount}
	if info.Level {
		v.Kind = ValueLevel
	}
	return v
}

// appendMean appends the means over a list of frames.
func (t *frameValues) appendMean(dst []FrameValue, frames []uint64) []FrameValue {
	for at := range t.traces {
		trace := &t.traces[at]
		sum, n := 0.0, 0
		for _, seq := range frames {
			if v, known := trace.at(seq, t.next); known {
				sum, n = sum+v, n+1
			}
		}
		if n == 0 {
			continue
		}
		v := t.info(at)
		v.Value = sum / float64(n)
		v.Mean, v.Max, v.Total = trace.mean(), trace.max, trace.sum
		dst = append(dst, v)
	}
	return dst
}

// append appends the values of a frame, or their averages if average is not AverageInstant.
func (t *frameValues) append(dst []FrameValue, seq uint64, average Average) []FrameValue {
	for at := range t.traces {
		trace := &t.traces[at]
		value, known := trace.at(seq, t.next)
		if !known {
			continue
		}
		v := t.info(at)
		v.Value = value
		if average < AverageInstant && !trace.level {
			v.Value = trace.average[average]
		}
		v.Mean, v.Max, v.Total = trace.mean(), trace.max, trace.sum
		dst = append(dst, v)
	}
	return dst
}
