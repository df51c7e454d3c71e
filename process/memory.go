package process

import "example.com/iprof/gather"

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

// CycleMemoryMode sets the next mode in the order off, own, heap per frame, heap per zone, off. Any goroutine may call
// it.
func (s *Session) CycleMemoryMode() {
	s.SetMemoryMode((s.MemoryMode() + 1) % gather.NumMemoryModes)
}

// MemoryMode returns the mode set with SetMemoryMode. In a session that WriteFrame feeds, it is the mode of the newest
// frame. Any goroutine may call it.
func (s *Session) MemoryMode() gather.MemoryMode {
	s.lock()
	defer s.mu.Unlock()
	return s.memoryMode()
}

func (s *Session) memoryMode() gather.MemoryMode {
	if s.running() {
		return gather.Memory()
	}
	if p := s.past.age(0); p != nil {
		return p.Memory
	}
	return gather.MemoryOff
}

// heapCost is the time in ms that the viewed frame or average spent on reading the heap.
func (s *Session) heapCost(v *View, p *pastFrame) float64 {
	if s.smooth(v) && heapCost < len(s.numbers.traces) && p.Memory >= gather.MemoryHeapPerFrame {
		return s.numbers.traces[heapCost].average[v.Average]
	}
	return float64(p.HeapCost)
}

// AppendValues appends the numbers of the viewed frame as a whole: those of the heap, then counts and levels in the
// order of their first use. Any goroutine may call it.
func (s *Session) AppendValues(dst []FrameValue) []FrameValue {
	s.lock()
	defer s.mu.Unlock()
	return s.appendValues(dst, &s.view)
}

func (s *Session) appendValues(dst []FrameValue, v *View) []FrameValue {
	if v.LensInForce().Kind != LensOff {
		return s.numbers.appendMean(dst, s.lens.frames)
	}
	p := s.shown(v)
	if p == nil {
		return dst
	}
	average := v.Average
	if !s.smooth(v) {
		average = AverageInstant
	}
	return s.numbers.append(dst, p.seq, average)
}

// AppendValueSeries appends a series of each number in the newest frames, at most frames of them. FrameValue.Value is
// that of the newest frame. It reuses the memory of series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendValueSeries(dst []ValueSeries, frames int) []ValueSeries {
	s.lock()
	defer s.mu.Unlock()
	return s.appendValueSeries(dst, frames)
}

func (s *Session) appendValueSeries(dst []ValueSeries, frames int) []ValueSeries {
	for at := range s.numbers.traces {
		t := &s.numbers.traces[at]
		if t.known == 0 {
			continue
		}
		var values []float32
		if n := len(dst); n < cap(dst) {
			values = dst[:n+1][n].Values[:0]
		}
		for seq := s.past.since(frames); seq < s.past.next; seq++ {
			values = append(values, t.short(seq, s.numbers.next))
		}
		v := s.numbers.info(at)
		v.Value, _ = t.at(t.last, s.numbers.next)
		v.Mean, v.Max, v.Total = t.mean(), t.max, t.sum
		dst = append(dst, ValueSeries{FrameValue: v, Values: values})
	}
	return dst
}

// dumpValues returns the series of all numbers. Their totals include the unfinished frame in s.peek. A number that is
// only in the unfinished frame has an empty series.
func (d *dumped) dumpValues(frames int) []ValueSeries {
	s := d.Session
	all := s.appendValueSeries(nil, frames)
	if !s.running() || s.paused {
		return all
	}
	s.numbers.begin(&s.peek)
	s.numbers.each(&s.peek, func(at int, v float64, known bool) {
		if known {
			all = s.numbers.addTotal(all, at, v)
		}
	})
	return all
}

// addTotal adds the value of the unfinished frame to the total of its series. It makes a series if there is none.
func (t *frameValues) addTotal(all []ValueSeries, at int, v float64) []ValueSeries {
	info := t.info(at)
	for i := range all {
		if all[i].Name != info.Name || all[i].Kind != info.Kind {
			continue
		}
		if all[i].Total += v; t.traces[at].level {
			all[i].Total = v
		}
		return all
	}
	if info.Total = v; v != 0 && info.Kind != ValueHeap {
		all = append(all, ValueSeries{FrameValue: info})
	}
	return all
}
