package process

import (
	"time"

	"example.com/iprof/process/internal/history"
)

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
	s.data.Bounds.Seconds = max(l.Within, 0).Seconds()
	s.data.Bounds.Bytes = max(l.Bytes, 0)
	s.data.Keep(l.Slowest)
	frames, full := l.Frames, l.FullFrames
	if frames <= 0 {
		frames = history.DefaultFrames
	}
	if full <= 0 {
		full = frames
	}
	s.data.Resize(frames, full)
}

// HistoryLimits returns the bounds in force. Within is 0 if there is none.
func (s *Session) HistoryLimits() HistoryLimits {
	s.lock()
	defer s.mu.Unlock()
	return HistoryLimits{Frames: s.data.Past.Want, FullFrames: s.data.Past.WantFull, Bytes: s.data.Bounds.MostBytes(),
		Slowest: s.data.Slow.Limit(), Within: time.Duration(s.data.Bounds.Seconds * float64(time.Second))}
}
