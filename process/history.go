package process

import (
	"time"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/totals"
)

// settle derives busy and idle time.
func (s *store) settle(p *history.Frame, sum totals.Logged) {
	p.SpanMS = min(float64(sum.Whole)*p.PerTick, p.LengthMS)
	p.BusyMS = max(0, p.LengthMS-float64(sum.Waiting)*p.PerTick)
	p.IdleMS = float64(sum.Waiting+sum.Others) * p.PerTick
	p.Busy, p.GPU, p.HasGPU = float32(p.BusyMS), float32(p.GPUMS), p.Devices
	p.Others, p.OtherLanes = float32(float64(sum.Working)*p.PerTick), sum.Workers
	p.Over = s.over(p.BusyMS)
	s.past.Clock += p.LengthMS / 1000
	p.Ended = s.past.Clock
}

// resize sets the number of frames to keep, and drops the oldest beyond it.
func (s *store) resize(graph, full int) {
	h := &s.past
	h.Want = min(max(graph, 2), history.MaxFrames)
	h.WantFull = min(max(full, 2), h.Want)
	s.windows, s.lengths, h.Cut = history.Windows{}, history.Lengths{}, false
	if h.Length() > h.Want {
		s.digest() // dropped frames count in the statistics since Reset
	}
	for h.Length() > h.Want {
		s.dropOldest()
	}
	s.expire()
}

// dropOldest drops the oldest frame.
func (s *store) dropOldest() {
	s.keepUp(s.past.First())
	s.past.Forget()
}

// fitHistory drops frames while they take too much memory. It is called before each frame.
func (s *store) fitHistory() {
	h := &s.past
	for h.Length() > history.LeastFrames && h.Memory()+s.own.Bytes()+s.numbers.Bytes() > history.SeriesBytes {
		s.dropOldest()
		h.Cut = true
	}
}

// HistoryLimits bounds the memory of a session's history. A field that is 0 has its default.
type HistoryLimits struct {
	// Frames is the number of frames whose times are kept, for graphs and statistics: 2..100,000, by default 300. If
	// they take more than 64 MB, fewer are kept.
	Frames     int
	FullFrames int           // number of the newest that keep whole reports: 2..Frames, by default all
	Within     time.Duration // how long after its end a frame keeps its report; by default without limit
	Bytes      int           // of all reports, at most and by default 64 MB; the oldest frames lose theirs first
	Slowest    int           // slowest frames kept beyond the history, by default 16, below 0 none. At most 1,024
}

// SetHistoryLimits sets the bounds of the history. The tightest one decides. The newest frame always has a report.
// Values out of range are clamped. SetHistory sets the first two alone.
func (s *Session) SetHistoryLimits(l HistoryLimits) {
	s.change()
	defer s.mu.Unlock()
	s.bounds.Seconds = max(l.Within, 0).Seconds()
	s.bounds.Bytes = max(l.Bytes, 0)
	s.keep(l.Slowest)
	frames, full := l.Frames, l.FullFrames
	if frames <= 0 {
		frames = history.DefaultFrames
	}
	if full <= 0 {
		full = frames
	}
	s.resize(frames, full)
}

// HistoryLimits returns the bounds in force. Within is 0 if there is none.
func (s *Session) HistoryLimits() HistoryLimits {
	s.lock()
	defer s.mu.Unlock()
	return HistoryLimits{Frames: s.past.Want, FullFrames: s.past.WantFull, Bytes: s.bounds.MostBytes(),
		Slowest: s.slow.Limit(), Within: time.Duration(s.bounds.Seconds * float64(time.Second))}
}

// expire drops the records of frames that are too old, too many, or too large together. The newest frame keeps its
// records.
func (s *store) expire() {
	h, b := &s.past, &s.bounds
	b.Lost = min(max(b.Lost, h.First()), h.Next)
	for ; b.Lost+1 < h.Next; b.Lost++ {
		old := b.Seconds > 0 && h.Clock-h.At(b.Lost).Ended > b.Seconds+1e-9 // sums of lengths are not exact
		if !old && h.Next-b.Lost <= uint64(h.WantFull) && h.Bytes <= b.MostBytes() {
			return
		}
		s.keepUp(b.Lost)
		h.Lose(b.Lost)
	}
}
