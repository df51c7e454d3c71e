package timeline

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// Fill makes a timeline of lanes, frames and scopes, for programs that draw data of their own. Times are relative to
// the beginning of the frame shown, which has the given age. The scopes of each lane are in order of time, and scopes
// of one level do not overlap.
func (t *Timeline) Fill(lane report.LaneID, age int, lanes []Lane, frames []Frame, scopes []Scope) {
	t.clear()
	t.Serial++
	t.Lane = lane
	t.Age = age
	t.Origin = 0
	t.Length = 0
	t.Frames, t.Lanes = append(t.Frames[:0], frames...), append(t.Lanes[:0], lanes...)
	if n := len(frames); n > 0 {
		t.Least, t.Most = min(frames[0].Begin, 0), frames[n-1].End
	}
	for i := range frames {
		if f := &frames[i]; f.Age == age {
			t.Index, t.Until, t.Length = f.Index, f.Index, f.End-f.Begin
		}
	}
	for i := range lanes {
		b := t.bandOf(&lanes[i])
		if lanes[i].State != Whole {
			b.gap(0, lanes[i].From)
		}
	}
	t.divide()
	for len(scopes) > 0 {
		n := 1
		for n < len(scopes) && scopes[n].Lane == scopes[0].Lane {
			n++
		}
		if at, found := t.byLane[scopes[0].Lane]; found {
			t.add(&t.bands[at], scopes[:n], 0, false)
			t.work(&t.bands[at], scopes[:n], 0)
		}
		scopes = scopes[n:]
	}
	t.settleGroups()
	t.show(min(t.Least, 0), max(t.Most, t.Length))
}

// Timeline holds the scopes of frames in order of time, on one axis in ms. Each frame is read once, when it first comes
// into sight. A frame that follows the newest one is added to the rows, which otherwise stay.
type Timeline struct {
	Serial int           // changes with the other fields
	Index  uint64        // of the frame shown, or of the first frame of a range shown
	Until  uint64        // of the last frame shown
	Age    int           // of the last frame shown; -1: a slow frame that the history has lost
	Lane   report.LaneID // 0: all
	Origin float64       // the beginning of the frames shown on the axis of the rows
	Length float64       // of the frames shown
	Silent bool          // the frames come from a capture or a remote program, without any events

	// Least and Most are the ends of the run of frames without a pause around the frames shown, in ms from Origin. The
	// timeline can show any part of the run.
	Least, Most float64
	Frames      []Frame   // frames in sight and around; times are from Origin
	Lanes       []Lane    // of the last frame shown
	Bands       []Band    // lanes with scopes in sight, and lanes of the last frame shown; ascending by ID
	Rows        []Row     // bands refer to their rows by index
	Groups      []Group   // goroutines of one go statement; some groups may have no lane in sight
	Whole       []Stretch // states of the whole program in sight

	key      shownKey
	tick     float64 // resolution of the clock, ms
	read     uint64  // the first frame in the rows
	next     uint64  // the frame after the last one in the rows
	bands    []Band
	byLane   map[report.LaneID]int // index of bands
	nextBand int                   // index of the band after the last one requested, which is usually next
	byGroup  map[string]int32      // 1 + index of Groups
	named    namedLanes
	zones    []gather.ZoneInfo
	scratch  struct {
		lanes  []Lane
		scopes []Scope
		states [][]Stretch // by band
	}
}

// Band has the rows of one lane.
type Band struct {
	Lane              // its State is the state in the last frame shown
	Rows   []int32    // by level: index of Timeline.Rows
	Depth  int        // number of levels with scopes in sight
	Deeper int        // number of scopes too deep for a row
	Gaps   []Interval // stretches without events, on the axis of the rows

	States []Stretch // states in sight, by their beginnings; empty if not known

	group int32 // 1 + index of Groups, 0 without a group
}

// mostRows is the greatest number of rows of a lane. Deeper scopes are counted.
const mostRows = 64

// shownKey identifies the contents of a Timeline.
type shownKey struct {
	first, last, next uint64
	from, to          float64
	lane              report.LaneID
	epoch, states     int
}

// Update updates the timeline to show the frames from first to last, of a lane or of all lanes. It covers at least the
// time from begin to end, in ms from the beginning of the first. Without a frame, first is nil.
func (t *Timeline) Update(src *Reader, states *history.States, first, last *history.Frame, lane report.LaneID,
	begin, end float64) {
	if first == nil {
		t.empty()
		return
	}
	h := src.Past
	key := shownKey{first.Seq, last.Seq, h.Next, begin, end, lane, src.Epoch, states.Changes}
	if t.Serial > 0 && t.key == key {
		return
	}
	if t.key.epoch != key.epoch {
		t.clear()
	}
	t.Serial++
	t.key = key
	t.Lane = lane
	t.zones = src.Zones
	t.Index, t.Until, t.Age = first.Index, last.Index, -1
	if last.Seq >= h.First() && last.Seq < h.Next {
		t.Age = int(h.Next - 1 - last.Seq)
	}
	t.tick, t.Origin, t.Length = last.PerTick, first.At, last.End()-first.At
	low, high := src.runAround(first, last)
	t.Least, t.Most = src.frameOfSeq(low).At-t.Origin, src.frameOfSeq(high).End()-t.Origin
	from := src.frameBy(low, high, t.Origin+min(begin, 0))
	to := last.Seq
	if end > t.Length { // otherwise the next frame, which begins at the end of this one, is not in sight
		to = src.frameBy(low, high, t.Origin+end)
	}
	t.cover(src, max(from, low+1)-1, min(to+1, high), low) // scopes that cross the ends have their whole length
	t.list(src, from, to, low, high)
	t.Lanes = src.lanesOf(t.Lanes[:0], window{last, last, last.From, last.PerTick})
	t.show(src.frameOfSeq(from).At, src.frameOfSeq(to).End())
	t.fillStates(src, states, from, to)
}

// runAround returns the ends of the run of frames without a pause around some frames.
func (r *Reader) runAround(first, last *history.Frame) (low, high uint64) {
	low, high = first.Seq, last.Seq
	if h := r.Past; high >= h.First() && high < h.Next {
		low = max(min(low, h.At(high).Run), h.First())
		run := h.At(high).Run
		high += uint64(sort.Search(int(h.Next-high), func(i int) bool { return h.At(high+uint64(i)).Run != run })) - 1
	}
	for low > 0 {
		if p := r.frameOfSeq(low - 1); p == nil || !history.Adjoin(p, r.frameOfSeq(low)) {
			break
		}
		low--
	}
	for r.follows(high, high+1) {
		high++
	}
	return low, high
}

// follows reports whether two frames are known and there is no pause between them.
func (r *Reader) follows(a, b uint64) bool {
	p, q := r.frameOfSeq(a), r.frameOfSeq(b)
	return p != nil && q != nil && history.Adjoin(p, q)
}

// frameBy returns the last frame from low to high that begins by a time on the axis, or low.
func (r *Reader) frameBy(low, high uint64, at float64) uint64 {
	n := sort.Search(int(high-low), func(i int) bool { return r.frameOfSeq(low+1+uint64(i)).At > at })
	return low + uint64(n)
}

// list lists the frames in sight, and one more on either side. If there are very many, it lists none.
func (t *Timeline) list(src *Reader, from, to, low, high uint64) {
	const most = 4096
	t.Frames = t.Frames[:0]
	if to-from > most {
		return
	}
	for seq := max(from, low+1) - 1; seq <= min(to+1, high); seq++ {
		p, age := src.frameOfSeq(seq), -1
		if seq >= src.Past.First() {
			age = int(src.Past.Next - 1 - seq)
		}
		t.Frames = append(t.Frames, Frame{p.Index, age, p.At - t.Origin, p.End() - t.Origin, p.Over})
	}
}

// show lists the bands with scopes in a stretch of time on the axis, and those of the last frame shown.
func (t *Timeline) show(begin, end float64) {
	for i := range t.bands {
		b := &t.bands[i]
		b.Depth, b.State = 0, Whole
		for level, row := range b.Rows {
			r := &t.Rows[row]
			if at := r.Ending(begin); at < len(r.At) && r.At[at].Begin < end {
				b.Depth = level + 1
			}
		}
	}
	t.Bands = t.Bands[:0]
	for i := range t.Lanes {
		l := &t.Lanes[i]
		b := t.bandOf(l)
		b.Lane = *l
		t.Bands = append(t.Bands, *b)
		b.Depth = -b.Depth - 1 // listed
	}
	for i := range t.bands {
		if b := &t.bands[i]; b.Depth > 0 {
			t.Bands = append(t.Bands, *b)
		} else if b.Depth < 0 {
			b.Depth = -b.Depth - 1
		}
	}
	t.sortBands()
	t.countGroups()
}

// empty makes a timeline without a frame.
func (t *Timeline) empty() {
	if t.Serial == 0 || t.Length != 0 {
		t.clear()
		t.Serial++
		t.key = shownKey{}
		t.Length = 0
		t.Least = 0
		t.Most = 0
	}
	t.Frames, t.Lanes, t.Bands = t.Frames[:0], t.Lanes[:0], t.Bands[:0]
}

// clear drops all scopes and keeps the memory.
func (t *Timeline) clear() {
	t.read, t.next = 0, 0
	for i := range t.Rows {
		t.Rows[i].clear()
	}
	for i := range t.bands {
		t.bands[i].Gaps, t.bands[i].Deeper = t.bands[i].Gaps[:0], 0
	}
	for i := range t.Groups {
		t.Groups[i].load.clear()
	}
}

// readAhead is the number of frames in the rows besides the frames in sight.
const readAhead = 16

// cover reads the frames from..to that are not in the rows yet. It cannot add frames before the rows. Then it reads all
// frames again, and as many older ones, so that zooming out by small steps does not take long.
func (t *Timeline) cover(src *Reader, from, to, low uint64) {
	sight := to - from + 1
	if keep := from - min(from, sight+readAhead); t.read+sight+2*readAhead < keep && from <= t.next {
		t.drop(src, keep)
	}
	if from < t.read || from > t.next || t.next == 0 || to+1 < t.read {
		t.clear()
		t.read = max(from-min(from, sight-1), low)
		t.next = t.read
	}
	t.takeUpTo(src, to)
	if first := t.read; t.divide() {
		t.clear()
		t.read, t.next = first, first
		t.takeUpTo(src, to)
	}
}

// takeUpTo reads the frames up to a frame that are not in the rows yet.
func (t *Timeline) takeUpTo(src *Reader, to uint64) {
	for ; t.next <= to; t.next++ {
		if f := src.frameOfSeq(t.next); f != nil && f.To > f.From {
			t.take(src, f)
		}
	}
}

// drop drops the frames before a frame. If most lanes have ended, it drops all frames, and cover reads the rest again.
func (t *Timeline) drop(src *Reader, keep uint64) {
	f := src.frameOfSeq(keep)
	if f == nil {
		return
	}
	t.read = keep
	for i := range t.Rows {
		t.Rows[i].drop(f.At)
	}
	for i := range t.Groups {
		t.Groups[i].load.drop(f.At)
	}
	empty := 0
	for i := range t.bands {
		b := &t.bands[i]
		b.Gaps = resize.Delete(b.Gaps, func(g Interval) bool { return g.End < f.At })
		if !slices.ContainsFunc(b.Rows, func(r int32) bool { return t.Rows[r].Len() > 0 }) {
			empty++
		}
	}
	if empty > readAhead && empty > len(t.bands)/2 { // lanes of goroutines that have ended
		t.clear()
		t.bands = nil
		t.Rows = nil
		t.byLane = nil
		t.Groups = nil
		t.byGroup = nil
		t.named = namedLanes{}
	}
}

// take reads a frame.
func (t *Timeline) take(src *Reader, f *history.Frame) {
	w := window{f, f, f.From, f.PerTick}
	lanes := src.lanesOf(t.scratch.lanes[:0], w)
	t.scratch.lanes = lanes
	joined := t.next > t.read && src.frameOfSeq(t.next-1) != nil && history.Adjoin(src.frameOfSeq(t.next-1), f)
	for i := range lanes {
		l := &lanes[i]
		b := t.bandOf(l)
		if l.State != Whole {
			b.gap(f.At, f.At+l.From)
		}
		if l.State == Whole || l.State == Cut {
			t.scratch.scopes = src.scopesOf(t.scratch.scopes[:0], l.ID, w)
			t.add(b, t.scratch.scopes, f.At, joined)
			t.work(b, t.scratch.scopes, f.At)
		}
	}
	t.settleGroups()
}

// gap stores a stretch of time without events.
func (b *Band) gap(begin, end float64) {
	if n := len(b.Gaps); n > 0 && begin-b.Gaps[n-1].End < 1e-6 {
		b.Gaps[n-1].End = end
	} else if end > begin {
		b.Gaps = append(b.Gaps, Interval{begin, end})
	}
}

// bandOf returns the band of a lane, and makes it if necessary.
func (t *Timeline) bandOf(l *Lane) *Band {
	at, found := t.nextBand, t.nextBand < len(t.bands) && t.bands[t.nextBand].ID == l.ID
	if !found {
		at, found = t.byLane[l.ID]
	}
	if !found {
		if t.byLane == nil {
			t.byLane = make(map[report.LaneID]int)
		}
		at = len(t.bands)
		t.byLane[l.ID] = at
		t.bands = append(t.bands, Band{Lane: *l})
	}
	t.nextBand = at + 1
	b := &t.bands[at]
	if b.Name != l.Name || !found {
		b.Name, b.group = l.Name, t.groupOf(l)
	}
	return b
}

// add adds the scopes of a lane in a frame, which begins at a time on the axis.
func (t *Timeline) add(b *Band, scopes []Scope, at float64, joined bool) {
	for i := range scopes {
		s := &scopes[i]
		if uint32(s.Level) >= mostRows {
			b.Deeper++
			continue
		}
		for level := len(b.Rows); level <= int(s.Level); level++ {
			b.Rows = append(b.Rows, int32(len(t.Rows)))
			t.Rows = append(t.Rows, Row{Lane: b.ID, Level: int32(level)})
		}
		r := &t.Rows[b.Rows[s.Level]]
		if s.Before || s.After || s.Remark != nil {
			r.summed = min(r.summed, max(len(r.At)-1, 0)) // the last one may be joined
			r.add(s, at+s.Begin, at+s.End, joined)
			continue
		}
		r.At = append(r.At, Interval{at + s.Begin, at + s.End})
		r.zones = append(r.zones, uint32(max(s.Zone, 0))&zoneMask)
	}
}
