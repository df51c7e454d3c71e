package viewer

import (
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// crowdRows is the height of a group's band in rows of scopes.
const crowdRows = 2

// openGroups are the go statements whose goroutines are shown one by one.
type openGroups []string

func (o openGroups) has(name string) bool { return slices.Contains(o, name) }

// toggle opens a group, or folds it.
func (o *openGroups) toggle(name string) {
	if at := slices.Index(*o, name); at >= 0 {
		*o = slices.Delete(*o, at, at+1)
		return
	}
	if *o = append(*o, name); len(*o) > mostGroups {
		*o = (*o)[1:]
	}
}

// toggleGroups opens all groups of the timeline, or folds all.
func toggleGroups(_ *process.Session, p *Panel) {
	p.change(func() {
		t := &p.timeline
		if t.mode == TimelineHidden {
			t.mode, p.options.Timeline = TimelineShown, TimelineShown
		}
		if len(t.bands.open) > 0 {
			t.bands.open = nil
			return
		}
		for i := range t.bands.seats {
			if s := &t.bands.seats[i]; s.kind == seatGroup {
				t.bands.open.toggle(s.name)
			}
		}
	})
}

// functionOf returns the function in a go statement: "(*server).listen" of "shop.(*server).listen server.go:42".
func functionOf(statement string) string {
	name, _, _ := strings.Cut(statement, " ")
	if dot := strings.IndexByte(name, '.'); dot >= 0 && dot+1 < len(name) {
		return name[dot+1:]
	}
	return name
}

// ofCrowd returns what tells a goroutine from the others of its go statement: "#7".
func ofCrowd(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// placeOf returns the place in a go statement: "server.go:42" of "shop.(*server).listen server.go:42".
func placeOf(statement string) string { return ofCrowd(statement) }

// group draws the goroutines of one go statement: the function, the place and their number, and beside them how many of
// them were at work at once.
func (g *bandPainter) group(s *seat, line, r rect) {
	if s.band < 0 || s.band >= len(g.t.data.Groups) {
		return
	}
	of := &g.t.data.Groups[s.band]
	if line.y0 >= g.in.y0 && line.y1 <= g.in.y1 {
		g.heading(s, of, line)
	}
	if r.y0, r.y1 = max(r.y0, g.in.y0), min(r.y1, g.in.y1); r.height() < 8*g.em {
		return
	}
	g.groupTops(of, (r.y0+r.y1)/2)
	g.load(of, r)
}

// heading draws the lines beside a group's band.
func (g *bandPainter) heading(s *seat, of *process.TimelineGroup, line rect) {
	at, col := line, g.TextDim
	second := rect{line.x0 + 14*g.em, line.y1, line.x1, line.y1 + line.height()}
	if !g.gutter {
		line.x1 = (line.x0 + line.x1) / 2
		second = rect{line.x1 + 8*g.em, line.y0, at.x1, line.y1}
	}
	if second.y1 <= g.in.y1 {
		at.y1 = second.y1
		g.buffer = append(draw.AppendFixed(g.buffer[:0], float64(of.Lanes), 0), "\u00d7 "...)
		x := second.x0 + g.canvas.text(second.x0, second.width(), second, draw.FaceSmall, g.buffer, g.TextNormal)
		g.canvas.tail(x, second.x1-x, second, draw.FaceSmall, s.where, g.TextFaint)
	}
	if g.hovers(at) {
		g.Round(at.x0-3*g.em, at.y0, at.x1+3*g.em, at.y1, 3*g.em, g.Hovered)
		col = g.TextBright
	}
	icon := draw.IconRight
	if g.t.bands.open.has(s.name) {
		icon = draw.IconDown
	}
	g.Icon(icon, line.x0-g.em, (line.y0+line.y1)/2-5*g.em, g.TextDim)
	g.canvas.tail(line.x0+14*g.em, line.x1-line.x0-14*g.em, line, draw.FaceSmall, functionOf(s.name), col)
	h := hitOf(HitTimelineLane, 0)
	h.Name = s.name
	g.add(at, h)
	g.explainGroup(at, of)
}

// explainGroup requests the tip of a group.
func (g *bandPainter) explainGroup(at rect, of *process.TimelineGroup) {
	if !g.tip.accepts(g.hovers(at)) {
		return
	}
	g.explain(at, fmt.Sprintf("%d goroutines", of.Lanes), fmt.Sprintf("started by %s\nat %s; at most %d of them "+
		"worked at once in this frame.\nA click lists them one by one, or folds them again", functionOf(of.Name),
		placeOf(of.Name), of.Most))
}

// loadCell is the width of a cell of a load, in nominal pixels.
const loadCell = 2

// load draws how many goroutines were at work at once: on average in each cell, and at most as a fainter cap.
func (g *bandPainter) load(of *process.TimelineGroup, r rect) {
	cell := max(draw.Snap(loadCell*g.em), 1)
	n := int((g.in.x1 - g.in.x0) / cell)
	ms := g.t.view.at.wide / float64(g.in.width()) * float64(cell)
	loads := of.AppendLoad(g.t.bands.loads[:0], g.t.data.Origin+g.t.view.at.from, ms, n)
	g.t.bands.loads = loads
	most := int32(max(of.Most, 1))
	for i := range loads {
		most = max(most, loads[i].Most)
	}
	look := g.t.data.look(g.canvas, g.d, max(of.Zone, 0))
	cap, body := draw.Mix(g.Surface, look.color, 0.4), look.color
	base := draw.Snap(r.y1 - g.em)
	room := base - r.y0 - 2*g.em
	for i := 0; i < len(loads); {
		to := i + 1
		for to < len(loads) && loads[to] == loads[i] {
			to++
		}
		x0, x1 := g.in.x0+float32(i)*cell, g.in.x0+float32(to)*cell
		high := draw.Snap(base - room*float32(loads[i].Most)/float32(most))
		mean := draw.Snap(base - room*min(loads[i].Mean/float32(most), 1))
		if i = to; mean > high {
			g.Rect(x0, high, x1, mean, cap)
		}
		if base > mean {
			g.Rect(x0, mean, x1, base, body)
		}
	}
	g.Rect(g.in.x0, base, g.in.x1, base+draw.Hairline(g.em), g.GridLine)
	g.loadWords(of, loads, cell, r)
}

// groupState is the state of the events of a group: the worst of its lanes.
func (t *timelineData) groupState(of *process.TimelineGroup) (state process.TimelineState) {
	state = process.TimelineWhole
	for i := range t.Bands {
		if b := &t.Bands[i]; t.GroupOf(b) == of && b.State != process.TimelineWhole {
			state = b.State
		}
	}
	return state
}

// loadWords writes the number at work under the mouse, else the greatest in sight.
func (g *bandPainter) loadWords(of *process.TimelineGroup, loads []process.TimelineLoad, cell float32, r rect) {
	x, most := g.in.x0+6*g.em, int32(0)
	for i := range loads {
		most = max(most, loads[i].Most)
	}
	at := int((g.hover.x - g.in.x0) / cell)
	switch here := g.hovers(rect{g.in.x0, r.y0, g.in.x1, r.y1}) && at < len(loads); {
	case most == 0 && g.t.data.groupState(of) == process.TimelineOff:
		g.buffer = append(g.buffer[:0], "no events kept"...)
	case most == 0 && g.t.data.groupState(of) != process.TimelineWhole:
		g.buffer = append(g.buffer[:0], "overwritten"...)
	case here:
		g.buffer = append(draw.AppendFixed(g.buffer[:0], float64(loads[at].Most), 0), " at work here"...)
		x = g.hover.x + 12*g.em
	default:
		g.buffer = draw.AppendFixed(append(g.buffer[:0], "at most "...), float64(most), 0)
		g.buffer = append(g.buffer, " at work at once"...)
	}
	width := g.ASCIIWidth(draw.FaceSmall, g.buffer)
	if x+width+8*g.em > g.in.x1 {
		x = g.hover.x - width - 12*g.em
	}
	y := r.y0 + g.em
	g.Round(x-4*g.em, y, x+width+4*g.em, y+15*g.em, 3*g.em, draw.Fade(g.Surface, 0.8))
	g.ASCII(x, g.baseline(y, y+15*g.em, draw.FaceSmall), draw.FaceSmall, g.buffer, g.TextDim)
}
