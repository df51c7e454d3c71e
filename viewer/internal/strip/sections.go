package strip

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// sectionHeight and sectionGap are the height of a band of sections and the room below it, in nominal pixels.
const sectionHeight, sectionGap = 15, 3

// bandRoom takes the room of a band of sections from the top of in. A run without sections has no band.
func bandRoom(c *canvas.Canvas, d *scene.Scene, in canvas.Rect) (band, rest canvas.Rect) {
	if len(d.Overview.Sections) == 0 || in.Height() < leastRibbon*c.Em/2 {
		return canvas.Rect{}, in
	}
	rest = in
	rest.Y0 = draw.Snap(in.Y0 + (sectionHeight+sectionGap)*c.Em)
	return canvas.Box(in.X0, in.Y0, in.X1, draw.Snap(in.Y0+sectionHeight*c.Em)), rest
}

// rooms takes the rooms of a band over the whole run, of the ribbon, and of a band over the columns. Without a ribbon
// there is only the last one.
func (s *Strip) rooms(c *canvas.Canvas, d *scene.Scene, in canvas.Rect) (above, ribbon, over, rest canvas.Rect) {
	above, rest = bandRoom(c, d, in)
	ribbon, rest = s.Ribbon.room(c, d, rest)
	if ribbon.Height() <= 0 {
		return over, ribbon, above, rest
	}
	over, rest = bandRoom(c, d, rest)
	return above, ribbon, over, rest
}

// sections draws the sections over the columns in sight, and over the whole run, unless all of it is in sight.
func (s *Strip) sections(c *canvas.Canvas, d *scene.Scene, above, over canvas.Rect) {
	from, to := inSight(d)
	s.Bands = [2]canvas.Rect{}
	if s.Ribbon.Plot.Width() > 0 && above.Height() > 0 && (from > 0 || to < d.Overview.Frames || over.Height() <= 0) {
		r := canvas.Box(s.Plot.X0, above.Y0, s.Plot.X1, above.Y1)
		per := float64(r.Width()) / float64(max(d.Overview.Frames, 1))
		s.Bands[0] = r
		band(c, d, r, 0, d.Overview.Frames, func(frame uint64) float32 { return r.X0 + float32(float64(frame)*per) })
	}
	if over.Height() > 0 && to > from {
		left := func(frame uint64) float32 {
			x0, _ := d.Edges(s.Plot, d.Past.Skip+int(to-1)-int(frame), d.Past.Skip)
			return x0
		}
		s.Bands[1] = canvas.Box(left(from), over.Y0, left(to), over.Y1)
		band(c, d, s.Bands[1], from, to, left)
	}
}

// band draws the sections of the frames with numbers from to to-1 in r. left is the left side of a frame's column.
func band(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, from, to uint64, left func(frame uint64) float32) {
	if r.Width() < 1 || to <= from {
		return
	}
	for i := range d.Overview.Sections {
		if s := &d.Overview.Sections[i]; s.Last >= from && s.First < to {
			x0, x1 := draw.Snap(left(max(s.First, from))), draw.Snap(left(min(s.Last+1, to)))
			sectionBox(c, d, s, canvas.Box(x0, r.Y0, max(x1-max(c.Em, 1), x0+1), r.Y1))
		}
	}
}

// sectionBox draws a section, with its name if there is room.
func sectionBox(c *canvas.Canvas, d *scene.Scene, s *report.Section, box canvas.Rect) {
	ground, ink := sectionInk(c, d, s, c.Hovers(box))
	c.Round(box.X0, box.Y0, box.X1, box.Y1, min(3*c.Em, box.Width()/2), ground)
	if room := box.Width() - 8*c.Em; room > 10*c.Em {
		c.Left(box.X0+4*c.Em, room, box, draw.FaceSmall, s.Name, ink)
	}
	c.Add(box, hit.Of(hit.Section, int(s.Number)))
	if !c.Hovers(box) {
		return
	}
	c.Explain(box, s.Name, "a section of the run. A click selects its frames, once more\n"+
		"ends that. Alt+S lists all sections")
	if c.Tip.Due && len(c.Tip.Number) == 0 {
		c.Tip.Number = appendSection(c.Tip.Number, s, c.Told(1))
	}
}

// sectionInk returns the colours of a section. Neighbours differ.
func sectionInk(c *canvas.Canvas, d *scene.Scene, s *report.Section, hovered bool) (ground, ink color.NRGBA) {
	l := &d.View.Lens
	switch {
	case l.Kind == report.LensRange && l.From == s.From && l.To == s.To:
		return draw.Mix(c.Accent, c.Surface, 0.4), c.TextBright
	case hovered:
		return draw.Mix(c.Accent, c.Surface, 0.6), c.TextBright
	case s.Number%2 == 0:
		return draw.Mix(c.Accent, c.Surface, 0.84), c.TextNormal
	}
	return draw.Mix(c.Accent, c.Surface, 0.74), c.TextNormal
}

// appendSection appends the statistics of a section: "300 frames, average 4.0 ms, p99 9.1 ms, worst 12.0 ms".
func appendSection(b []byte, s *report.Section, decimals int) []byte {
	b = append(draw.AppendFixed(b, float64(s.Frames), 0), " frame"...)
	if s.Frames != 1 {
		b = append(b, 's')
	}
	b = draw.AppendTime(append(b, ", average "...), s.Mean, decimals)
	b = draw.AppendTime(append(b, ", p99 "...), s.P99, decimals)
	return draw.AppendTime(append(b, ", worst "...), s.Worst, decimals)
}

// Show shows the frames with numbers from to to-1 in the history, as far as it has them.
func (s *Strip) Show(d *scene.Scene, from, to int) { s.see(d, from, to) }
