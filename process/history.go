package process

import (
	"time"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// HistoryLimits bounds the memory of a session's history, and names the data beyond it. A field that is 0 has its
// default.
type HistoryLimits struct {
	// Frames is the number of frames whose times are kept, for graphs and statistics: 2..100,000, by default 300. If
	// they take more than 64 MB, fewer are kept.
	Frames     int
	FullFrames int           // number of newest frames that keep whole reports: 2..Frames, by default all
	Within     time.Duration // how long after its end a frame keeps its report; by default without limit
	Bytes      int           // of all reports, at most and by default 64 MB; the oldest frames lose theirs first
	Slowest    int           // slowest frames kept beyond the history, by default 16, below 0 none. At most 1,024

	// Whole has the sums of all frames of a recording whose history holds only some of them, such as the newest.
	// Reports, trees and call graphs through report.LensAll then show averages over all frames. If Whole.Chosen is set,
	// every lens chooses among all frames of the recording; they are read when the lens changes. Statistics such as
	// quantiles then cover all chosen frames, within 0.8 %. Without Chosen, and for rows of several paths or of one
	// lane, statistics cover the history only, and a warning says so. If Whole.Source is set, frames outside the
	// history are read when they are shown. The next frame ends the effect of Whole. Whole has no effect if the history
	// holds all frames, or if names are missing.
	Whole *totals.Whole
}

// SetHistoryLimits sets the bounds of the history. The tightest one decides. The newest frame always has a report.
// Values out of range are clamped. SetHistory sets only Frames and FullFrames.
func (s *Session) SetHistoryLimits(l HistoryLimits) {
	s.change()
	defer s.mu.Unlock()
	s.store.ExplainsLate()
	same := limitsOf(&s.store)
	if same.Whole = l.Whole; l == same {
		s.store.SetWhole(l.Whole)
		return
	}
	s.store.Bounds.Seconds = max(l.Within, 0).Seconds()
	s.store.Bounds.Bytes = max(l.Bytes, 0)
	s.store.Keep(l.Slowest)
	frames, full := l.Frames, l.FullFrames
	if frames <= 0 {
		frames = history.DefaultFrames
	}
	if full <= 0 {
		full = frames
	}
	s.store.Resize(frames, full)
	s.store.SetWhole(l.Whole)
}

// HistoryLimits returns the bounds in force. Within is 0 if there is no such bound.
func (s *Session) HistoryLimits() HistoryLimits {
	s.lock()
	defer s.mu.Unlock()
	return limitsOf(&s.store)
}

// limitsOf returns the bounds of a history.
func limitsOf(s *store.Store) HistoryLimits {
	l := HistoryLimits{Frames: s.Past.Want, FullFrames: s.Past.WantFull, Bytes: s.Bounds.MaxBytes(),
		Slowest: s.Slow.Limit(), Within: report.DurationOf(s.Bounds.Seconds)}
	if s.Whole != nil {
		l.Whole = s.Whole.Whole
	}
	return l
}
