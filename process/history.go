package process

import (
	"time"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/totals"
)

// HistoryLimits bounds the memory of a session's history, and has what is known beyond it. A field that is 0 has its
// default.
type HistoryLimits struct {
	// Frames is the number of frames whose times are kept, for graphs and statistics: 2..100,000, by default 300. If
	// they take more than 64 MB, fewer are kept.
	Frames     int
	FullFrames int           // number of the newest that keep whole reports: 2..Frames, by default all
	Within     time.Duration // how long after its end a frame keeps its report; by default without limit
	Bytes      int           // of all reports, at most and by default 64 MB; the oldest frames lose theirs first
	Slowest    int           // slowest frames kept beyond the history, by default 16, below 0 none. At most 1,024

	// Whole has the sums of all frames of a recording, of which the session has some, such as the newest. Through
	// report.LensAll, reports, trees and call graphs then show averages over all. With its Chosen, all lenses choose
	// among all frames, which are read when the lens is new, and statistics such as quantiles are of all that it
	// chooses, to 0.8 %; else they are of the history, and a warning says so, as for rows of several paths and of one
	// lane. The next frame ends it, and it is nothing in a session that has all frames, or not all names. With a
	// Source, frames that the history does not hold are read when they are shown.
	Whole *totals.Whole
}

// SetHistoryLimits sets the bounds of the history. The tightest one decides. The newest frame always has a report.
// Values out of range are clamped. SetHistory sets the first two alone.
func (s *Session) SetHistoryLimits(l HistoryLimits) {
	s.change()
	defer s.mu.Unlock()
	s.data.ExplainsLate()
	same := s.data.limits()
	if same.Whole = l.Whole; l == same {
		s.data.SetWhole(l.Whole)
		return
	}
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
	s.data.SetWhole(l.Whole)
}

// HistoryLimits returns the bounds in force. Within is 0 if there is none.
func (s *Session) HistoryLimits() HistoryLimits {
	s.lock()
	defer s.mu.Unlock()
	return s.data.limits()
}

func (s *intake) limits() HistoryLimits {
	l := HistoryLimits{Frames: s.Past.Want, FullFrames: s.Past.WantFull, Bytes: s.Bounds.MostBytes(),
		Slowest: s.Slow.Limit(), Within: time.Duration(s.Bounds.Seconds * float64(time.Second))}
	if s.Whole != nil {
		l.Whole = s.Whole.Whole
	}
	return l
}
