package timeline

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Scope is one entry of a zone, with its begin and end.
type Scope struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Lane       report.LaneID
	Zone       report.ZoneID
	Level      int32   // number of scopes around it: 0 is outermost
	Begin, End float64 // ms from the beginning of the requested frame, clamped to the requested frames
	Before     bool    // it began earlier, or its begin event was overwritten
	After      bool    // it was still open at the end of the requested frames

	Remark *report.Remark // the program's remark on it in the last of these frames, or nil
}

// Coverage says how many of a lane's events in a frame are kept.
type Coverage uint8

// The states. gather.SetEvents sets how many events a lane keeps. New events overwrite the oldest.
const (
	Off   Coverage = iota // the lane keeps no events
	Whole                 // all events of the frame
	Cut                   // only the later events: earlier ones were overwritten, or not kept yet
	Gone                  // no events: they were overwritten, or not kept yet
)

// Lane is a lane of a timeline.
type Lane struct {
	_ [0]func() // not comparable: the code of == would be in each program

	ID    report.LaneID
	Name  string
	State Coverage
	From  float64 // ms from the beginning of the frame: all events since then are kept

	Device  bool    // of a GPU or another device, not of a goroutine
	Drift   float64 // present drift of a device's clock: 1e-6 is a microsecond a second
	Updater bool    // of the goroutine that ends the frames
}

// OwnLane stands for the lane of the calling goroutine.
const OwnLane = ^report.LaneID(0)

// AppendScopes appends the scopes of a frame and its neighbours: at most older and newer frames, as far as there is no
// pause between them. A scope that crosses the border of two frames is one scope. Lane 0 means all lanes. The frame may
// be nil.
func (r *Reader) AppendScopes(dst []Scope, lane report.LaneID, p *history.Frame, older, newer int) []Scope {
	w, ok := r.windowOf(p, older, newer)
	if !ok {
		return dst
	}
	r.listed = r.lanesOf(r.listed[:0], w)
	for i := range r.listed {
		l := &r.listed[i]
		if (lane == 0 || lane == l.ID) && (l.State == Whole || l.State == Cut) {
			dst = r.scopesOf(dst, l.ID, w)
		}
	}
	return dst
}

// FrameAt returns the frame of an index, from the history or from the slowest frames, or nil.
func (r *Reader) FrameAt(index uint64) *history.Frame {
	if p := r.Past.Find(index); p != nil {
		return p
	}
	return r.Slowest.Find(index)
}

// Frame is a frame on the time axis of a timeline.
type Frame struct {
	Index      uint64
	Age        int
	Begin, End float64 // ms from the beginning of the requested frame
	Over       bool    // over budget
}

// AppendLanes appends the lanes of a frame, which may be nil, with the state of their events.
func (r *Reader) AppendLanes(dst []Lane, p *history.Frame) []Lane {
	if w, ok := r.windowOf(p, 0, 0); ok {
		dst = r.lanesOf(dst, w)
	}
	return dst
}

// AppendFrames appends a frame, which may be nil, and the same neighbours as AppendScopes.
func (r *Reader) AppendFrames(dst []Frame, p *history.Frame, older, newer int) []Frame {
	w, ok := r.windowOf(p, older, newer)
	if !ok {
		return dst
	}
	for seq := w.first.Seq; seq <= w.last.Seq; seq++ {
		p := r.frameOfSeq(seq)
		dst = append(dst, Frame{p.Index, int(r.Past.Next - 1 - seq), w.ms(p.From), w.ms(p.To), p.Over})
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
func (r *Reader) windowOf(p *history.Frame, older, newer int) (w window, ok bool) {
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
func (r *Reader) frameOfSeq(seq uint64) *history.Frame {
	if seq >= r.Past.First() && seq < r.Past.Next {
		return r.Past.At(seq)
	}
	if f := r.Copies.at(seq); f != nil {
		return &f.Frame
	}
	for i := range r.Slowest.Frames {
		if p := &r.Slowest.Frames[i]; p.Seq == seq {
			return p
		}
	}
	return nil
}

// Reader reads the scopes of frames from events. It keeps copies of events that the lanes would overwrite.
type Reader struct {
	Stores
	Source    EventSource       // set by the program; nil: package gather, or none
	pauseCopy measure.EventCopy // while paused
	isKept    bool              // there is a copy in kept
	Copies    Copies            // of slow frames
	Epoch     int               // changes when all data read so far becomes void
	listed    []Lane            // scratch
	scopes    []Scope           // scratch, of a Dump
	events    []gather.Event
	open      []int32         // memory of a pairing
	stack     []report.ZoneID // open zones at the end, outermost first
	hint      hint            // of the lanes of a frame

	speak func(f *history.Frame, scopes []Scope, lane report.LaneID) // see Speak; nil: no remarks
}

// Void makes all data read so far void, so that timelines read it again.
func (r *Reader) Void() { r.Epoch++ }

// Stores has the data that a reader reads besides events.
type Stores struct {
	Past    *history.Ring     // the frames of the history
	Slowest *history.Slowest  // the slowest frames
	Tree    *history.Tree     // the paths of records
	Lanes   *history.Lanes    // the lanes of records
	Fed     bool              // the frames come from another program, so package gather does not have their events
	Zones   []gather.ZoneInfo // by id
	Budget  float64           // ms a frame may take
}

// deepest bounds the levels of events, because levels in a replay may be wrong.
const deepest = 1 << 16

// lanesOf appends the lanes with records in the last frame of the window.
func (r *Reader) lanesOf(dst []Lane, w window) []Lane {
	from := r.eventsOf(&w)
	for _, at := range w.last.Lanes {
		l := &r.Lanes.List[at.Place]
		dst = append(dst, Lane{ID: l.ID, Name: l.Name, Device: at.Device, Drift: l.Drift,
			Updater: at.Updater})
		settleState(&dst[len(dst)-1], w, from)
	}
	if f := r.Copies.at(w.last.Seq); f != nil && len(w.last.Lanes) == 0 { // the history has lost its records
		for i := range f.owners {
			o := &f.owners[i]
			dst = append(dst, Lane{ID: o.id, Name: o.name, Device: o.device, Updater: o.updater})
			settleState(&dst[len(dst)-1], w, from)
		}
	}
	return dst
}

// settleState sets the state of a lane's events.
func settleState(l *Lane, w window, from EventSource) {
	since, kept := sinceIn(from, l.ID, &w)
	switch {
	case !kept:
		l.State = Off
	case since >= w.last.To:
		l.State, l.From = Gone, w.ms(w.last.To)
	case since > w.first.From:
		l.State, l.From = Cut, w.ms(since)
	default:
		l.State, l.From = Whole, w.ms(w.first.From)
	}
}

// scopesOf makes scopes of a lane's events.
func (r *Reader) scopesOf(dst []Scope, lane report.LaneID, w window) []Scope {
	begin, end := w.first.From, w.last.To
	from := r.eventsOf(&w)
	r.events = from.AppendEvents(r.events[:0], lane, begin, end)
	events := r.events
	if since, _ := sinceIn(from, lane, &w); since > begin { // the lane may have overwritten events meanwhile
		begin = since
		for len(events) > 0 && events[0].Time < begin {
			events = events[1:]
		}
	}
	p := pairing{window: w, lane: lane, begin: begin, end: end, last: w.ms(end), dst: dst, open: r.open[:0]}
	p.around(events, r.openZones(w.last, lane))
	p.pair(events)
	r.open = p.open
	if r.speak != nil {
		r.speak(w.last, p.dst[len(dst):], lane)
	}
	return p.dst
}

// openZones lists the zones that were open on a lane at the end of a frame, by level.
func (r *Reader) openZones(p *history.Frame, lane report.LaneID) []report.ZoneID {
	if f := r.Copies.at(p.Seq); f != nil && len(p.Lanes) == 0 {
		return f.zonesOf(lane)
	}
	place := r.Lanes.PlaceOf(lane)
	at := r.hint.find(len(p.Lanes), func(i int) bool { return p.Lanes[i].Place == place })
	if at < 0 {
		return nil
	}
	return r.openIn(p, &p.Lanes[at])
}

// openIn lists the zones that were open on a lane at the end of a frame which has its records, by level.
func (r *Reader) openIn(p *history.Frame, l *history.LaneRecords) []report.ZoneID {
	zones := r.stack[:0]
	for _, rec := range p.Records[l.From:l.To] {
		path := &r.Tree.Paths[rec.Path&history.PathMask]
		if rec.Path&history.OpenBit == 0 || path.Level == 0 {
			continue
		}
		for int(path.Level) > len(zones) {
			zones = append(zones, 0)
		}
		zones[path.Level-1] = path.Zone
	}
	r.stack = zones
	return zones
}

// pairing turns begin and end events into scopes.
type pairing struct {
	window
	lane       report.LaneID
	begin, end platform.Ticks
	last       float64 // end in ms
	dst        []Scope
	open       []int32 // by level: index of the open scope in dst, or -1
}

// around appends the scopes that were open at the beginning, outermost first. Scopes without events are still open; the
// others have only an end event.
func (p *pairing) around(events []gather.Event, open []report.ZoneID) {
	outermost := outermost(events)
	for level, zone := range open[:min(int(max(outermost, 0)), len(open))] {
		p.before(zone, int32(level), p.last)
		p.dst[len(p.dst)-1].After = true
	}
	first := len(p.dst)
	lowest := int32(deepest)
	for i := 0; i < len(events) && lowest > outermost; i++ {
		e := &events[i]
		if e.End && e.Level < lowest && e.Time > p.begin {
			p.before(e.Zone, e.Level, p.ms(e.Time))
		}
		lowest = min(lowest, e.Level)
	}
	slices.Reverse(p.dst[first:])
}

// before appends a scope that began before the window.
func (p *pairing) before(zone report.ZoneID, level int32, end float64) {
	p.dst = p.appendScope(p.dst, zone, level, p.ms(p.begin), end)
	p.dst[len(p.dst)-1].Before = true
}

// outermost returns the lowest level of events.
func outermost(events []gather.Event) int32 {
	lowest := int32(math.MaxInt32)
	for i := 0; i < len(events) && lowest > 0; i++ {
		lowest = min(lowest, events[i].Level)
	}
	return lowest
}

// pair appends the scopes that begin. An end event also closes the scopes inside.
func (p *pairing) pair(events []gather.Event) {
	dst, open := p.dst, p.open // in registers: there are many events
	for i := range events {
		e := &events[i]
		level := int(e.Level)
		if uint(level) >= deepest {
			continue
		}
		ms := p.ms(e.Time)
		for len(open) > level {
			if at := open[len(open)-1]; at >= 0 {
				dst[at].End = ms
			}
			open = open[:len(open)-1]
		}
		if e.End || e.Time >= p.end { // a scope that begins at the end belongs to the next frame
			continue
		}
		for len(open) < level {
			open = append(open, -1)
		}
		open = append(open, int32(len(dst)))
		dst = p.appendScope(dst, e.Zone, e.Level, ms, p.last)
	}
	for _, at := range open {
		if at >= 0 {
			dst[at].After = true
		}
	}
	p.dst, p.open = dst, open[:0]
}

// appendScope appends a scope. It sets the fields one by one: a literal would be built elsewhere and copied, which
// takes twice as long.
func (p *pairing) appendScope(dst []Scope, zone report.ZoneID, level int32, begin, end float64) []Scope {
	n := len(dst)
	if n == cap(dst) {
		dst = slices.Grow(dst, 1)
	}
	dst = dst[:n+1]
	s := &dst[n]
	s.Lane, s.Zone, s.Level = p.lane, zone, level
	s.Begin = begin
	s.End = end
	s.Before = false
	s.After = false
	s.Remark = nil
	return dst
}
