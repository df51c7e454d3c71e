package process

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// Timeline holds the scopes of frames in order of time, on one axis in ms. Each frame is read once, when it first comes
// into sight. A frame that follows the newest one is added to the rows; the rest stays.
type Timeline struct {
	Serial int     // changes with the other fields
	Index  uint64  // of the frame shown, or of the first frame of a range shown
	Until  uint64  // of the last frame shown
	Age    int     // of the last frame shown; -1: a slow frame that the history has lost
	Lane   LaneID  // 0: all
	Origin float64 // the beginning of the frames shown on the axis of the rows
	Length float64 // of the frames shown

	// Least and Most are the ends of the frames that follow each other without a pause around those shown, in ms from
	// Origin. The timeline can show any part of that.
	Least, Most float64
	Frames      []TimelineFrame // in sight, and around it; times are from Origin
	Lanes       []TimelineLane  // of the last frame shown
	Bands       []TimelineBand  // the lanes with scopes in sight, and those of the last frame shown; ascending by ID
	Rows        []TimelineRow
	Groups      []TimelineGroup   // goroutines of one go statement; there may be groups without a lane in sight
	Whole       []TimelineStretch // states of the whole program in sight

	key     timelineKey
	read    uint64 // the first frame in the rows
	next    uint64 // the frame after the last one in the rows
	bands   []TimelineBand
	byLane  map[LaneID]int   // index of bands
	byGroup map[string]int32 // 1 + index of Groups
	zones   []gather.ZoneInfo
	scratch struct {
		lanes  []TimelineLane
		scopes []TimelineScope
		states [][]TimelineStretch // by band
	}
}

// TimelineBand is the rows of one lane.
type TimelineBand struct {
	TimelineLane                // its State is that of the last frame shown
	Rows         []int32        // by level: index of Timeline.Rows
	Depth        int            // number of levels with scopes in sight
	Deeper       int            // scopes too deep for a row
	Gaps         []TimelineSpan // without events, on the axis of the rows

	States []TimelineStretch // in sight, by their beginnings; none where they are not known

	group int32 // 1 + index of Groups, 0 for none
}

// MostTimelineRows is the greatest number of rows of a lane. Deeper scopes are counted.
const MostTimelineRows = 64

// timelineKey identifies the contents of a Timeline.
type timelineKey struct {
	first, last, next uint64
	from, to          float64
	lane              LaneID
	epoch, states     int
}

// update brings the timeline up to date: the frames from first to last are shown, of a lane or of all. It has at least
// the time from begin to end, in ms from the beginning of the first. Without a frame, first is nil.
func (t *Timeline) update(src *reader, states *history.States, first, last *history.Frame, lane LaneID,
	begin, end float64) {
	if first == nil {
		t.empty()
		return
	}
	h := src.past
	key := timelineKey{first.Seq, last.Seq, h.Next, begin, end, lane, src.epoch, states.Changes}
	if t.Serial > 0 && t.key == key {
		return
	}
	if t.key.epoch != key.epoch {
		t.clear()
	}
	t.Serial, t.key, t.Lane, t.zones = t.Serial+1, key, lane, src.zones
	t.Index, t.Until, t.Age = first.Index, last.Index, -1
	if last.Seq >= h.First() && last.Seq < h.Next {
		t.Age = int(h.Next - 1 - last.Seq)
	}
	t.Origin, t.Length = first.At, last.End()-first.At
	low, high := src.runAround(first, last)
	t.Least, t.Most = src.frameOfSeq(low).At-t.Origin, src.frameOfSeq(high).End()-t.Origin
	from := src.frameBy(low, high, t.Origin+min(begin, 0))
	to := last.Seq
	if end > t.Length { // else the next frame, which begins where this one ends, is not in sight
		to = src.frameBy(low, high, t.Origin+end)
	}
	t.cover(src, max(from, low+1)-1, min(to+1, high), low) // scopes that cross the ends have their whole length
	t.list(src, from, to, low, high)
	t.Lanes = src.lanesOf(t.Lanes[:0], window{last, last, last.From, last.PerTick})
	t.show(src.frameOfSeq(from).At, src.frameOfSeq(to).End())
	t.fillStates(src, states, from, to)
}

// runAround returns the ends of the frames that follow each other without a pause around some frames.
func (r *reader) runAround(first, last *history.Frame) (low, high uint64) {
	low, high = first.Seq, last.Seq
	if h := r.past; high >= h.First() && high < h.Next {
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
	for p := r.frameOfSeq(high + 1); p != nil && history.Adjoin(r.frameOfSeq(high), p); p = r.frameOfSeq(high + 1) {
		high++
	}
	return low, high
}

// frameBy returns the last frame from low to high that begins by a time on the axis, or low.
func (r *reader) frameBy(low, high uint64, at float64) uint64 {
	n := sort.Search(int(high-low), func(i int) bool { return r.frameOfSeq(low+1+uint64(i)).At > at })
	return low + uint64(n)
}

// list lists the frames in sight, and one more on either side. Of very many, it lists none.
func (t *Timeline) list(src *reader, from, to, low, high uint64) {
	const most = 4096
	t.Frames = t.Frames[:0]
	if to-from > most {
		return
	}
	for seq := max(from, low+1) - 1; seq <= min(to+1, high); seq++ {
		p, age := src.frameOfSeq(seq), -1
		if seq >= src.past.First() {
			age = int(src.past.Next - 1 - seq)
		}
		t.Frames = append(t.Frames, TimelineFrame{p.Index, age, p.At - t.Origin, p.End() - t.Origin, p.Over})
	}
}

// show lists the bands with scopes in a stretch of time on the axis, and those of the last frame shown.
func (t *Timeline) show(begin, end float64) {
	for i := range t.bands {
		b := &t.bands[i]
		b.Depth, b.State = 0, TimelineWhole
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
		b.TimelineLane = *l
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
	slices.SortFunc(t.Bands, compareBands)
	t.countGroups()
}

// empty makes a timeline without a frame.
func (t *Timeline) empty() {
	if t.Serial == 0 || t.Length != 0 {
		t.clear()
		t.Serial, t.key, t.Length, t.Least, t.Most = t.Serial+1, timelineKey{}, 0, 0, 0
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
