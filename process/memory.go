package process

import "example.com/iprof/gather"

// SetMemoryMode chooses how much is measured of the program's memory, from the next frame on. In a session that is fed with
// frames from elsewhere it does nothing. See gather.MemoryMode for the modes and what they cost.
func (s *Session) SetMemoryMode(m gather.MemoryMode) {
	s.change()
	running := s.running()
	s.mu.Unlock()
	if running {
		gather.SetMemoryMode(m)
	}
}

// CycleMemoryMode goes on to the next mode: off, own, heap per frame, heap per zone, off.
func (s *Session) CycleMemoryMode() {
	s.SetMemoryMode((s.MemoryMode() + 1) % gather.NumMemoryModes)
}

// MemoryMode returns what SetMemoryMode set; of a session fed from elsewhere what its newest frame was measured with.
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

// heapCost is the time that reading the heap took in the frame or average a view shows, ms.
func (s *Session) heapCost(v *View, p *pastFrame) float64 {
	if s.smooth(v) && heapCost < len(s.numbers.traces) && p.Memory >= gather.HeapPerFrame {
		return s.numbers.traces[heapCost].average[v.Average]
	}
	return float64(p.HeapCost)
}

// AppendValues appends the numbers of the viewed frame as a whole: the heap's, then counts and levels in the order in which the
// program first used them.
func (s *Session) AppendValues(dst []FrameValue) []FrameValue {
	s.lock()
	defer s.mu.Unlock()
	return s.appendValues(dst, &s.view)
}

func (s *Session) appendValues(dst []FrameValue, v *View) []FrameValue {
	if v.lens().Kind != LensOff {
		return s.numbers.appendMean(dst, s.lens.frames)
	}
	p := s.shown(v)
	if p == nil {
		return dst
	}
	average := v.Average
	if !s.smooth(v) {
		average = Instant
	}
	return s.numbers.append(dst, p.seq, average)
}

// AppendValueSeries appends each of those numbers in the newest frames, at most so many. Value is the newest frame's. The
// memory of the series already in dst's capacity is used again.
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
		dst = append(dst, ValueSeries{v, values})
	}
	return dst
}

// dumpValues returns the numbers of all frames, their totals with the unfinished frame in s.peek. None of them may be in the
// history yet.
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

// addTotal adds what the unfinished frame has of a trace to its series, which is made if no frame has had any.
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
	if info.Total = v; v != 0 && info.Kind != HeapValue {
		all = append(all, ValueSeries{FrameValue: info})
	}
	return all
}
