package process

import (
	"cmp"
	"math"
	"slices"
)

// AppendFrames appends summaries of the newest frames, at most frames of them, oldest first. Any goroutine may call it.
func (s *Session) AppendFrames(dst []FrameSummary, frames int) []FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.appendFrames(dst, frames)
}

func (s *Session) appendFrames(dst []FrameSummary, frames int) []FrameSummary {
	for seq := s.past.since(frames); seq < s.past.next; seq++ {
		p := s.past.at(seq)
		p.HasReport = !p.lost
		dst = append(dst, p.FrameSummary)
	}
	return dst
}

// since is the sequence number of the oldest of the newest frames.
func (h *history) since(frames int) uint64 {
	return max(h.first(), h.next-min(h.next, uint64(max(frames, 0))))
}

// AppendSeries appends the self time of each zone in the newest frames, at most frames of them. The zone with the
// largest mean comes first. It reuses the memory of Series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendSeries(dst []Series, frames int) []Series {
	s.lock()
	defer s.mu.Unlock()
	return s.appendAllSeries(dst, frames)
}

func (s *Session) appendAllSeries(dst []Series, frames int) []Series {
	s.digest()
	from := len(dst)
	for i := range s.past.zones {
		if t := &s.past.zones[i]; t.birth < s.past.next && t.self.sum > 0 {
			dst = s.appendSeries(dst, ZoneID(i), frames)
		}
	}
	slices.SortFunc(dst[from:], func(a, b Series) int {
		x, y := s.past.zones[a.Zone].self.sum, s.past.zones[b.Zone].self.sum
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a.Zone, b.Zone))
	})
	return dst
}

func (s *Session) appendSeries(dst []Series, zone ZoneID, frames int) []Series {
	return s.appendSeriesOf(dst, zone, &s.past.zones[zone].self, frames)
}

func (s *Session) appendSeriesOf(dst []Series, zone ZoneID, t *trace1, frames int) []Series {
	var values []float32
	if n := len(dst); n < cap(dst) {
		values = dst[:n+1][n].Values[:0]
	}
	z, info := &s.past.zones[zone], &s.zones[zone]
	values = s.past.append(values, t, z.birth, frames)
	return append(dst, Series{Zone: zone, Name: info.Name, Idle: info.Idle, Values: values,
		Estimated: z.estimated(s.past.since(frames))})
}

// append appends the newest values of a trace. They are NaN before its birth and in frames that are not known.
func (h *history) append(dst []float32, t *trace1, birth uint64, frames int) []float32 {
	return h.appendSpan(dst, t, birth, h.since(frames), h.next)
}

// appendSpan is append for the frames from..to-1.
func (h *history) appendSpan(dst []float32, t *trace1, birth, from, to uint64) []float32 {
	start, size := len(dst), uint64(len(t.v))
	for seq := from; seq < to; {
		slot := seq % size
		run := min(size-slot, to-seq)
		dst, seq = append(dst, t.v[slot:slot+run]...), seq+run
	}
	for seq := from; seq < min(max(birth, h.known), to); seq++ {
		if seq < birth || h.at(seq).unknown {
			dst[start+int(seq-from)] = float32(math.NaN())
		}
	}
	for seq := from; seq < to && t.gap != nil && t.gap.n > 0; seq++ {
		if !t.known(seq) {
			dst[start+int(seq-from)] = float32(math.NaN())
		}
	}
	return dst
}

// AppendPathHistory appends the hierarchical time of a path in the newest frames, in ms, oldest first. It is NaN before
// the path existed. Paths after the first 20,000 have none, nor have ids out of range. Any goroutine may call it.
func (s *Session) AppendPathHistory(dst []float32, path int32, frames int) []float32 {
	s.lock()
	defer s.mu.Unlock()
	s.digest()
	if path < 0 || int(path) >= len(s.past.paths) {
		return dst
	}
	return s.past.append(dst, &s.past.paths[path], s.tree.paths[path].birth, frames)
}

// AppendZoneHistory appends the hierarchical time of a zone in the newest frames, in ms, oldest first. It is NaN before
// the zone existed. Ids out of range have none. Any goroutine may call it.
func (s *Session) AppendZoneHistory(dst []float32, zone ZoneID, frames int) []float32 {
	s.lock()
	defer s.mu.Unlock()
	return s.appendZoneHistory(dst, zone, frames)
}

func (s *Session) appendZoneHistory(dst []float32, zone ZoneID, frames int) []float32 {
	s.digest()
	if zone < 0 || int(zone) >= len(s.past.zones) {
		return dst
	}
	t := &s.past.zones[zone]
	return s.past.append(dst, &t.hier, t.birth, frames)
}

// AppendLanes appends the lanes of the viewed frame, or of the frames of the lens, the busiest first. Any goroutine may
// call it.
func (s *Session) AppendLanes(dst []LaneInfo) []LaneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.appendShownLanes(dst)
}

func (s *Session) appendShownLanes(dst []LaneInfo) []LaneInfo {
	from := len(dst)
	s.rows.laneRows = resized(s.rows.laneRows, len(s.lanes.list))
	clear(s.rows.laneRows)
	if s.view.Through() && s.past.next > 0 {
		s.load(&s.view)
		for _, seq := range s.lens.frames {
			dst = s.appendLanes(dst, s.past.at(seq), len(s.lens.frames))
		}
	} else if p := s.shown(&s.view); p != nil {
		dst = s.appendLanes(dst, p, 1)
	}
	slices.SortStableFunc(dst[from:], func(a, b LaneInfo) int { return cmp.Compare(b.Self, a.Self) })
	return dst
}

// appendLanes adds the lanes of a frame, divided by the number of frames. rows.laneRows has the index in dst of the
// lanes already there.
func (s *Session) appendLanes(dst []LaneInfo, p *pastFrame, frames int) []LaneInfo {
	for i := range p.lanes {
		l := &p.lanes[i]
		row := &s.rows.laneRows[l.place]
		if *row == 0 {
			known := &s.lanes.list[l.place]
			dst = append(dst, LaneInfo{ID: known.id, Name: known.name, Device: l.device})
			*row = int32(len(dst))
		}
		to := &dst[*row-1]
		to.CPU += l.cpu / float64(frames)
		to.Self += p.busyOf(l) / float64(frames)
	}
	return dst
}
