package draw

import (
	"sort"

	"example.com/iprof/process"
)

// timelineSource is what a timeline asks of a session.
type timelineSource interface {
	AppendTimelineLanes(dst []process.TimelineLane, age int) []process.TimelineLane
	AppendTimelineFrames(dst []process.TimelineFrame, age, older, newer int) []process.TimelineFrame
	AppendTimelineRange(dst []process.TimelineScope, lane uint64, age, older, newer int) []process.TimelineScope
}

// deepestRow bounds the rows of a band: what is deeper is counted, not drawn.
const deepestRow = 64

// times is when a scope began and ended, ms from the beginning of the frame.
type times struct{ begin, end float64 }

// scopeRow is one level of one lane: scopes one after the other, from and to being indices into timelineData.
type scopeRow struct{ from, to int32 }

// band is a lane's rows.
type band struct {
	process.TimelineLane
	first, rows int // of timelineData.rows
	deeper      int // scopes that have no row
}

// What a zone number is joined with.
const (
	cutBefore = 1 << 30 // the scope began before what is told
	cutAfter  = 1 << 29 // it was open at its end
	zoneMask  = cutAfter - 1
)

// timelineData is the scopes of a frame and its neighbours, in an order in which those of any stretch of time are found at
// once, and with sums from which any number of them can be drawn as one.
type timelineData struct {
	key    timelineKey
	filled bool
	stamp  int // another whenever the data is

	scopes []process.TimelineScope // as they came
	lanes  []process.TimelineLane
	frames []process.TimelineFrame
	length float64 // of the frame, ms
	index  uint64

	bands   []band
	rows    []scopeRow
	at      []times
	zones   []uint32   // joined with the bits above
	groups  [][]group  // by power of 16: what so many scopes are together
	looks   []zoneLook // by zone
	lit     []int32    // the scopes of one zone, in order
	litZone int32
	litAt   int
}

// timelineKey says which frames and lanes the data is of.
type timelineKey struct {
	index, frames uint64
	age           int
	lane          uint64
	older, newer  int
}

// fetch asks for what the key says, unless it is here already.
func (t *timelineData) fetch(s timelineSource, key timelineKey) {
	if t.filled && t.key == key {
		return
	}
	t.key, t.filled = key, true
	t.stamp++
	t.lanes = s.AppendTimelineLanes(t.lanes[:0], key.age)
	t.frames = s.AppendTimelineFrames(t.frames[:0], key.age, neighbours, neighbours)
	t.scopes = s.AppendTimelineRange(t.scopes[:0], key.lane, key.age, key.older, key.newer)
	t.length, t.index = 0, key.index
	for i := range t.frames {
		if t.frames[i].Age == key.age {
			t.length, t.index = t.frames[i].End, t.frames[i].Index
		}
	}
	t.build()
}

// build puts the scopes in rows.
func (t *timelineData) build() {
	t.bands, t.rows = t.bands[:0], t.rows[:0]
	for i := range t.lanes {
		if l := &t.lanes[i]; t.key.lane == 0 || t.key.lane == l.ID {
			t.bands = append(t.bands, band{TimelineLane: *l})
		}
	}
	t.count()
	t.place()
	t.sumUp()
}

// count makes the rows, as long as they will be.
func (t *timelineData) count() {
	sum := int32(0)
	for rest := t.scopes; len(rest) > 0; {
		scopes := ofOneLane(rest)
		rest = rest[len(scopes):]
		b := t.bandOf(scopes[0].Lane)
		if b == nil {
			continue
		}
		var counts [deepestRow + 1]int32 // the last is of all that are deeper
		for i := range scopes {
			counts[rowOf(scopes[i].Level)]++
		}
		b.first, b.deeper = len(t.rows), int(counts[deepestRow])
		for level, n := range counts[:deepestRow] {
			if n > 0 {
				b.rows = level + 1
			}
		}
		for _, n := range counts[:b.rows] {
			t.rows = append(t.rows, scopeRow{sum, sum})
			sum += n
		}
	}
	t.at, t.zones = sized(t.at, int(sum)), sized(t.zones, int(sum))
}

// ofOneLane is the first scopes that are of one lane: they come lane by lane. Its end is galloped to.
func ofOneLane(s []process.TimelineScope) []process.TimelineScope {
	lane, low, high := s[0].Lane, 1, len(s)
	for step := 1; low < high; step *= 2 {
		p := min(low+step, high) - 1
		if s[p].Lane != lane {
			high = p
			break
		}
		low = p + 1
	}
	n := low + sort.Search(high-low, func(i int) bool { return s[low+i].Lane != lane })
	return s[:n]
}

// rowOf is the row of a level in its band; deepestRow stands for none.
func rowOf(level int32) int { return int(min(uint32(level), deepestRow)) }

// place puts the scopes where they belong.
func (t *timelineData) place() {
	for rest := t.scopes; len(rest) > 0; {
		scopes := ofOneLane(rest)
		rest = rest[len(scopes):]
		if b := t.bandOf(scopes[0].Lane); b != nil {
			t.placeIn(t.rows[b.first:b.first+b.rows], scopes)
		}
	}
}

func (t *timelineData) placeIn(rows []scopeRow, scopes []process.TimelineScope) {
	var next [deepestRow + 1]int32 // where the next scope of a row belongs
	for i, r := range rows {
		next[i] = r.from
	}
	times, zones := t.at, t.zones
	for i := range scopes {
		s := &scopes[i]
		row := rowOf(s.Level)
		if row == deepestRow {
			continue
		}
		at := next[row]
		next[row] = at + 1
		p := &times[at]
		p.begin, p.end = s.Begin, s.End
		zones[at] = zoneOf(s)
	}
	for i := range rows {
		rows[i].to = next[i]
	}
}

// zoneOf joins a scope's zone with what there is to say about its ends.
func zoneOf(s *process.TimelineScope) uint32 {
	zone := uint32(max(s.Zone, 0)) & zoneMask
	if s.Before {
		zone |= cutBefore
	}
	if s.After {
		zone |= cutAfter
	}
	return zone
}

func (t *timelineData) bandOf(lane uint64) *band {
	for i := range t.bands {
		if t.bands[i].ID == lane {
			return &t.bands[i]
		}
	}
	return nil
}

// lightUp lists the scopes of a zone, if they are not those listed already.
func (t *timelineData) lightUp(zone int32) {
	if t.litAt == t.stamp && t.litZone == zone {
		return
	}
	t.litAt, t.litZone, t.lit = t.stamp, zone, t.lit[:0]
	for i, z := range t.zones {
		if int32(z&zoneMask) == zone {
			t.lit = append(t.lit, int32(i))
		}
	}
}

// sized returns a slice of that length, in the same memory if it is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
