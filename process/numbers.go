package process

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// SetMemoryMode sets how much is measured of the program's memory, from the next frame on. It does nothing in a session
// that WriteFrame feeds. For the modes and their cost see gather.MemoryMode. Any goroutine may call it.
func (s *Session) SetMemoryMode(m gather.MemoryMode) {
	s.change()
	running := s.running()
	s.mu.Unlock()
	if running {
		gather.SetMemoryMode(m)
	}
}

// MemoryMode returns the mode set with SetMemoryMode. In a session that WriteFrame feeds, it is the mode of the newest
// frame. Any goroutine may call it.
func (s *Session) MemoryMode() gather.MemoryMode {
	s.lock()
	defer s.mu.Unlock()
	return s.memoryMode()
}

// memoryMode is the mode of the running program, or of the newest frame.
func (s *store) memoryMode() gather.MemoryMode {
	if s.running() {
		return gather.Memory()
	}
	if p := s.past.Age(0); p != nil {
		return p.Memory
	}
	return gather.MemoryOff
}

// heapCost is the time in ms that the viewed frame or average spent on reading the heap.
func (s *builder) heapCost(v *report.View, p *history.Frame) float64 {
	if s.smooth(v) && history.HeapCost < len(s.numbers.List) && p.Memory >= gather.MemoryHeapPerFrame {
		return s.numbers.List[history.HeapCost].Average[v.Average]
	}
	return float64(p.HeapCost)
}

// appendValues appends the numbers of the frames that a view shows.
func (s *builder) appendValues(dst []report.FrameValue, v *report.View) []report.FrameValue {
	if v.LensInForce().Kind != report.LensOff {
		return s.numbers.AppendMean(dst, s.lens.Frames)
	}
	p := s.shown(v)
	if p == nil {
		return dst
	}
	average := v.Average
	if !s.smooth(v) {
		average = report.AverageInstant
	}
	return s.numbers.Append(dst, p.Seq, average)
}

// appendValueSeries appends a series of each number in the newest frames, at most frames of them.
func (s *store) appendValueSeries(dst []report.ValueSeries, frames int) []report.ValueSeries {
	for at := range s.numbers.List {
		t := &s.numbers.List[at]
		if t.Known == 0 {
			continue
		}
		var values []float32
		if n := len(dst); n < cap(dst) {
			values = dst[:n+1][n].Values[:0]
		}
		for seq := s.past.Since(frames); seq < s.past.Next; seq++ {
			values = append(values, t.Short(seq, s.numbers.Next))
		}
		v := s.numbers.Info(at)
		v.Value, _ = t.At(t.Last, s.numbers.Next)
		v.Mean, v.Max, v.Total = t.Mean(), t.Max(), t.Sum
		dst = append(dst, report.ValueSeries{FrameValue: v, Values: values})
	}
	return dst
}

// dumpValues returns the series of all numbers. Their totals include the unfinished frame in s.peek. A number that is
// only in the unfinished frame has an empty series.
func (d *dumped) dumpValues(frames int) []report.ValueSeries {
	s := d.Session
	all := s.appendValueSeries(nil, frames)
	if !s.running() || s.paused {
		return all
	}
	s.numbers.Begin(&s.peek)
	s.numbers.Each(&s.peek, func(at int, v float64, known bool) {
		if known {
			all = s.numbers.AddTotal(all, at, v)
		}
	})
	return all
}

// countersWarning is the warning about too many names. Its text changes only with the number, so that a report does not
// allocate.
func (s *builder) countersWarning(calls uint64) string {
	if t := &s.numbers; t.Dropped != calls {
		t.Dropped = calls
		t.Warning = fmt.Sprintf("beyond the limit of names: %d calls of Count and Value, which no value shows", calls)
	}
	return s.numbers.Warning
}
