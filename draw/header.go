package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// tabs are the report modes by name: in full, and short for narrow screens.
var tabs = [process.NumReportModes]struct{ name, short, tip string }{
	process.SelfTime:             {"Self time", "Self", "zones by the time in them alone, without what they call"},
	process.HierarchicalTime:     {"Hierarchical", "Hier", "zones by the time in them with all that they call"},
	process.CallGraph:            {"Call graph", "Graph", "one zone: above it what calls it, below it what it calls.\nEnter on a row goes there, Backspace to its largest caller"},
	process.CallGraphDescendants: {"Descendants", "Desc", "one zone: above it what calls it, below it all that\nhappens on its behalf, however deep"},
	process.CallTree:             {"Tree", "Tree", "what called what, each path a row that unfolds"},
	process.Extra:                {"Extra", "Extra", "what slow frames have more of than the others:\nthe zones to blame come first"},
}

// narrow is the width in nominal pixels below which the header goes without the program's name and the rate.
const narrow = 480

// drawHeader draws the program's name, the tabs, live or paused, and the frame's numbers, which everything else makes room for.
func (p *Panel) drawHeader(r rect) {
	c, d, title := &p.canvas, &p.shown, p.title
	right := drawFrameNumbers(c, d, r)
	x := r.x0 + 6*c.em
	if r.width() >= narrow*c.em {
		x += c.left(x, 100*c.em, r, FaceBold, "IProf", c.textBright) + 8*c.em
	}
	wide := r.width() >= 1000*c.em
	if wide || r.width() >= 620*c.em && title != "" {
		if room := min(130*c.em, right-x-360*c.em); room > 60*c.em {
			x += c.left(x, room, r, FaceText, title, c.textDim)
		}
		x += 18 * c.em
	}
	x = drawTabs(c, d, r, x, right, wide)
	x = drawState(c, d, r, x, right) + 8*c.em
	x = p.drawChips(r, x, right) + 8*c.em
	drawMore(c, d, r, x, right)
}

// drawTabs draws the modes, in the longest form that leaves room for the sign of what the display does, and returns where what
// follows begins.
func drawTabs(c *canvas, d *shown, r rect, x, limit float32, wide bool) float32 {
	form := shortTabs
	if wide {
		form = fullTabs
	}
	for form < noTabs && x+form.width(c, d)+(tabGap+stateDot)*c.em > limit {
		form++
	}
	if form == noTabs {
		return x
	}
	start, end, y := x, x+form.width(c, d), (r.y0+r.y1)/2
	c.Round(start, y-14*c.em, end, y+14*c.em, 6*c.em, c.surface)
	x += 3 * c.em
	for m := range tabs {
		name := form.name(m, d)
		if name == "" {
			continue
		}
		width := c.Width(FaceText, name) + 2*form.pad(c)
		box := rect{x, y - 11*c.em, x + width, y + 11*c.em}
		col := c.textDim
		switch {
		case int(d.view.Mode) == m:
			c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.tab)
			col = c.textBright
		case c.hovers(box):
			c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.raised)
			col = c.textNormal
		}
		c.left(x+form.pad(c), width, r, FaceText, name, col)
		c.add(box, hitOf(HitTab, m))
		c.explain(box, tabs[m].name, tabs[m].tip)
		x += width
	}
	return end + tabGap*c.em
}

// tabForm is how the modes are written, the longest first.
type tabForm uint8

const (
	fullTabs   tabForm = iota
	shortTabs          // abbreviated
	digitTabs          // by the keys that choose them
	currentTab         // only the one chosen
	noTabs
)

// name is what a mode's tab says, "" for none.
func (f tabForm) name(mode int, d *shown) string {
	switch {
	case f == fullTabs:
		return tabs[mode].name
	case f == shortTabs, f == currentTab && int(d.view.Mode) == mode:
		return tabs[mode].short
	case f == digitTabs:
		return "123456789"[mode : mode+1]
	}
	return ""
}

// pad is the room on each side of a tab's name.
func (f tabForm) pad(c *canvas) float32 {
	if f == fullTabs {
		return 14 * c.em
	}
	return 7 * c.em
}

// width is what all tabs take.
func (f tabForm) width(c *canvas, d *shown) float32 {
	width := 6 * c.em
	for m := range tabs {
		if name := f.name(m, d); name != "" {
			width += c.Width(FaceText, name) + 2*f.pad(c)
		}
	}
	return width
}

// tabGap is the room behind the tabs, stateDot the width of the sign that says whether the frames go on, without its word.
const tabGap, stateDot = 14, 26

// drawState draws the sign that says whether the frames go on, only its dot where there is little room, and returns where it ends.
func drawState(c *canvas, d *shown, r rect, x, limit float32) float32 {
	word, col := c.state(&d.info)
	width := c.Width(FaceSmall, word) + 30*c.em
	if x+width > limit {
		word, width = "", stateDot*c.em
	}
	if x+width > limit {
		return x
	}
	y := (r.y0 + r.y1) / 2
	box := rect{x, y - 10*c.em, x + width, y + 10*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 8*c.em, mix(c.background, col, 0.22))
	c.Round(x+9*c.em, y-4*c.em, x+17*c.em, y+4*c.em, 4*c.em, col)
	c.left(x+22*c.em, width, r, FaceSmall, word, mix(col, white, 0.15))
	c.add(box, hitOf(HitPause, 0))
	return box.x1
}

// state says in a word what the display is doing.
func (p *palette) state(i *process.FrameInfo) (word string, sign color.NRGBA) {
	switch {
	case i.Gone:
		return "GONE", p.red
	case i.Paused:
		return "PAUSED", p.amber
	case !i.Recording:
		return "NOT RECORDING", p.textDim
	case i.Frames == 0:
		return "NO FRAMES", p.textDim
	case i.Kept:
		return "KEPT", p.accent
	case i.Age > 0:
		return "PAST", p.accent
	}
	return "LIVE", p.green
}

// drawFrameNumbers draws the frame's number, length and rate at the right, and returns where they begin.
func drawFrameNumbers(c *canvas, d *shown, r rect) float32 {
	x := r.x1 - 6*c.em
	if d.info.Frames == 0 {
		return x
	}
	low := r.y0 + (r.height()+10*c.em)/2
	small := rect{0, low - 8*c.em, 0, low + 2*c.em}
	if r.width() >= narrow*c.em {
		x -= c.right(x, small, FaceSmall, "fps", c.textDim) + 8*c.em
		x -= c.number(x, r, FaceLarge, d.info.FPS, 0, c.textNormal)
		x = min(x, r.x1-80*c.em) - 14*c.em
	}
	unit := c.right(x, small, FaceSmall, "ms", c.textDim)
	if d.info.Over {
		c.left(x-unit, 40*c.em, rect{0, small.y0 - 14*c.em, 0, small.y1 - 14*c.em}, FaceSmall, "over", c.budgetColor(&d.info))
	}
	x -= unit + 8*c.em
	c.explain(rect{x - 80*c.em, r.y0 + 6*c.em, r.x1, r.y1 - 6*c.em}, "frame length", lengthTip)
	c.number(x, r, FaceLarge, d.info.Length, min(c.precision, 3), c.budgetColor(&d.info))
	x -= c.em * float32(80+14*(min(c.precision, 3)-2))
	if r.width() < 760*c.em {
		return x
	}
	x -= 14 * c.em
	word, number := "frame", float64(d.info.Index)
	if d.info.Lens.Kind != process.LensOff {
		word, number = "frames", float64(d.info.LensFrames)
	}
	x -= c.number(x, small, FaceMono, number, 0, c.textBright) + 8*c.em
	x -= c.right(x, small, FaceSmall, word, c.textDim)
	return x - 16*c.em
}

// budgetColor judges a frame by its budget.
func (p *palette) budgetColor(i *process.FrameInfo) color.NRGBA {
	budget := i.Budget.Seconds() * 1000
	switch {
	case i.Over && i.Busy > 2*budget:
		return p.red
	case i.Over:
		return p.amber
	}
	return p.green
}

// What the header's numbers mean.
const (
	lengthTip  = "from one Update to the next, in milliseconds, waiting\nincluded. The colour judges what of it was busy:\ngreen within the frame budget, amber over, red twice over"
	busyTip    = "the frame's length without idle zones such as vsync,\nin milliseconds: what the budget judges and the\ncolumns below show"
	maxHoldTip = "longest frame of the last 5 s, in milliseconds,\nwaiting included"
	p99Tip     = "99 % of the frames of the history are no longer,\nin milliseconds, waiting included"
	budgetTip  = "how long a frame may be busy, in milliseconds.\nU goes on to the next"
)

// drawMore draws further numbers, each under its name, as far as there is room.
func drawMore(c *canvas, d *shown, r rect, x, limit float32) {
	i := &d.info
	if i.Frames == 0 {
		return
	}
	for _, m := range [...]struct {
		name  string
		value float64
		tip   string
	}{{"busy", i.Busy, busyTip}, {"max 5 s", i.MaxHold, maxHoldTip}, {"p99", i.P99, p99Tip}, {"budget", i.Budget.Seconds() * 1000, budgetTip}} {
		width := 58 * c.em
		if x+width > limit {
			return
		}
		y := (r.y0 + r.y1) / 2
		c.explain(rect{x, y - 14*c.em, x + width - 4*c.em, y + 14*c.em}, m.name, m.tip)
		c.left(x, width, rect{0, y - 14*c.em, 0, y}, FaceSmall, m.name, c.textFaint)
		c.buffer = appendFixed(c.buffer[:0], m.value, 2)
		c.ascii(x, c.baseline(y, y+14*c.em, FaceTiny), FaceTiny, c.buffer, c.textDim)
		x += width
	}
}

// drawWarnings draws the report's warnings, and how many more there are.
func drawWarnings(c *canvas, d *shown, r rect) {
	n := int(r.height()/(20*c.em) + 0.5)
	for i := range n {
		line := rect{r.x0, r.y0 + float32(i)*20*c.em, r.x1, r.y0 + float32(i+1)*20*c.em - 2*c.em}
		c.Round(line.x0, line.y0, line.x1, line.y1, 4*c.em, mix(c.background, c.red, 0.16))
		c.left(line.x0+8*c.em, 20*c.em, line, FaceBold, "!", c.red)
		room := line.width() - 30*c.em
		if more := len(d.report.Warnings) - n; more > 0 && i == n-1 {
			c.buffer = append(appendFixed(append(c.buffer[:0], '+'), float64(more), 0), " more"...)
			room -= c.asciiRight(line.x1-8*c.em, c.baseline(line.y0, line.y1, FaceSmall), FaceSmall, c.buffer, c.textDim) + 16*c.em
		}
		c.left(line.x0+20*c.em, room, line, FaceSmall, d.report.Warnings[i], c.textNormal)
	}
}
