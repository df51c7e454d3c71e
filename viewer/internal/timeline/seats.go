package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// Bounds of the lane picker.
const (
	MaxGroups = 64  // go statements; the lanes of further ones are single lines
	MaxOfOne  = 100 // lanes that an open group lists, the busiest first
)

// crowdRows is the height of a group's band in rows of scopes.
const crowdRows = 2

// OpenGroups are the go statements whose goroutines are shown one by one.
type OpenGroups []string

// Has reports whether the goroutines of a go statement are shown one by one.
func (o OpenGroups) Has(name string) bool { return slices.Contains(o, name) }

// Toggle opens a group, or folds it.
func (o *OpenGroups) Toggle(name string) {
	if at := slices.Index(*o, name); at >= 0 {
		*o = slices.Delete(*o, at, at+1)
		return
	}
	if *o = append(*o, name); len(*o) > MaxGroups {
		*o = (*o)[1:]
	}
}

// ToggleGroups folds all groups, or opens all if none is open.
func (t *Timeline) ToggleGroups() {
	if len(t.Bands.open) > 0 {
		t.Bands.open = nil
		return
	}
	for i := range t.Bands.Seats {
		if s := &t.Bands.Seats[i]; s.kind == seatGroup {
			t.Bands.open.Toggle(s.name)
		}
	}
}

// ToggleGroup opens the group of a go statement, or folds it.
func (t *Timeline) ToggleGroup(statement string) { t.Bands.open.Toggle(statement) }

// functionOf returns the function in a go statement: "(*server).listen" of "shop.(*server).listen server.go:42".
func functionOf(statement string) string {
	name, _, _ := strings.Cut(statement, " ")
	if dot := strings.IndexByte(name, '.'); dot >= 0 && dot+1 < len(name) {
		return name[dot+1:]
	}
	return name
}

// ofCrowd returns the part of a name that distinguishes goroutines of one go statement: "#7".
func ofCrowd(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// insideName returns the name of a lane below that of its group.
func insideName(name string) string {
	if report.Crowd(name) == "" {
		return name
	}
	return ofCrowd(name)
}

// placeOf returns the place in a go statement: "server.go:42" of "shop.(*server).listen server.go:42". For goroutines
// with only a known start function it is "".
func placeOf(statement string) string {
	if !strings.Contains(statement, " ") {
		return ""
	}
	return ofCrowd(statement)
}

// group draws the goroutines of one go statement: the function, the place and their number, and beside them the number
// working at once.
func (g *bandPainter) group(s *seat, line, r canvas.Rect) {
	if s.band < 0 || s.band >= len(g.t.data.Groups) {
		return
	}
	of := &g.t.data.Groups[s.band]
	if line.Y0 >= g.in.Y0 && line.Y1 <= g.in.Y1 {
		g.heading(s, of, line)
	}
	r.Y0, r.Y1 = max(r.Y0, g.in.Y0), min(r.Y1, g.in.Y1)
	if r.Height() < 8*g.Em {
		return
	}
	g.groupTops(of, (r.Y0+r.Y1)/2)
	g.load(of, r)
}

// heading draws the lines beside a group's band.
func (g *bandPainter) heading(s *seat, of *timeline.Group, line canvas.Rect) {
	at, col := line, g.TextDim
	second := canvas.Box(line.X0+14*g.Em, line.Y1, line.X1, line.Y1+line.Height())
	if !g.gutter {
		line.X1 = (line.X0 + line.X1) / 2
		second = canvas.Box(line.X1+8*g.Em, line.Y0, at.X1, line.Y1)
	}
	if second.Y1 <= g.in.Y1 {
		at.Y1 = second.Y1
		g.Buffer = append(draw.AppendFixed(g.Buffer[:0], float64(of.Lanes), 0), "\u00d7 "...)
		x := second.X0 + g.Canvas.Bytes(second.X0, second.Width(), second, draw.FaceSmall, g.Buffer, g.TextNormal)
		g.Canvas.Cut(x, second.X1-x, second, draw.FaceSmall, s.place, g.TextFaint)
	}
	if g.Hovers(at) {
		g.Round(at.X0-3*g.Em, at.Y0, at.X1+3*g.Em, at.Y1, 3*g.Em, g.Hovered)
		col = g.TextBright
	}
	icon := draw.IconRight
	if g.t.Bands.open.Has(s.name) {
		icon = draw.IconDown
	}
	g.Icon(icon, line.X0-g.Em, (line.Y0+line.Y1)/2-5*g.Em, g.TextDim)
	name := s.name
	if !of.Named {
		name = functionOf(name)
	}
	g.Canvas.Cut(line.X0+14*g.Em, line.X1-line.X0-14*g.Em, line, draw.FaceSmall, name, col)
	h := hit.Of(hit.TimelineLane, 0)
	h.Name = s.name
	g.Add(at, h)
	g.explainGroup(at, of)
}

// explainGroup requests the tip of a group.
func (g *bandPainter) explainGroup(at canvas.Rect, of *timeline.Group) {
	if !g.Tip.Accepts(g.Hovers(at)) {
		return
	}
	origin := "that began with " + functionOf(of.Name)
	switch {
	case of.Name == timeline.OtherGoroutines:
		origin = "with names of their own"
	case of.Named:
		origin = "with names like this"
	case strings.Contains(of.Name, " "):
		origin = "started by " + functionOf(of.Name) + "\nat " + placeOf(of.Name)
	}
	g.Explain(at, printed.Count(of.Lanes, "goroutine"), fmt.Sprintf("%s; at most %d of them worked at once in "+
		"this frame.\nA click lists them one by one, or folds them again", origin, of.Most))
}

// loadCell is the width of a cell of a load, in nominal pixels.
const loadCell = 2

// load draws the number of goroutines working at once: the mean in each cell, and the maximum as a fainter cap.
func (g *bandPainter) load(of *timeline.Group, r canvas.Rect) {
	cell := max(draw.Snap(loadCell*g.Em), 1)
	n := int((g.in.X1 - g.in.X0) / cell)
	ms := g.t.View.at.Wide / float64(g.in.Width()) * float64(cell)
	loads := of.AppendLoad(g.t.Bands.loads[:0], g.t.data.Origin+g.t.View.at.From, ms, n)
	g.t.Bands.loads = loads
	most := int32(max(of.Most, 1))
	for i := range loads {
		most = max(most, loads[i].Most)
	}
	look := g.t.data.look(g.Canvas, g.d, max(of.Zone, 0))
	cap, body := draw.Mix(g.Surface, look.color, 0.4), look.color
	base := draw.Snap(r.Y1 - g.Em)
	room := base - r.Y0 - 2*g.Em
	for i := 0; i < len(loads); {
		to := i + 1
		for to < len(loads) && loads[to] == loads[i] {
			to++
		}
		x0, x1 := g.in.X0+float32(i)*cell, g.in.X0+float32(to)*cell
		high := draw.Snap(base - room*float32(loads[i].Most)/float32(most))
		mean := draw.Snap(base - room*min(loads[i].Mean/float32(most), 1))
		i = to
		if mean > high {
			g.Rect(x0, high, x1, mean, cap)
		}
		if base > mean {
			g.Rect(x0, mean, x1, base, body)
		}
	}
	g.Rect(g.in.X0, base, g.in.X1, base+draw.Hairline(g.Em), g.GridLine)
	g.loadWords(of, loads, cell, r)
}

// groupState returns the state of the events of a group: the worst of its lanes.
func (t *timelineData) groupState(of *timeline.Group) (state timeline.Coverage) {
	state = timeline.Whole
	for i := range t.Bands {
		if b := &t.Bands[i]; t.GroupOf(b) == of && b.State != timeline.Whole {
			state = b.State
		}
	}
	return state
}

// loadWords writes the number of working goroutines under the mouse, else the greatest in sight.
func (g *bandPainter) loadWords(of *timeline.Group, loads []timeline.Load, cell float32, r canvas.Rect) {
	x, most := g.in.X0+6*g.Em, int32(0)
	for i := range loads {
		most = max(most, loads[i].Most)
	}
	at := int((g.Hover.X - g.in.X0) / cell)
	switch here := g.Hovers(canvas.Box(g.in.X0, r.Y0, g.in.X1, r.Y1)) && at < len(loads); {
	case most == 0 && g.t.data.groupState(of) == timeline.Off:
		g.Buffer = append(g.Buffer[:0], "no events kept"...)
	case most == 0 && g.t.data.groupState(of) != timeline.Whole:
		g.Buffer = append(g.Buffer[:0], "overwritten"...)
	case here:
		g.Buffer = append(draw.AppendFixed(g.Buffer[:0], float64(loads[at].Most), 0), " at work here"...)
		x = g.Hover.X + 12*g.Em
	default:
		g.Buffer = draw.AppendFixed(append(g.Buffer[:0], "at most "...), float64(most), 0)
		g.Buffer = append(g.Buffer, " at work at once"...)
	}
	width := g.ASCIIWidth(draw.FaceSmall, g.Buffer)
	if x+width+8*g.Em > g.in.X1 {
		x = g.Hover.X - width - 12*g.Em
	}
	y := r.Y0 + g.Em
	g.Round(x-4*g.Em, y, x+width+4*g.Em, y+15*g.Em, 3*g.Em, draw.Fade(g.Surface, 0.8))
	g.ASCII(x, g.Baseline(y, y+15*g.Em, draw.FaceSmall), draw.FaceSmall, g.Buffer, g.TextDim)
}

// seatFrames is the number of frames for which a lane keeps an unneeded place and height, so that bands do not jump.
const seatFrames = 90

// seat is a place among the bands: of a lane, or of the goroutines that one go statement started.
type seat struct {
	seatKey
	name   string
	place  string // of a group: the file and the line of the go statement
	rows   int
	needed uint64 // number of the latest frame that needed all these rows
	band   int    // index of Timeline.Bands, or of Timeline.Groups; -1 for none
	device bool   // of a GPU
	drift  float64
	states bool // states are or were known
}

// seatKey orders the bands: bands kept at the top come first, then the lane that ends the frames, then the others by
// their ID. A group has the place of its first lane.
type seatKey struct {
	rank  uint8
	first report.LaneID // 0 for the lane that ends the frames
	kind  seatKind
	id    report.LaneID // of a lane; of a group the first
}

type seatKind uint8

const (
	seatLane   seatKind = iota
	seatGroup           // of a group, folded or open
	seatInside          // of a lane of an open group
)

func (a seatKey) compare(b seatKey) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.first, b.first),
		cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
}

// shows reports whether the view shows a lane. Lane 0 stands for all lanes.
func (s *seat) shows(lane report.LaneID) bool {
	return lane == 0 || s.id == lane && s.kind != seatGroup
}

// seatAll gives every lane and group of the data a place. Lanes that have left the data keep their places for a while,
// except goroutines of a group, which come and go.
func (b *bands) seatAll(t *timelineData, now uint64) {
	b.Seats = slices.DeleteFunc(b.Seats, func(s seat) bool { return now < s.needed || now > s.needed+seatFrames })
	for i := range b.Seats {
		b.Seats[i].band = -1
	}
	inside := 0
	b.nextSeat = 0
	for i := range t.Bands {
		l := &t.Bands[i]
		key := seatKey{b.rankOf(l.Name), l.ID, seatLane, l.ID}
		if l.Updater {
			key.first = 0
		}
		if g := t.GroupOf(l); g != nil && t.Lane != l.ID {
			b.seatGroup(t, g, now)
			if !b.open.Has(g.Name) || inside == MaxOfOne {
				continue
			}
			key, inside = seatKey{b.rankOf(g.Name), g.First, seatInside, l.ID}, inside+1
		}
		s := b.seatOf(key)
		s.name = l.Name
		s.band = i
		s.device = l.Device
		s.drift = l.Drift
		s.states = s.states || len(l.States) > 0
		if l.Depth >= s.rows || now > s.needed+seatFrames/2 {
			s.rows, s.needed = l.Depth, now
		}
	}
	b.grouped = false
	b.Seats = slices.DeleteFunc(b.Seats, func(s seat) bool {
		b.grouped = b.grouped || s.kind == seatGroup
		return s.band < 0 && (s.kind == seatInside || s.kind == seatLane && report.Crowd(s.name) != "")
	})
}

// seatOf returns the seat of a key, which it makes if needed. It is fast for the seat after the last requested one.
func (b *bands) seatOf(key seatKey) *seat {
	if b.nextSeat < len(b.Seats) && b.Seats[b.nextSeat].seatKey == key {
		b.nextSeat++
		return &b.Seats[b.nextSeat-1]
	}
	at := sort.Search(len(b.Seats), func(i int) bool { return b.Seats[i].compare(key) >= 0 })
	if at == len(b.Seats) || b.Seats[at].seatKey != key {
		b.Seats = slices.Insert(b.Seats, at, seat{seatKey: key})
	}
	b.nextSeat = at + 1
	return &b.Seats[at]
}

func (b *bands) seatGroup(t *timelineData, g *timeline.Group, now uint64) {
	s := b.seatOf(seatKey{b.rankOf(g.Name), g.First, seatGroup, g.First})
	if s.needed == now && s.band >= 0 {
		return
	}
	for i := range t.Groups {
		if &t.Groups[i] == g {
			s.band = i
		}
	}
	s.rows, s.needed = crowdRows, now
	if s.name != g.Name {
		s.name, s.place = g.Name, ""
		if !g.Named {
			s.place = placeOf(g.Name)
		}
	}
}

// heightOf returns the height of a band with levels of a height, and with the gap below it, in nominal pixels.
func heightOf(s *seat, line float32, gutter bool) float32 {
	height := max(float32(s.rows)*max(line, scopeRowHeight), idleBand) + bandGap
	if !gutter && s.rows > 0 {
		height += bandName
	}
	if s.states {
		height += stateGap
	}
	return height
}

// level returns the height of a level in pixels.
func (b *bands) level(em float32) float32 { return draw.Snap(max(b.line, scopeRowHeight) * em) }

// stretch makes the levels so high that the bands fill a room in pixels, within limits.
func (b *bands) stretch(em float32, lane report.LaneID, gutter bool, room float32) {
	b.line = scopeRowHeight
	levels := 0
	for i := range b.Seats {
		if s := &b.Seats[i]; s.shows(lane) {
			levels += s.rows
		}
	}
	if free := room - b.height(b.line, em, lane, gutter); free > 0 && levels > 0 && em > 0 {
		b.line = float32(int(min(scopeRowHeight+free/em/float32(levels), mostRowHeight)))
	}
}

// gutter is the width of the place for names, in nominal pixels.
func (b *bands) gutter() float32 {
	if b.grouped {
		return nameGutter
	}
	return bandGutter
}

// height returns the height of all bands, with levels of a height in nominal pixels, in pixels.
func (b *bands) height(line, em float32, lane report.LaneID, gutter bool) (height float32) {
	for i := range b.Seats {
		if s := &b.Seats[i]; s.shows(lane) {
			height += heightOf(s, line, gutter) * em
		}
	}
	return height
}

// reveal moves the bands to bring a lane into sight, if needed.
func (b *bands) reveal(v *timeView, lane report.LaneID, em float32, gutter bool) {
	y, kept := float32(0), b.keptHeight(em, 0, gutter, v.in.Height())
	for i := range b.Seats {
		s := &b.Seats[i]
		height := heightOf(s, b.line, gutter) * em
		if s.id == lane && s.kind != seatGroup {
			if height > v.in.Height()-kept { // not all of its levels have room
				y, height = y+float32(b.aimedLevel)*b.level(em), b.level(em)
			}
			if kept == 0 || s.rank > keptRank {
				v.downGoal = max(min(v.downGoal, y-kept), y+height-v.in.Height())
			}
			return
		}
		y += height
	}
}
