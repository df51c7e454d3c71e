// Package card draws the card of one zone: the distributions of its times, its callers and callees, its source with the
// times of the lines, and its hot lines.
package card

import (
	"image/color"
	"strconv"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Card shows the measurements of the cursor's zone.
type Card struct {
	Open    bool
	zone    report.ZoneID
	known   bool // zone, site and code belong to the last shown zone
	site    string
	code    cardCode
	opens   bool // a click on the site opens an editor
	spread  report.Spread
	calls   callSpread
	why     cardWhy
	objects cardObjects
	brush   brush
	kin     []relative // scratch

	At      canvas.Rect      // its place in the last Draw
	counted report.ZoneID    // the zone with counted calls, 0 for none
	release func()           // ends the counting
	report  process.Snapshot // read by countCalls
}

// Count starts counting the calls of the cursor's zone while the card is open, and ends the counting of the previous
// zone.
func (z *Card) Count(s scene.Source) {
	zone := report.ZoneID(0)
	if z.Open {
		s.Snapshot(&z.report, process.SnapshotOptions{})
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
	z.counted, z.release = zone, nil
	if zone > 0 {
		z.release = s.WantCalls(zone)
	}
	z.calls.wait = 0
}

// zoneRow is the height of a line of the card in nominal pixels.
const zoneRow = 18

// update reads the values of the cursor's zone. It looks up the source only when the zone has changed.
func (z *Card) update(d *scene.Scene) {
	a := &d.Around
	z.spread.Take(a.History)
	newest := uint64(0)
	if n := len(d.Frames); n > 0 {
		newest = d.Frames[n-1].Index
	}
	z.calls.take(a, newest, d.MoreCalls)
	zone := a.Zone
	info := d.Zone(zone)
	if !z.known || z.zone != zone {
		z.zone = zone
		z.known = true
		z.site = info.Site()
		z.code.of = nil
	}
	if z.code.open {
		z.code.update(info)
	}
}

// Draw draws the card in r.
func (z *Card) Draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	if r.Height() < 60*c.Em {
		return
	}
	z.At = r
	z.brush.boxes, z.brush.picks = [2]canvas.Rect{}, z.brush.picks[:0]
	in := c.Card(r)
	zone := d.Around.Zone
	if zone < 0 {
		line := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+24*c.Em)
		c.Left(in.X0, in.Width(), line, draw.FaceText, "No zone under the cursor", c.TextDim)
		return
	}
	z.update(d)
	info := d.Zone(zone)
	col := d.ColorOf(c, zone, info.Name, info.Idle)
	sign := d.Report.Records[d.Report.Cursor].Estimated.Sign()
	z.title(c, canvas.Box(in.X0, in.Y0, in.X1, in.Y0+22*c.Em), sign, info.Name, col)
	y := in.Y0 + 26*c.Em
	if z.pages(c, d, canvas.Box(in.X0, y, in.X1, y+18*c.Em)); z.code.open {
		z.code.draw(c, d, canvas.Box(in.X0, y+24*c.Em, in.X1, in.Y1))
		return
	}
	y += 22 * c.Em
	histogram := min(90*c.Em, (in.Y1-y)*0.3)
	z.histogram(c, d, canvas.Box(in.X0, y, in.X1, y+histogram), col)
	y += histogram + 8*c.Em
	z.numbers(c, canvas.Box(in.X0, y, in.X1, y+32*c.Em), firstStatistics(&z.spread))
	y += 34 * c.Em
	if in.Y1-y > 250*c.Em {
		z.numbers(c, canvas.Box(in.X0, y, in.X1, y+32*c.Em), furtherStatistics(&z.spread))
		y += 34 * c.Em
	}
	if in.Y1-y > 148*c.Em {
		z.drawCalls(c, d, canvas.Box(in.X0, y+6*c.Em, in.X1, y+82*c.Em), col)
		y += 84 * c.Em
	}
	if len(d.Around.Depths) > 0 && in.Y1-y > 100*c.Em {
		drawDepths(c, d.Around.Depths, canvas.Box(in.X0, y, in.X1, y+18*c.Em))
		y += 20 * c.Em
	}
	y = z.why.draw(c, d, zone, canvas.Box(in.X0, y, in.X1, in.Y1))
	y = z.objects.draw(c, &d.Around, canvas.Box(in.X0, y, in.X1, in.Y1))
	z.drawNeighbours(c, d, canvas.Box(in.X0, y+4*c.Em, in.X1, in.Y1))
}

// pages draws what the card's page shows, and the button that leads to its other page.
func (z *Card) pages(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	if z.code.open {
		x := c.Button(r.X1, r.X0, r, "numbers", "source")
		c.Left(r.X0, x-r.X0, r, draw.FaceSmall, "source, with the times of its lines", c.TextFaint)
		return
	}
	x := c.Button(r.X1, r.X0, r, "source", "source")
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "with callees, "...), float64(len(z.spread.Sorted)), 0)
	c.Buffer = printed.AppendCount(append(c.Buffer, " of "...), z.spread.Frames, frameWord(d))
	if n := len(d.Frames); n > 0 && z.spread.Frames > 0 {
		c.Buffer = strconv.AppendUint(append(c.Buffer, " until "...), d.Frames[n-1].Index, 10)
	}
	c.Buffer = append(c.Buffer, ", ms"...)
	c.Bytes(r.X0, x-r.X0, r, draw.FaceSmall, c.Buffer, c.TextFaint)
}

// title draws the zone's name and its place in the source.
func (z *Card) title(c *canvas.Canvas, r canvas.Rect, sign, name string, col color.NRGBA) {
	y := (r.Y0 + r.Y1) / 2
	c.Swatch(r.X0, y, 9, col)
	x := r.X0 + 16*c.Em
	x += c.Signed(x, r.Width()*0.6, r, draw.FaceBold, sign, name, c.TextBright) + 10*c.Em
	width := c.Width(draw.FaceSmall, z.site)
	if width >= r.X1-x || z.site == "" {
		return
	}
	at, col := canvas.Box(r.X1-width-4*c.Em, r.Y0, r.X1+4*c.Em, r.Y1), c.TextFaint
	if z.opens {
		col = c.Accent
		if c.Hovers(at) {
			c.Round(at.X0, at.Y0, at.X1, at.Y1, 4*c.Em, c.Hovered)
		}
		c.Add(at, hit.OfCommand("open-site"))
	}
	c.Right(r.X1, r, draw.FaceSmall, z.site, col)
}

// histogram draws the distribution of the frames' times, and marks the bar of the shown frame.
func (z *Card) histogram(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, col color.NRGBA) {
	s := &z.spread
	c.Rect(r.X0, r.Y1, r.X1, r.Y1+draw.Hairline(c.Em), c.GridLine)
	if s.Most == 0 {
		return
	}
	step := r.Width() / report.SpreadBars
	for i, n := range s.Bars {
		if n == 0 {
			continue
		}
		height := max(float32(n)/float32(s.Most)*r.Height(), 2*c.Em)
		x := r.X0 + float32(i)*step
		c.Rect(x, r.Y1-height, x+step-max(1, draw.Snap(c.Em)), r.Y1, col)
	}
	if i := len(d.Around.History) - 1 - d.Info.Age; i >= 0 && d.Around.History[i] > 0 {
		side := c.IconSize()
		c.Icon(draw.IconUp, r.X0+(float32(s.Bar(d.Around.History[i]))+0.5)*step-side/2, r.Y1+c.Em, c.Strong)
	}
	z.brushed(c, ofFrames, r)
}

// frameWord returns the word for the pieces of time that a history consists of.
func frameWord(d *scene.Scene) string {
	if d.Info.Kind.HasFrames() {
		return "frame"
	}
	return "interval"
}

// numbers draws statistics, each below its name.
func (z *Card) numbers(c *canvas.Canvas, r canvas.Rect, of [6]statistic) {
	step := r.Width() / 6
	for i, n := range of {
		x := r.X0 + float32(i+1)*step
		if n.picks != 0 {
			from, to := float64(n.value), 0.0
			if n.picks < 0 {
				from, to = 0, from
			}
			z.pick(c, canvas.Box(x-step+8*c.Em, r.Y0, x+4*c.Em, r.Y1), false, from, to)
		}
		c.Right(x, canvas.Box(0, r.Y0, 0, r.Y0+15*c.Em), draw.FaceSmall, n.name, c.TextFaint)
		low := canvas.Box(0, r.Y0+15*c.Em, 0, r.Y1)
		c.Milliseconds(x, low, draw.FaceTiny, float64(n.value), c.Of(n.mean), c.TextNormal)
	}
}

// statistic is a number with its name.
type statistic struct {
	name  string
	value float32
	mean  bool // mean or deviation: with more decimals than the clock's
	picks int  // above 0: a click chooses the frames from it on; below 0: the frames up to it
}

// firstStatistics returns the most important statistics.
func firstStatistics(s *report.Spread) [6]statistic {
	return [...]statistic{
		{"min", s.Quantile(0), false, -1}, {"average", s.Mean, true, 0}, {"p50", s.Quantile(0.5), false, 1},
		{"p90", s.Quantile(0.9), false, 1}, {"p99", s.Quantile(0.99), false, 1}, {"max", s.Quantile(1), false, 1},
	}
}

// furtherStatistics returns the other statistics.
func furtherStatistics(s *report.Spread) [6]statistic {
	return [...]statistic{
		{"σ", s.Deviation, true, 0}, {"p10", s.Quantile(0.1), false, -1}, {"p25", s.Quantile(0.25), false, -1},
		{"p75", s.Quantile(0.75), false, 1}, {"p95", s.Quantile(0.95), false, 1},
		{"p99.9", s.Quantile(0.999), false, 1},
	}
}

// relative is a caller or callee of the zone, with its time in the shown frame.
type relative struct {
	sign, name string
	zone       report.ZoneID
	path       int32
	idle       bool
	ms         float64
}

// drawNeighbours draws callers and callees side by side, as far as there is room.
func (z *Card) drawNeighbours(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	rows := int(r.Height()/(zoneRow*c.Em)) - 1
	if rows < 1 {
		return
	}
	middle := (r.X0 + r.X1) / 2
	z.findKin(d, report.GroupParent)
	for i := range z.calls.callers {
		z.addCaller(d, z.calls.callers[i].caller)
	}
	z.drawKin(c, d, canvas.Box(r.X0, r.Y0, middle-8*c.Em, r.Y1), "called by", rows)
	z.findKin(d, report.GroupChild)
	z.drawKin(c, d, canvas.Box(middle+8*c.Em, r.Y0, r.X1, r.Y1), "calls", rows)
}

// findKin finds the records of a group in the call graph of the cursor's zone.
func (z *Card) findKin(d *scene.Scene, g report.Group) {
	z.kin = z.kin[:0]
	for i := range d.Around.Report.Records {
		if r := &d.Around.Report.Records[i]; r.Group == g {
			z.kin = append(z.kin, relative{r.Estimated.Sign(), r.Name, r.Zone, r.Path, r.Idle,
				r.Values[report.ColumnHier]})
		}
	}
}

// addCaller adds a caller of single calls that does not call the zone in the shown frame.
func (z *Card) addCaller(d *scene.Scene, caller report.ZoneID) {
	for i := range z.kin {
		if z.kin[i].zone == caller {
			return
		}
	}
	info := d.Zone(caller)
	z.kin = append(z.kin, relative{name: info.Name, zone: caller, path: -1, idle: info.Idle})
}

// drawKin draws the callers or the callees, with their hierarchical times in the zone's call graph.
func (z *Card) drawKin(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, heading string, rows int) {
	row := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+zoneRow*c.Em)
	c.Left(row.X0, row.Width(), row, draw.FaceSmall, heading, c.TextFaint)
	if len(z.kin) == 0 {
		c.Left(row.X0, row.Width(), below(row), draw.FaceSmall, "none", c.TextFaint)
	}
	over := d.ZoneUnderMouse()
	for i := range z.kin[:min(len(z.kin), rows)] {
		k := &z.kin[i]
		row = below(row)
		wide := canvas.Box(row.X0-4*c.Em, row.Y0, row.X1+4*c.Em, row.Y1)
		if k.zone == over {
			c.Round(wide.X0, wide.Y0, wide.X1, wide.Y1, 4*c.Em, c.Hovered)
		}
		c.Add(wide, hit.Hit{Kind: hit.Zone, Zone: k.zone, Path: k.path})
		c.Entry(row, k.sign, k.name, d.ColorOf(c, k.zone, k.name, k.idle), k.ms, d.Decimals(c))
	}
}

// below returns the row below a row.
func below(r canvas.Rect) canvas.Rect { return canvas.Box(r.X0, r.Y1, r.X1, 2*r.Y1-r.Y0) }

// Pending reports whether the source or the single calls are still being read.
func (z *Card) Pending(d *scene.Scene) bool {
	return z.Open && (z.calls.more || z.code.open && z.code.pending(d.Zone(z.zone)))
}

// cardWhy are the lines of a card on why the zone's longest scope in the shown frame did not run.
type cardWhy struct {
	zone          report.ZoneID
	serial        int // Timeline.Serial
	state, reason string
}

// take finds the words, unless nothing has changed since the last Draw.
func (w *cardWhy) take(t *timeline.Timeline, zone report.ZoneID) {
	if w.zone == zone && w.serial == t.Serial {
		return
	}
	*w = cardWhy{zone: zone, serial: t.Serial}
	if lane, begin, end, ok := t.LongestScope(zone); ok {
		w.state, w.reason = t.Why(lane, begin, end)
	}
}

// draw draws the lines, if states are known and there is room. It returns the place below them.
func (w *cardWhy) draw(c *canvas.Canvas, d *scene.Scene, zone report.ZoneID, r canvas.Rect) float32 {
	if w.take(&d.Timeline, zone); w.state == "" || r.Height() < 3*zoneRow*c.Em {
		return r.Y0
	}
	line := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+zoneRow*c.Em)
	c.Left(line.X0, line.Width(), line, draw.FaceSmall, w.state, c.TextBright)
	c.Explain(line, "why it did not run", "what the longest call of the zone in this frame did most\n"+
		"instead of running, as package wait or the module\nexectrace knows it")
	if w.reason == "" {
		return line.Y1
	}
	line.Y0, line.Y1 = line.Y1, line.Y1+zoneRow*c.Em
	c.Left(line.X0, line.Width(), line, draw.FaceSmall, w.reason, c.TextNormal)
	return line.Y1
}
