package draw

import (
	"example.com/iprof/process"
)

// chips are the signs in the header that say what the report is of where that is not the usual: a lane, an average, frames, a
// path, a baseline. Each is left by a click.
type chips struct {
	c        *canvas
	row      rect
	x, limit float32
}

// add draws a sign, if there is something to say and room for it.
func (h *chips) add(s string, hit Hit) {
	if s == "" {
		return
	}
	c := h.c
	width := min(c.Width(FaceSmall, s), 150*c.em) + 14*c.em
	if h.x+width > h.limit {
		return
	}
	y := (h.row.y0 + h.row.y1) / 2
	box := rect{h.x, y - 10*c.em, h.x + width, y + 10*c.em}
	ground := c.raised
	if c.hovers(box) {
		ground = c.tab
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, ground)
	c.left(h.x+7*c.em, width-14*c.em, h.row, FaceSmall, s, c.textNormal)
	c.add(box, hit)
	h.x = box.x1 + 5*c.em
}

// command is a hit that runs a command.
func command(name string) Hit {
	h := hitOf(HitCommand, 0)
	h.Name = name
	return h
}

// drawChips draws the signs that are due, and returns where they end.
func (p *Panel) drawChips(r rect, x, limit float32) float32 {
	d := &p.shown
	h := chips{&p.canvas, r, x, limit}
	if d.view.Lane != 0 {
		h.add(d.info.Lane, hitOf(HitLanes, 0))
	}
	h.add(p.lensWords(), command("frames"))
	if d.info.Lens.Kind == process.LensOff && !d.info.Kept && d.info.Age == 0 && d.info.Frames > 0 {
		h.add(averageWords[min(d.view.Average, process.Instant)], command("average"))
	}
	if len(d.view.Pin) > 0 {
		h.add(p.pinWords(), command("unpin"))
	}
	if p.base.on {
		h.add(p.base.label, hitOf(HitCompare, 0))
	}
	return h.x
}

// averageWords name the averages.
var averageWords = [...]string{process.Short: "mean of 0.8 s", process.Long: "mean of 2.5 s", process.Instant: "this frame"}

// lensWords say which frames the report is of, where it is not one.
func (p *Panel) lensWords() string {
	switch p.shown.info.Lens.Kind {
	case process.LensAll:
		return "all frames"
	case process.LensOver:
		return "frames over budget"
	case process.LensWithin:
		return "frames within budget"
	case process.LensSlowest:
		return "slowest frames"
	case process.LensRange:
		return "range of frames"
	}
	return ""
}

// pinWords name the innermost zone of the pinned path. They are made anew only when the path is another.
func (p *Panel) pinWords() string {
	pin := p.shown.view.Pin
	last := pin[len(pin)-1]
	if p.pinned.words == "" || p.pinned.zone != last {
		name := p.source.Zone(last).Name
		p.pinned.zone, p.pinned.words = last, "below "+name[:min(len(name), longest)]
	}
	return p.pinned.words
}

// pinned is the words for the pinned path.
type pinned struct {
	zone  int32
	words string
}
