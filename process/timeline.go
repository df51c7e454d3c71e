package process

import (
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
)

// TimelineScope is one entry of a zone, with its begin and end.
type TimelineScope struct {
	Lane       LaneID
	Zone       ZoneID
	Level      int32   // number of scopes around it: 0 is outermost
	Begin, End float64 // ms from the beginning of the requested frame, clamped to the requested frames
	Before     bool    // it began earlier, or its begin event was overwritten
	After      bool    // it was still open at the end of the requested frames
}

// TimelineState is how much of a lane's events in a frame there is.
type TimelineState uint8

// The states. gather.SetEvents sets how many events a lane keeps. New events overwrite the oldest.
const (
	TimelineOff   TimelineState = iota // the lane keeps no events
	TimelineWhole                      // all events of the frame
	TimelineCut                        // the later events: earlier ones were overwritten, or not kept yet
	TimelineGone                       // none: they were overwritten, or not kept yet
)

// TimelineLane is a lane of a timeline.
type TimelineLane struct {
	ID    LaneID
	Name  string
	State TimelineState
	From  float64 // ms from the beginning of the frame: all events since then are there

	Device  bool    // of a GPU or another device, not of a goroutine
	Drift   float64 // of a device's clock, now: 1e-6 is a microsecond a second
	Updater bool    // of the goroutine that ends the frames
}

// OwnLane stands for the lane of the calling goroutine.
const OwnLane = ^LaneID(0)

// appendScopes appends the scopes of a frame and its neighbours: see Session.AppendTimelineRange. The lane 0 is all.
// The frame may be nil.
func (r *reader) appendScopes(dst []TimelineScope, lane LaneID, p *history.Frame, older, newer int) []TimelineScope {
	w, ok := r.windowOf(p, older, newer)
	if !ok {
		return dst
	}
	r.listed = r.lanesOf(r.listed[:0], w)
	for i := range r.listed {
		l := &r.listed[i]
		if (lane == 0 || lane == l.ID) && (l.State == TimelineWhole || l.State == TimelineCut) {
			dst = r.scopesOf(dst, l.ID, w)
		}
	}
	return dst
}

// frameAt returns the frame of an index, from the history or from the slowest frames, or nil.
func (r *reader) frameAt(index uint64) *history.Frame {
	for seq := r.past.Next; seq > r.past.First(); seq-- {
		if p := r.past.At(seq - 1); p.Index == index {
			return p
		}
	}
	return r.slowest.Find(index)
}

// TimelineFrame is a frame on the time axis of a timeline.
type TimelineFrame struct {
	Index      uint64
	Age        int
	Begin, End float64 // ms from the beginning of the requested frame
	Over       bool    // over budget
}

// appendLanes appends the lanes of a frame, which may be nil, with the state of their events.
func (r *reader) appendLanes(dst []TimelineLane, p *history.Frame) []TimelineLane {
	if w, ok := r.windowOf(p, 0, 0); ok {
		dst = r.lanesOf(dst, w)
	}
	return dst
}

// appendFrames appends a frame, which may be nil, and its neighbours: see Session.AppendTimelineFrames.
func (r *reader) appendFrames(dst []TimelineFrame, p *history.Frame, older, newer int) []TimelineFrame {
	w, ok := r.windowOf(p, older, newer)
	if !ok {
		return dst
	}
	for seq := w.first.Seq; seq <= w.last.Seq; seq++ {
		p := r.frameOfSeq(seq)
		dst = append(dst, TimelineFrame{p.Index, int(r.past.Next - 1 - seq), w.ms(p.From), w.ms(p.To), p.Over})
	}
	return dst
}

// window is a range of frames. Its times are relative to the beginning of one of them.
type window struct {
	first, last *history.Frame
	origin      platform.Ticks
	perTick     float64
}

func (w *window) ms(t platform.Ticks) float64 { return float64(t-w.origin) * w.perTick }

// windowOf returns a frame with its neighbours. The frame may be nil.
func (r *reader) windowOf(p *history.Frame, older, newer int) (w window, ok bool) {
	if p == nil || p.To <= p.From {
		return w, false
	}
	w = window{p, p, p.From, p.PerTick}
	for ; older > 0; older-- {
		q := r.frameOfSeq(w.first.Seq - 1)
		if q == nil || !history.Adjoin(q, w.first) {
			break
		}
		w.first = q
	}
	for ; newer > 0; newer-- {
		q := r.frameOfSeq(w.last.Seq + 1)
		if q == nil || !history.Adjoin(w.last, q) {
			break
		}
		w.last = q
	}
	return w, true
}

// frameOfSeq returns a frame of the history, or a slow frame, or a frame whose events are kept, or nil.
func (r *reader) frameOfSeq(seq uint64) *history.Frame {
	if seq >= r.past.First() && seq < r.past.Next {
		return r.past.At(seq)
	}
	if f := r.copies.at(seq); f != nil {
		return &f.Frame
	}
	for i := range r.slowest.Frames {
		if p := &r.slowest.Frames[i]; p.Seq == seq {
			return p
		}
	}
	return nil
}
