package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// zoneCard shows the measurements of the cursor's zone.
type zoneCard struct {
	open   bool
	zone   process.ZoneID
	known  bool // zone, site and code are those of the zone shown last
	site   string
	code   cardCode
	opens  bool // a click on the site opens an editor
	spread process.Spread
	calls  callSpread
	why    cardWhy

	at      rect             // its place in the last Draw
	counted process.ZoneID   // the zone whose calls are counted, 0 for none
	release func()           // ends the counting
	report  process.Snapshot // read by countCalls
}

// toggleCard shows the card of the cursor's zone beside the table, or hides it. The card shows how the zone's time is
// distributed over the frames of the history, its callers and callees, and its source. While it is open, it counts the
// single calls of the zone: see countCalls.
func (p *Panel) toggleCard() {
	p.change(func() { p.card.open = !p.card.open })
	p.countCalls()
}

// countCalls starts to count the single calls of the cursor's zone while the card is open, and ends the counting of the
// zone before: see process.Session.WantCalls. Code that moves the cursor of the session calls it afterwards. Draw
// neither starts nor ends counting.
func (p *Panel) countCalls() {
	p.mu.Lock()
	defer p.mu.Unlock()
	z := &p.card
	zone := process.ZoneID(0)
	if z.open {
		p.source.Snapshot(&z.report, process.SnapshotOptions{})
		if r := z.report.Report.CursorRecord(); r != nil {
			zone = r.Zone
		}
	}
	if zone == z.counted {
		return
	}
	if z.release != nil {
		z.release()
	}
	if z.counted, z.release = zone, nil; zone > 0 {
		z.release = p.source.WantCalls(zone)
	}
	z.calls.wait = 0
}

// zoneRow is the height of a line of the card in nominal pixels.
const zoneRow = 18

// cursorZone returns the zone of the cursor's record, or -1.
func (d *shown) cursorZone() process.ZoneID {
	if r := d.Report.CursorRecord(); r != nil {
		return r.Zone
	}
	return -1
}

// update reads the values of the cursor's zone. It looks the source up only when the zone has changed.
func (z *zoneCard) update(d *shown) {
	a := &d.Around
	z.spread.Take(a.History)
	z.calls.take(a)
	zone := a.Zone
	info := d.Zone(zone)
	if !z.known || z.zone != zone {
		z.zone, z.known, z.site, z.code.of = zone, true, info.Site(), nil
	}
	if z.code.open {
		z.code.update(info)
	}
}

// draw draws the card in r.
func (z *zoneCard) draw(c *canvas, d *shown, r rect) {
	if r.height() < 60*c.em {
		return
	}
	z.at = r
	in := c.card(r)
	zone := d.Around.Zone
	if zone < 0 {
		line := rect{in.x0, in.y0, in.x1, in.y0 + 24*c.em}
		c.left(in.x0, in.width(), line, draw.FaceText, "No zone under the cursor", c.TextDim)
		return
	}
	z.update(d)
	info := d.Zone(zone)
	col := c.ColorOf(info.Name, info.Idle)
	sign := d.Report.Records[d.Report.Cursor].Estimated.Sign()
	z.title(c, rect{in.x0, in.y0, in.x1, in.y0 + 22*c.em}, sign, info.Name, col)
	y := in.y0 + 26*c.em
	if z.pages(c, rect{in.x0, y, in.x1, y + 18*c.em}); z.code.open {
		z.code.draw(c, d, rect{in.x0, y + 24*c.em, in.x1, in.y1})
		return
	}
	y += 22 * c.em
	histogram := min(90*c.em, (in.y1-y)*0.3)
	z.histogram(c, d, rect{in.x0, y, in.x1, y + histogram}, zone, col)
	y += histogram + 8*c.em
	z.numbers(c, rect{in.x0, y, in.x1, y + 32*c.em}, firstStatistics(&z.spread))
	y += 34 * c.em
	if in.y1-y > 250*c.em {
		z.numbers(c, rect{in.x0, y, in.x1, y + 32*c.em}, furtherStatistics(&z.spread))
		y += 34 * c.em
	}
	if in.y1-y > 148*c.em {
		z.calls.draw(c, rect{in.x0, y + 6*c.em, in.x1, y + 82*c.em}, col)
		y += 84 * c.em
	}
	if len(d.Around.Depths) > 0 && in.y1-y > 100*c.em {
		drawDepths(c, d.Around.Depths, rect{in.x0, y, in.x1, y + 18*c.em})
		y += 20 * c.em
	}
	y = z.why.draw(c, d, zone, rect{in.x0, y, in.x1, in.y1})
	z.below(c, d, rect{in.x0, y + 4*c.em, in.x1, in.y1})
}

// pages draws the button that leads to the card's other page.
func (z *zoneCard) pages(c *canvas, r rect) {
	words, to := "numbers of all frames", "source"
	if z.code.open {
		words, to = "source, with the times of its lines", "numbers"
	}
	c.left(r.x0, r.width(), r, draw.FaceSmall, words, c.TextFaint)
	c.button(r.x1, r.x0, r, to, "source")
}

// title draws the zone's name and its place in the source.
func (z *zoneCard) title(c *canvas, r rect, sign, name string, col color.NRGBA) {
	y := (r.y0 + r.y1) / 2
	c.Round(r.x0, y-4.5*c.em, r.x0+9*c.em, y+4.5*c.em, 3*c.em, col)
	x := r.x0 + 16*c.em
	x += c.signed(x, r.width()*0.6, r, draw.FaceBold, sign, name, c.TextBright) + 10*c.em
	width := c.Width(draw.FaceSmall, z.site)
	if width >= r.x1-x || z.site == "" {
		return
	}
	at, col := rect{r.x1 - width - 4*c.em, r.y0, r.x1 + 4*c.em, r.y1}, c.TextFaint
	if z.opens {
		if col = c.Accent; c.hovers(at) {
			c.Round(at.x0, at.y0, at.x1, at.y1, 4*c.em, c.Hovered)
		}
		hit := hitOf(HitCommand, 0)
		hit.Name = "open-site"
		c.add(at, hit)
	}
	c.right(r.x1, r, draw.FaceSmall, z.site, col)
}

// histogram draws the distribution of the frames' times, and marks the bar of the frame that is shown.
func (z *zoneCard) histogram(c *canvas, d *shown, r rect, zone process.ZoneID, col color.NRGBA) {
	s := &z.spread
	c.Rect(r.x0, r.y1, r.x1, r.y1+draw.Hairline(c.em), c.GridLine)
	if s.Most == 0 {
		return
	}
	step := r.width() / process.SpreadBars
	for i, n := range s.Bars {
		if n == 0 {
			continue
		}
		height := max(float32(n)/float32(s.Most)*r.height(), 2*c.em)
		x := r.x0 + float32(i)*step
		c.Rect(x, r.y1-height, x+step-max(1, draw.Snap(c.em)), r.y1, col)
	}
	if i := len(d.Around.History) - 1 - d.info.Age; i >= 0 && d.Around.History[i] > 0 {
		side := c.IconSize()
		c.Icon(draw.IconUp, r.x0+(float32(s.Bar(d.Around.History[i]))+0.5)*step-side/2, r.y1+c.em, white)
	}
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(len(s.Sorted)), 0), " of "...)
	c.buffer = append(draw.AppendFixed(c.buffer, float64(s.Frames), 0), " frames"...)
	c.ASCIIRight(r.x1, r.y0+9*c.em, draw.FaceSmall, c.buffer, c.TextFaint)
}

// numbers draws statistics, each below its name.
func (z *zoneCard) numbers(c *canvas, r rect, of [6]statistic) {
	step := r.width() / 6
	for i, n := range of {
		x := r.x0 + float32(i+1)*step
		c.right(x, rect{0, r.y0, 0, r.y0 + 15*c.em}, draw.FaceSmall, n.name, c.TextFaint)
		c.number(x, rect{0, r.y0 + 15*c.em, 0, r.y1}, draw.FaceTiny, float64(n.value), c.precision, c.TextNormal)
	}
}

// statistic is a number with its name.
type statistic struct {
	name  string
	value float32
}

// firstStatistics returns the statistics that matter most.
func firstStatistics(s *process.Spread) [6]statistic {
	return [...]statistic{
		{"min", s.Quantile(0)}, {"average", s.Mean}, {"p50", s.Quantile(0.5)},
		{"p90", s.Quantile(0.9)}, {"p99", s.Quantile(0.99)}, {"max", s.Quantile(1)},
	}
}

// furtherStatistics returns the other statistics.
func furtherStatistics(s *process.Spread) [6]statistic {
	return [...]statistic{
		{"σ", s.Deviation}, {"p10", s.Quantile(0.1)}, {"p25", s.Quantile(0.25)},
		{"p75", s.Quantile(0.75)}, {"p95", s.Quantile(0.95)}, {"p99.9", s.Quantile(0.999)},
	}
}
