package viewer

import (
	"cmp"
	"slices"

	"example.com/iprof/process"
)

// seatFrames is the number of frames for which a lane keeps its place and its height when it no longer needs them. So
// bands do not jump.
const seatFrames = 90

// seat is a place among the bands: of a lane, or of the goroutines that one go statement started.
type seat struct {
	seatKey
	name   string
	where  string // of a group: the file and the line of the go statement
	rows   int
	needed uint64 // number of the latest frame that needed all these rows
	band   int    // index of Timeline.Bands, or of Timeline.Groups; -1 for none
	device bool   // of a GPU
	drift  float64
	states bool // its states have been known
}

// seatKey orders the bands: the lane that ends the frames is first, the others follow by their ID. A group is where its
// first lane was.
type seatKey struct {
	first process.LaneID // 0 for the lane that ends the frames
	kind  seatKind
	id    process.LaneID // of a lane; of a group the first
}

type seatKind uint8

const (
	seatLane   seatKind = iota
	seatGroup           // of a group, folded or open
	seatInside          // of a lane of an open group
)

func (a seatKey) compare(b seatKey) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
}

// shows reports whether the view has a lane. Lane 0 is all lanes.
func (s *seat) shows(lane process.LaneID) bool {
	return lane == 0 || s.id == lane && s.kind != seatGroup
}

// seatAll gives every lane and group of the data a place. Lanes that are no longer in the data keep their places for a
// while, but not those of goroutines that one go statement started: they come and go.
func (b *bands) seatAll(t *timelineData, now uint64) {
	b.seats = slices.DeleteFunc(b.seats, func(s seat) bool { return now < s.needed || now > s.needed+seatFrames })
	for i := range b.seats {
		b.seats[i].band = -1
	}
	inside := 0
	for i := range t.Bands {
		l := &t.Bands[i]
		key := seatKey{l.ID, seatLane, l.ID}
		if l.Updater {
			key.first = 0
		}
		if g := t.GroupOf(l); g != nil && t.Lane != l.ID {
			b.seatGroup(t, g, now)
			if !b.open.has(g.Name) || inside == mostOfOne {
				continue
			}
			key, inside = seatKey{g.First, seatInside, l.ID}, inside+1
		}
		s := b.seatOf(key)
		s.name, s.band, s.device, s.drift = l.Name, i, l.Device, l.Drift
		s.states = s.states || len(l.States) > 0
		if l.Depth >= s.rows || now > s.needed+seatFrames/2 {
			s.rows, s.needed = l.Depth, now
		}
	}
	b.grouped = false
	b.seats = slices.DeleteFunc(b.seats, func(s seat) bool {
		b.grouped = b.grouped || s.kind == seatGroup
		return s.band < 0 && s.kind != seatGroup && process.Crowd(s.name) != ""
	})
}

// seatOf returns the seat of a key, and makes one if there is none.
func (b *bands) seatOf(key seatKey) *seat {
	at, found := slices.BinarySearchFunc(b.seats, key, func(s seat, key seatKey) int { return s.compare(key) })
	if !found {
		b.seats = slices.Insert(b.seats, at, seat{seatKey: key})
	}
	return &b.seats[at]
}

func (b *bands) seatGroup(t *timelineData, g *process.TimelineGroup, now uint64) {
	s := b.seatOf(seatKey{g.First, seatGroup, g.First})
	if s.needed == now && s.band >= 0 {
		return
	}
	for i := range t.Groups {
		if &t.Groups[i] == g {
			s.band = i
		}
	}
	if s.rows, s.needed = crowdRows, now; s.name != g.Name {
		s.name = g.Name
		s.where = placeOf(g.Name)
	}
}

// heightOf returns the height of a band with the gap below it, in nominal pixels.
func heightOf(s *seat, gutter bool) float32 {
	height := float32(max(s.rows*scopeRowHeight, idleBand) + bandGap)
	if !gutter && s.rows > 0 {
		height += bandName
	}
	if s.states {
		height += stateGap
	}
	return height
}

// gutter is the width of the place for names, in nominal pixels.
func (b *bands) gutter() float32 {
	if b.grouped {
		return nameGutter
	}
	return bandGutter
}

// height returns the height of all bands in pixels.
func (b *bands) height(em float32, lane process.LaneID, gutter bool) (height float32) {
	for i := range b.seats {
		if s := &b.seats[i]; s.shows(lane) {
			height += heightOf(s, gutter) * em
		}
	}
	return height
}

// reveal brings a lane into sight by moving the bands, if it is not there.
func (b *bands) reveal(v *timeView, lane process.LaneID, em float32, gutter bool) {
	y := float32(0)
	for i := range b.seats {
		s := &b.seats[i]
		height := heightOf(s, gutter) * em
		if s.id == lane && s.kind != seatGroup {
			v.downGoal = max(min(v.downGoal, y), y+height-v.in.height())
			return
		}
		y += height
	}
}
