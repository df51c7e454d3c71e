package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// chips are the signs in the header for settings that differ from the default: a lane, an average, a selection of
// frames, a path, a baseline. A click on a sign changes or ends its setting.
type chips struct {
	c        *canvas
	row      rect
	x, limit float32
}

// add draws a sign, if the text is not empty and there is room.
func (h *chips) add(s string, hit Hit) {
	if s == "" {
		return
	}
	c := h.c
	width := min(c.Width(draw.FaceSmall, s), 150*c.em) + 14*c.em
	if h.x+width > h.limit {
		return
	}
	y := (h.row.y0 + h.row.y1) / 2
	box := rect{h.x, y - 10*c.em, h.x + width, y + 10*c.em}
	ground := c.Raised
	if c.hovers(box) {
		ground = c.Tab
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, ground)
	c.left(h.x+7*c.em, width-14*c.em, h.row, draw.FaceSmall, s, c.TextNormal)
	c.add(box, hit)
	h.x = box.x1 + 5*c.em
}

// command returns a hit that runs a command.
func command(name string) Hit {
	h := hitOf(HitCommand, 0)
	h.Name = name
	return h
}

// drawChips draws the signs, and returns the x where they end.
func (p *Panel) drawChips(r rect, x, limit float32) float32 {
	d := &p.shown
	h := chips{&p.canvas, r, x, limit}
	if d.view.Lane != 0 {
		h.add(d.info.Lane, hitOf(HitLanes, 0))
	}
	h.add(p.lensWords(), command("frames"))
	named := r.width() >= partsWidth*h.c.em && d.info.Averaged() // beside the frame's length
	if d.info.Lens.Kind == process.LensOff && !d.info.Kept && d.info.Age == 0 && d.info.Frames > 0 && !named {
		h.add(averageWords[min(d.view.Average, process.AverageInstant)], command("average"))
	}
	if len(d.view.Pin) > 0 {
		h.add(p.pinWords(), command("unpin"))
	}
	if n := len(d.view.Hidden); n > 0 {
		h.add(hiddenWords[min(n, len(hiddenWords))-1], command("show-zones"))
	}
	if d.Report.Baseline.Pinned {
		h.add(d.Report.Baseline.Label, hitOf(HitCompare, 0))
	}
	return h.x
}

// hiddenWords say how many zones are hidden.
var hiddenWords = [...]string{"1 zone hidden", "2 zones hidden", "3 zones hidden", "many zones hidden"}

// averageWords name the averages.
var averageWords = [...]string{
	process.AverageShort: "average of 0.8 s", process.AverageLong: "average of 2.5 s",
	process.AverageInstant: "this frame",
}

// lensWords returns the name of the lens, "" for one frame.
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

// pinWords names the innermost zone of the pinned path. It formats the words only when that zone changes.
func (p *Panel) pinWords() string {
	pin := p.shown.view.Pin
	last := pin[len(pin)-1]
	if p.pinned.words == "" || p.pinned.zone != last {
		name := p.shown.Zone(last).Name
		p.pinned.zone, p.pinned.words = last, "below "+name[:min(len(name), longestName)]
	}
	return p.pinned.words
}

// pinned keeps the words for the pinned path.
type pinned struct {
	zone  process.ZoneID
	words string
}
