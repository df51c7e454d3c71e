package strip

import (
	"image/color"
	"math"
	"slices"
	"sort"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Ribbon draws the whole run above the history, by the longest frame of each stretch, with a window on the history's
// part. Above it are the causes of late frames.
type Ribbon struct {
	Plot canvas.Rect // place of the run in the last Draw, empty without a ribbon

	Loading bool // older frames are still being read

	group int // 1 + the group whose frames are selected; 0: none
	order []int
	names groupNames
	grab  grab
}

// The heights of the parts of a ribbon in nominal pixels, and the height of a history that has room for one.
const (
	ribbonWords  = 17
	ribbonHeight = 20
	ribbonGap    = 9
	leastRibbon  = 132
)

// edgeReach is the greatest distance in nominal pixels at which a press grabs an edge of the window.
const edgeReach = 5

// room takes the room of the ribbon from the history's.
func (r *Ribbon) room(c *canvas.Canvas, d *scene.Scene, in canvas.Rect) (ribbon, rest canvas.Rect) {
	if in.Height() < leastRibbon*c.Em || d.Overview.Frames == 0 {
		return canvas.Rect{}, in
	}
	rest = in
	rest.Y0 = draw.Snap(in.Y0 + (ribbonWords+ribbonHeight+ribbonGap)*c.Em)
	return canvas.Box(in.X0, in.Y0, in.X1, rest.Y0-ribbonGap*c.Em), rest
}

// draw draws the ribbon above the columns of a history.
func (r *Ribbon) draw(c *canvas.Canvas, d *scene.Scene, in, plot canvas.Rect) {
	r.Plot = (canvas.Rect{})
	if in.Height() <= 0 {
		return
	}
	if r.group > len(d.Overview.Groups) { // after a reset
		r.group = 0
	}
	p := canvas.Box(plot.X0, draw.Snap(in.Y0+ribbonWords*c.Em), plot.X1, draw.Snap(in.Y1))
	r.Plot = p
	c.Rect(p.X0, p.Y0, p.X1, p.Y1, draw.Mix(c.Surface, c.Background, 0.5))
	r.stretches(c, d, p)
	r.selected(c, d, p)
	r.window(c, d, p)
	c.Add(canvas.Box(p.X0-edgeReach*c.Em, p.Y0, p.X1+edgeReach*c.Em, p.Y1), hit.Of(hit.Ribbon, 0))
	r.tip(c, d, p)
	r.words(c, d, canvas.Box(plot.X0, in.Y0-3*c.Em, plot.X1, p.Y0-4*c.Em))
}

// x returns the x of the beginning of a frame, by its number.
func (r *Ribbon) x(d *scene.Scene, frame uint64) float32 {
	return r.Plot.X0 + float32(float64(frame)/float64(max(d.Overview.Frames, 1)))*r.Plot.Width()
}

// frameAt returns the number of the frame at x. It may be out of range.
func (r *Ribbon) frameAt(d *scene.Scene, x float32) int {
	return int(math.Floor(float64((x-r.Plot.X0)/r.Plot.Width()) * float64(d.Overview.Frames)))
}

// stretches draws the longest frame of each stretch. A pixel shows the longest of its stretches.
func (r *Ribbon) stretches(c *canvas.Canvas, d *scene.Scene, p canvas.Rect) {
	o := &d.Overview
	late := float32(report.OverFactor * d.Info.Budget.Seconds() * 1000)
	if late <= 0 { // without a budget no frame is late
		late = math.MaxFloat32 / 8
	}
	most := ribbonTop(o, late)
	if most <= 0 {
		return
	}
	scale := ribbonScale{greatest: most, height: p.Height(), linear: most <= late}
	var longest *report.Stretch
	x0, plain := p.X0, draw.Mix(c.Grey, c.Surface, 0.45)
	for i := range o.Stretches {
		s := &o.Stretches[i]
		if longest == nil || s.Judged > longest.Judged {
			longest = s
		}
		x1 := draw.Snap(r.x(d, min(uint64(i+1)*o.Each, o.Frames)))
		if x1 <= x0 {
			continue
		}
		top, ink := draw.Snap(p.Y1-max(scale.of(longest.Judged), 1)), plain
		if longest.Judged > late {
			x1 = min(max(x1, x0+draw.Snap(lateWidth*c.Em)), p.X1)
			ink = r.color(c, d, longest, plain)
		}
		c.Fill(x0, top, x1, p.Y1, ink)
		if longest.Judged > most { // the frame exceeds the ribbon's scale
			c.Rect(x0, p.Y0, x1, p.Y0+max(1, 2*c.Em), c.Strong)
		}
		x0, longest = x1, nil
	}
	if y := draw.Snap(p.Y1 - scale.of(late)); late < most {
		c.Dashes(p.X0, p.X1, y, 4*c.Em, 4*c.Em, draw.Fade(c.Green, 0.5))
	}
}

// lateWidth is the least width of a late stretch in nominal pixels, so that it is visible.
const lateWidth = 2

// ribbonTop returns the upper end of the ribbon's scale in ms: the longest frame, unless a few are far longer than the
// others.
func ribbonTop(o *report.Overview, late float32) (most float32) {
	sum := float32(0)
	for i := range o.Stretches {
		if v := o.Stretches[i].Judged; canvas.Finite(v) {
			most, sum = max(most, v), sum+v
		}
	}
	return min(most, max(6*late, 4*sum/float32(max(len(o.Stretches), 1))))
}

// ribbonScale computes the heights of frames. Without late frames the scale is linear, so that small changes are
// visible.
type ribbonScale struct {
	greatest, height float32
	linear           bool
}

// of returns the height of a frame's time, ms.
func (r *ribbonScale) of(ms float32) float32 {
	share := min(positive(ms), r.greatest) / r.greatest
	if !r.linear {
		share = sqrt(share)
	}
	return share * r.height
}

// sqrt compresses the scale, so that a few long frames leave room for the others.
func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// color returns the colour of a stretch with a late longest frame: its cause's colour, or a plain one while another
// group is selected.
func (r *Ribbon) color(c *canvas.Canvas, d *scene.Scene, s *report.Stretch, plain color.NRGBA) color.NRGBA {
	switch {
	case r.group > 0 && int(s.Group) != r.group-1:
		return plain
	case s.Group >= 0 && int(s.Group) < len(d.Overview.Groups):
		return groupColor(c, d, &d.Overview.Groups[s.Group])
	}
	return c.Red
}

// groupColor returns the colour of the causes of a group.
func groupColor(c *canvas.Canvas, d *scene.Scene, g *report.LateGroup) color.NRGBA {
	switch {
	case g.Zone >= 0:
		return d.Own(c, g.Zone, g.Name)
	case g.Kind == report.CauseCollector:
		return c.Collection
	case g.Kind == report.CauseAway:
		return c.Machine
	case g.Kind == report.CauseLargest:
		return c.Grey
	}
	return c.Amber
}

// selected marks the frames of the selected group below the run.
func (r *Ribbon) selected(c *canvas.Canvas, d *scene.Scene, p canvas.Rect) {
	if r.group == 0 {
		return
	}
	col, last := groupColor(c, d, &d.Overview.Groups[r.group-1]), p.X0-1e6
	for i := range d.Overview.Late {
		f := &d.Overview.Late[i]
		if int(f.Group) != r.group-1 {
			continue
		}
		if x := draw.Snap(r.x(d, f.Frame)); x >= last+2*c.Em {
			c.Rect(x, p.Y1, x+max(2*c.Em, 1), p.Y1+4*c.Em, col)
			last = x
		}
	}
}

// inSight returns the numbers of the frames that the history shows: from is the first, to is after the last.
func inSight(d *scene.Scene) (from, to uint64) {
	n := len(d.Past.Columns)
	if n == 0 {
		return 0, 0
	}
	to = d.Past.Columns[n-1].To
	return to - min(to, uint64(d.Past.Frames)), to
}

// edges returns the sides of the window.
func (r *Ribbon) edges(d *scene.Scene) (x0, x1 float32) {
	from, to := inSight(d)
	if r.grab.active {
		from, to = r.grab.from, r.grab.to
	}
	return draw.Snap(r.x(d, from)), draw.Snap(min(r.x(d, to), r.Plot.X1))
}

// window draws the window: the run outside it is darker.
func (r *Ribbon) window(c *canvas.Canvas, d *scene.Scene, p canvas.Rect) {
	x0, x1 := r.edges(d)
	if x1-x0 < 3*c.Em { // of very many frames
		x0, x1 = max((x0+x1)/2-1.5*c.Em, p.X0), min((x0+x1)/2+1.5*c.Em, p.X1)
	}
	dark := draw.Fade(c.Surface, 0.3)
	c.Rect(p.X0, p.Y0, x0, p.Y1, dark)
	c.Rect(x1, p.Y0, p.X1, p.Y1, dark)
	if !d.Info.Live && !d.Info.Kept {
		if at := draw.Snap(r.x(d, shownFrame(d))); at >= p.X0 {
			c.Rect(at, p.Y0, at+max(draw.Hairline(c.Em), 1), p.Y1, draw.Fade(c.Strong, 0.8))
		}
	}
	line := max(1, draw.Snap(c.Em))
	col := draw.Fade(c.Accent, 0.9)
	c.Rect(x0, p.Y0-2*line, x1, p.Y0-line, col)
	c.Rect(x0, p.Y1+line, x1, p.Y1+2*line, col)
	for _, x := range [...]float32{x0 - 2*line, x1} {
		c.Rect(x, p.Y0-2*line, x+2*line, p.Y1+2*line, col)
	}
}

// shownFrame returns the number of the shown frame.
func shownFrame(d *scene.Scene) uint64 {
	_, to := inSight(d)
	return to + uint64(d.Past.Skip) - min(to+uint64(d.Past.Skip), uint64(d.Info.Age)+1)
}

// words writes the causes of late frames, the most frequent first, or the words for no late frames.
func (r *Ribbon) words(c *canvas.Canvas, d *scene.Scene, row canvas.Rect) {
	o := &d.Overview
	r.rank(o)
	r.names.take(c, d, o.Groups)
	c.Buffer = appendFrames(c.Buffer[:0], o.Frames, d.Info.Kind, r.Loading)
	switch {
	case len(o.Groups) > 0:
	case len(o.Late) > 0:
		c.Buffer = append(c.Buffer, ", those over budget in red"...)
	case d.Info.Budget > 0: // frames that only waited may be long, such as for the GPU
		c.Buffer = append(c.Buffer, ": none is over budget"...)
	}
	y := c.Baseline(row.Y0, row.Y1, draw.FaceSmall)
	if c.ASCIIWidth(draw.FaceSmall, c.Buffer) > row.Width() {
		return
	}
	x := row.X0 + c.ASCII(row.X0, y, draw.FaceSmall, c.Buffer, c.TextFaint) + 14*c.Em
	r.chips(c, d, x, row)
	c.Explain(canvas.Box(row.X0, row.Y0-3*c.Em, row.X1, row.Y1+3*c.Em), "the whole run",
		"all frames since the start, by the longest of each stretch.\n"+
			"Beside it, what put frames over the frame budget. Waits such as for the GPU do not count against it")
}

// appendFrames appends the number of frames.
func appendFrames(b []byte, frames uint64, of report.Kind, soFar bool) []byte {
	if !soFar && frames != 1 {
		b = append(b, "all "...)
	}
	b = printed.AppendCount(b, frames, of.Frame())
	if soFar {
		b = append(b, " so far"...)
	}
	return b
}

// chips writes the groups from x on, as far as there is room.
func (r *Ribbon) chips(c *canvas.Canvas, d *scene.Scene, x float32, row canvas.Rect) {
	y := c.Baseline(row.Y0, row.Y1, draw.FaceSmall)
	for at, i := range r.order {
		next, ok := r.chip(c, d, i, canvas.Box(x, row.Y0, row.X1, row.Y1))
		if !ok {
			if more := len(r.order) - at; x+60*c.Em < row.X1 {
				c.Buffer = append(draw.AppendFixed(append(c.Buffer[:0], "+ "...), float64(more), 0), " more"...)
				c.ASCII(x, y, draw.FaceSmall, c.Buffer, c.TextFaint)
			}
			return
		}
		x = next
	}
}

// rank sorts the groups, the most frequent first. A group passes another only when it is clearly more frequent, so that
// the words do not jump.
func (r *Ribbon) rank(o *report.Overview) {
	if len(r.order) > len(o.Groups) {
		r.order = r.order[:0]
	}
	for i := len(r.order); i < len(o.Groups); i++ {
		r.order = append(r.order, i)
	}
	for i := 1; i < len(r.order); i++ {
		for at := i; at > 0 && 2*o.Groups[r.order[at]].Count > 3*o.Groups[r.order[at-1]].Count; at-- {
			r.order[at], r.order[at-1] = r.order[at-1], r.order[at]
		}
	}
}

// chip draws the words of a group: "compact 6x, every 60 frames". It returns the x of the next one, and false without
// room.
func (r *Ribbon) chip(c *canvas.Canvas, d *scene.Scene, i int, row canvas.Rect) (next float32, ok bool) {
	g := &d.Overview.Groups[i]
	if g.Count == 0 {
		return row.X0, true
	}
	name := &r.names.all[i]
	c.Buffer = appendRhythm(name.appendNumber(c.Buffer[:0]), g)
	end := row.X0 + 15*c.Em + name.width(c) + c.ASCIIWidth(draw.FaceSmall, c.Buffer) + 5*c.Em
	if end > row.X1 {
		return row.X0, false
	}
	box := canvas.Box(row.X0-5*c.Em, row.Y0, end, row.Y1)
	ink := c.TextNormal
	switch {
	case r.group == i+1:
		c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Tab)
		ink = c.TextBright
	case c.Hovers(box):
		c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Raised)
		ink = c.TextBright
	case r.group > 0:
		ink = c.TextDim
	}
	y := (row.Y0 + row.Y1) / 2
	c.Round(row.X0, y-4*c.Em, row.X0+8*c.Em, y+4*c.Em, 2.5*c.Em, groupColor(c, d, g))
	x := row.X0 + 14*c.Em
	x += c.Middle(x, row, draw.FaceSmall, name.head, name.tail, ink)
	x += c.Left(x, row.X1-x, row, draw.FaceSmall, name.place, ink)
	c.ASCII(x, c.Baseline(row.Y0, row.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, draw.Mix(ink, c.Surface, 0.25))
	c.Add(box, hit.Of(hit.LateGroup, i))
	c.Explain(box, "late frames", "a click selects these frames: the keys , and . walk through them")
	if c.Hovers(box) {
		c.Tip.Number = draw.AppendTime(append(c.Tip.Number[:0], "the longest took "...),
			float64(g.Longest), c.Told(1))
	}
	return end + 10*c.Em, true
}

// appendRhythm appends the number of frames of a group, and their interval.
func appendRhythm(b []byte, g *report.LateGroup) []byte {
	b = append(draw.AppendFixed(append(b, ' '), float64(g.Count), 0), 'x')
	if g.Every > 0 && g.Kind != report.CauseLargest {
		b = append(draw.AppendFixed(append(b, ", every "...), float64(g.Every), 0), " frames"...)
	}
	if g.Rising {
		b = append(b, ", rising"...)
	}
	return b
}

// tip requests a tip for the stretch under the mouse.
func (r *Ribbon) tip(c *canvas.Canvas, d *scene.Scene, p canvas.Rect) {
	o := &d.Overview
	if !c.Tip.Accepts(c.Hovers(p)) || r.grab.active {
		return
	}
	at := o.At(uint64(max(r.frameAt(d, c.Hover.X), 0)))
	if at < 0 {
		return
	}
	s := &o.Stretches[at]
	x := r.x(d, uint64(at)*o.Each)
	c.Explain(canvas.Box(x, p.Y0, max(r.x(d, uint64(at+1)*o.Each), c.Hover.X+1), p.Y1+2*c.Em), "the whole run",
		"a drag moves the window, its edges resize it")
	if !c.Tip.Due {
		return
	}
	b := draw.AppendTime(append(c.Tip.Number[:0], "longest here: "...), float64(s.Judged), c.Told(1))
	if s.Group >= 0 && int(s.Group) < len(o.Groups) {
		b = append(append(b, ", "...), o.Groups[s.Group].Name...)
	}
	c.Tip.Number = b
}

// Select selects the frames of a group. If they are selected, it clears the selection.
func (s *Strip) Select(group int) {
	if r := &s.Ribbon; r.group == group+1 {
		r.group = 0
	} else {
		r.group = group + 1
	}
}

// Walk returns the next or previous late frame of the selected group from the shown frame. It skips frames that cannot
// be shown.
func (s *Strip) Walk(d *scene.Scene, direction int) (index uint64, found bool) {
	list := d.Overview.Late
	at := sort.Search(len(list), func(i int) bool { return list[i].Index >= d.Info.Index })
	if direction > 0 && at < len(list) && list[at].Index == d.Info.Index {
		at++
	}
	if direction < 0 {
		at--
	}
	for ; at >= 0 && at < len(list); at += direction {
		if f := &list[at]; f.Here && (s.Ribbon.group == 0 || int(f.Group) == s.Ribbon.group-1) {
			return f.Index, true
		}
	}
	return 0, false
}

// lateMarks marks the frames of the selected group below the history.
func (s *Strip) lateMarks(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	r := &s.Ribbon
	if r.group == 0 || r.group > len(d.Overview.Groups) {
		return
	}
	from, to := inSight(d)
	first, _ := slices.BinarySearchFunc(d.Overview.Late, from, func(f report.LateFrame, frame uint64) int {
		return int(int64(f.Frame - frame))
	})
	col, newest := groupColor(c, d, &d.Overview.Groups[r.group-1]), int(to)+d.Past.Skip-1
	for _, f := range d.Overview.Late[first:] {
		if f.Frame >= to {
			break
		}
		if int(f.Group) == r.group-1 {
			x0, x1 := d.ColumnEdges(plot, newest-int(f.Frame))
			x := (x0 + x1) / 2
			c.Triangle(x-4*c.Em, plot.Y0-6*c.Em, x+4*c.Em, plot.Y0-6*c.Em, x, plot.Y0, col)
		}
	}
}
