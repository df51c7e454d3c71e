package draw

import "image/color"

// legend names the layers, in their order, with the time each took in the frame looked at.
func (s *strip) legend(c *canvas, d *shown, r rect) {
	line := min(r.height()/(stacked+1), 20*c.em)
	line = max(line, 15*c.em)
	fit := int(r.height()/line + 0.01)
	n := min(len(s.layers), fit)
	s.weigh(d)
	over := d.zoneUnderMouse()
	y := r.y0
	if s.shared && !s.lines && fit > 4 {
		row := rect{r.x0, y, r.x1 - 2*c.em, y + line}
		c.left(row.x0, row.width(), row, FaceSmall, "all lanes, ms (columns: shares)", c.textFaint)
		y, fit = y+line, fit-1
		n = min(n, fit)
	}
	if rest := s.meanRest(d); n < fit && rest > 0.005 {
		c.entry(rect{r.x0, y, r.x1 - 2*c.em, y + line}, "", "other zones", mix(c.grey, c.surface, 0.35), rest)
		y += line
	}
	for i := n - 1; i >= 0; i-- {
		l := &s.layers[i]
		row := rect{r.x0 - 6*c.em, y, r.x1 + 4*c.em, y + line}
		y += line
		if l.zone == over {
			c.Round(row.x0, row.y0, row.x1, row.y1, 4*c.em, c.hovered)
		}
		hit := hitOf(HitLegend, 0)
		hit.Zone = l.zone
		c.add(row, hit)
		c.entry(row.inset(6*c.em, 0), l.sign, l.name, c.zoneColor(l.name), s.mean(l.values))
	}
}

// restAt is what a frame spent in zones that have no layer.
func (s *strip) restAt(d *shown, age int) float32 {
	i := len(d.frames) - 1 - age
	if age < 0 || i < 0 {
		return 0
	}
	_, rest := s.shares(&d.frames[i], age)
	return rest
}

// entry draws a line of a legend: bullet, name, time.
func (c *canvas) entry(r rect, sign, name string, col color.NRGBA, ms float64) {
	y := (r.y0 + r.y1) / 2
	c.Round(r.x0, y-4.5*c.em, r.x0+9*c.em, y+4.5*c.em, 3*c.em, col)
	c.buffer = appendFixed(c.buffer[:0], ms, c.precision)
	number := c.asciiRight(r.x1, c.baseline(r.y0, r.y1, FaceTiny), FaceTiny, c.buffer, c.textBright)
	c.signed(r.x0+17*c.em, r.width()-number-23*c.em, r, FaceSmall, sign, name, c.textDim)
}

// tipZones is how many zones the tip names.
const tipZones = 4

// tip goes over what lies around the history: it is drawn after that. It tells about the frame under the mouse, or the selected one while the frames stand still.
func (s *strip) tip(c *canvas, d *shown) {
	plot := s.plot
	if plot.width() < 20 || plot.height() < 10 {
		return
	}
	age := d.info.Age
	switch {
	case d.hover.Kind == HitGraph || d.hover.Kind == HitAxis:
		age = d.hover.Age
	case age == 0 && !d.info.Paused || s.ranged:
		return
	}
	i := len(d.frames) - 1 - age
	if i < 0 || i >= len(d.frames) || age < 0 {
		return
	}
	width, height := 192*c.em, float32(30+19*min(tipZones, len(s.layers)))*c.em
	step := plot.width() / historyFrames
	x := plot.x1 - float32(age)*step + 12*c.em
	if x+width > plot.x1 {
		x = plot.x1 - float32(age+1)*step - 12*c.em - width
	}
	y := min(plot.y0+4*c.em, plot.y1-height)
	if s.ranged {
		y = plot.y0 + 20*c.em // below what is said of the range
	}
	box := rect{snap(max(x, plot.x0)), snap(max(y, plot.y0-8*c.em)), 0, 0}
	box.x1, box.y1 = box.x0+snap(width), box.y0+snap(height)
	c.Round(box.x0-c.em, box.y0+3*c.em, box.x1+c.em, box.y1+3*c.em, 7*c.em, fade(c.background, 0.5))
	c.Round(box.x0, box.y0, box.x1, box.y1, 7*c.em, mix(c.surface, c.raised, 0.45))
	c.Border(box.x0, box.y0, box.x1, box.y1, 7*c.em, mix(c.outline, c.textFaint, 0.35))
	s.tipText(c, d, box.inset(13*c.em, 6*c.em), i, age)
}

// tipText fills the tip: the frame, and the zones that took most of it.
func (s *strip) tipText(c *canvas, d *shown, in rect, i, age int) {
	f := &d.frames[i]
	head := rect{in.x0, in.y0, in.x1, in.y0 + 18*c.em}
	c.buffer = appendFixed(append(c.buffer[:0], "Frame "...), float64(f.Index), 0)
	if f.Cycles > 0 {
		c.buffer = append(c.buffer, "  GC"...)
	}
	x := in.x0 + c.ascii(in.x0, c.baseline(head.y0, head.y1, FaceBold), FaceBold, c.buffer, c.textBright)
	number := c.number(in.x1, head, FaceMono, float64(f.Length), c.precision, c.textBright)
	if room := in.x1 - number - x - 16*c.em; f.Label != "" && room > 20*c.em {
		c.left(x+8*c.em, room, head, FaceSmall, f.Label, c.textDim)
	}
	var done [tipZones]*layer
	for n := range min(tipZones, len(s.layers)) {
		l := s.greatest(age, done[:n])
		done[n] = l
		y := in.y0 + float32(20+19*n)*c.em
		c.entry(rect{in.x0, y, in.x1, y + 19*c.em}, l.sign, l.name, c.zoneColor(l.name), float64(valueAt(l.values, age)))
	}
}

// greatest is the layer with most time in a frame, but for those that were taken already.
func (s *strip) greatest(age int, taken []*layer) (best *layer) {
	for i := range s.layers {
		l := &s.layers[i]
		free := true
		for _, t := range taken {
			free = free && t != l
		}
		if free && (best == nil || valueAt(l.values, age) > valueAt(best.values, age)) {
			best = l
		}
	}
	return best
}
