package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// cardWhy are the lines of a card that say why the longest scope of the zone in the frame shown did not run.
type cardWhy struct {
	zone     process.ZoneID
	serial   int // Timeline.Serial
	what, by string
}

// take finds the words, unless they are those of the last Draw.
func (w *cardWhy) take(t *process.Timeline, zone process.ZoneID) {
	if w.zone == zone && w.serial == t.Serial {
		return
	}
	*w = cardWhy{zone: zone, serial: t.Serial}
	if lane, begin, end, ok := t.LongestScope(zone); ok {
		w.what, w.by = t.Why(lane, begin, end)
	}
}

// draw draws the lines, if states are known and there is room. It returns the place below them.
func (w *cardWhy) draw(c *canvas, d *shown, zone process.ZoneID, r rect) float32 {
	if w.take(&d.Timeline, zone); w.what == "" || r.height() < 3*zoneRow*c.em {
		return r.y0
	}
	line := rect{r.x0, r.y0, r.x1, r.y0 + zoneRow*c.em}
	c.left(line.x0, line.width(), line, draw.FaceSmall, w.what, c.TextBright)
	c.explain(line, "why it did not run", "what the longest call of the zone in this frame did most\n"+
		"instead of running, as package wait or the module\nexectrace knows it")
	if w.by == "" {
		return line.y1
	}
	line.y0, line.y1 = line.y1, line.y1+zoneRow*c.em
	c.left(line.x0, line.width(), line, draw.FaceSmall, w.by, c.TextNormal)
	return line.y1
}
