package process

import "time"

// HistoryLimits bound what a session remembers. What is zero has its default.
type HistoryLimits struct {
	Frames     int           // whose times are remembered, for graphs and statistics: 2..100,000; 300
	FullFrames int           // of those the newest that whole reports can be shown of: 2..Frames; all of them
	Within     time.Duration // how long after its end a frame has a report; without limit
	Bytes      int           // of memory for reports: the oldest frames lose theirs first; 64 MB
	Slowest    int           // frames kept whole when the history loses them: see SetSlowest; 16, below 0 none
}

// SetHistoryLimits sets the bounds of the history: the tightest decides. The newest frame always has a report. SetHistory sets
// the first two alone.
func (s *Session) SetHistoryLimits(l HistoryLimits) {
	s.change()
	defer s.mu.Unlock()
	s.bounds.seconds = max(l.Within, 0).Seconds()
	s.bounds.bytes = max(l.Bytes, 0)
	s.keep(l.Slowest)
	frames, full := l.Frames, l.FullFrames
	if frames <= 0 {
		frames = defaultFrames
	}
	if full <= 0 {
		full = frames
	}
	s.resize(frames, full)
}

// resize makes room for so many frames, and lets those go that are too many.
func (s *Session) resize(graph, full int) {
	s.digest() // what is let go counts since Reset
	if len(s.own.zones) > 0 {
		s.own.follow(s)
	}
	old := s.past
	s.past.resize(graph, full)
	s.own.resize(&old, &s.past)
	s.numbers.resize(len(s.past.frames))
	s.windows, s.rows.lengthsOf = windows{}, 0
	s.expire()
}

// HistoryLimits returns the bounds in force; Within is 0 when there is none.
func (s *Session) HistoryLimits() HistoryLimits {
	s.lock()
	defer s.mu.Unlock()
	return HistoryLimits{Frames: len(s.past.frames), FullFrames: s.past.full, Bytes: s.bounds.mostBytes(), Slowest: s.slow.limit(),
		Within: time.Duration(s.bounds.seconds * float64(time.Second))}
}

// bounds are those that are not the ring's own.
type bounds struct {
	seconds float64 // 0: none
	bytes   int     // 0: historyBytes
	lost    uint64  // frames before it have no records
}

func (b *bounds) mostBytes() int {
	if b.bytes == 0 || b.bytes > historyBytes {
		return historyBytes
	}
	return b.bytes
}

// expire lets frames lose their records that are too old, too many, or too large together. The newest never does.
func (s *Session) expire() {
	h, b := &s.past, &s.bounds
	b.lost = min(max(b.lost, h.first()), h.next)
	for ; b.lost+1 < h.next; b.lost++ {
		old := b.seconds > 0 && h.clock-h.at(b.lost).ended > b.seconds+1e-9 // sums of lengths are not exact
		if !old && h.next-b.lost <= uint64(h.full) && h.bytes <= b.mostBytes() {
			return
		}
		s.keepUp(b.lost)
		h.lose(b.lost)
	}
}
