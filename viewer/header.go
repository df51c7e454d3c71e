package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// tabs are the report modes with their names: in full, and short for narrow screens.
var tabs = [process.NumReportModes]struct{ name, short, tip string }{
	process.ReportSelfTime: {"Self time", "Self",
		"zones by self time: without the zones that they call"},
	process.ReportHierarchicalTime: {"With callees", "Callees",
		"zones by their time with all that they call"},
	process.ReportCallGraph: {"Call graph", "Graph",
		"one zone: above it its callers, below it its callees.\n" +
			"Enter on a row goes there, Backspace to its largest caller"},
	process.ReportCallGraphDescendants: {"Descendants", "Desc",
		"one zone: above it what calls it, below it all that\nhappens on its behalf, however deep"},
	process.ReportCallTree: {"Tree", "Tree", "what called what, each path a row that unfolds"},
	process.ReportExtra: {"Slow frames", "Slow",
		"what slow frames take longer than the others:\nthe zones with most extra time come first"},
}

// narrow is the width in nominal pixels below which the header has neither the program's name nor the rate.
const narrow = 480

// drawHeader draws the program's name, the tabs, the live or paused sign, and the frame's numbers. The frame's numbers
// have their room first.
func (p *Panel) drawHeader(r rect) {
	c, d, title := &p.canvas, &p.shown, p.options.Title
	right := drawFrameNumbers(c, d, r)
	x := r.x0 + 6*c.em
	if r.width() >= narrow*c.em {
		x += c.left(x, 100*c.em, r, draw.FaceBold, "IProf", c.TextBright) + 8*c.em
	}
	begin := r.x0
	wide := r.width() >= 1000*c.em
	if wide || r.width() >= 620*c.em && title != "" {
		if room := min(130*c.em, right-x-360*c.em); room > 60*c.em {
			x += c.left(x, room, r, draw.FaceText, title, c.TextDim)
		}
		x += 18 * c.em
	}
	c.explain(rect{begin, r.y0, x - 18*c.em, r.y1}, "IProf", "the profiler, and the program that it shows")
	x = drawTabs(c, d, r, x, right, wide)
	x = drawState(c, d, r, x, right) + 8*c.em
	x = p.drawChips(r, x, right) + 8*c.em
	drawMore(c, d, r, x, right)
}

// drawTabs draws the report modes in the longest form that leaves room for the live or paused sign. It returns the x
// where the next part begins.
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
	c.Round(start, y-14*c.em, end, y+14*c.em, 6*c.em, c.Surface)
	x += 3 * c.em
	for m := range tabs {
		name := form.name(m, d)
		if name == "" {
			continue
		}
		width := c.Width(draw.FaceText, name) + 2*form.pad(c)
		box := rect{x, y - 11*c.em, x + width, y + 11*c.em}
		col := c.TextDim
		switch {
		case int(d.view.Mode) == m:
			c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.Tab)
			col = c.TextBright
		case c.hovers(box):
			c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.Raised)
			col = c.TextNormal
		}
		c.left(x+form.pad(c), width, r, draw.FaceText, name, col)
		c.add(box, hitOf(HitTab, m))
		c.explain(box, tabs[m].name, tabs[m].tip)
		x += width
	}
	return end + tabGap*c.em
}

// tabForm is how the tabs are written, the longest form first.
type tabForm uint8

const (
	fullTabs   tabForm = iota
	shortTabs          // abbreviated
	digitTabs          // by the keys that choose them
	currentTab         // only the chosen one
	noTabs
)

// name returns the text of a mode's tab, "" for no tab.
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

// pad returns the room on each side of a tab's name.
func (f tabForm) pad(c *canvas) float32 {
	if f == fullTabs {
		return 14 * c.em
	}
	return 7 * c.em
}

// width returns the width of all tabs.
func (f tabForm) width(c *canvas, d *shown) float32 {
	width := 6 * c.em
	for m := range tabs {
		if name := f.name(m, d); name != "" {
			width += c.Width(draw.FaceText, name) + 2*f.pad(c)
		}
	}
	return width
}

// tabGap is the gap after the tabs. stateDot is the width of the live or paused sign without its word.
const tabGap, stateDot = 14, 26

// drawState draws the live or paused sign, only its dot where there is little room. It returns the x where the sign
// ends.
func drawState(c *canvas, d *shown, r rect, x, limit float32) float32 {
	word, col := c.state(&d.info)
	width := c.Width(draw.FaceSmall, word) + 30*c.em
	if x+width > limit {
		word, width = "", stateDot*c.em
	}
	if x+width > limit {
		return x
	}
	y := (r.y0 + r.y1) / 2
	box := rect{x, y - 10*c.em, x + width, y + 10*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 8*c.em, draw.Mix(c.Background, col, 0.22))
	c.Round(x+9*c.em, y-4*c.em, x+17*c.em, y+4*c.em, 4*c.em, col)
	c.left(x+22*c.em, width, r, draw.FaceSmall, word, draw.Mix(col, white, 0.15))
	c.add(box, hitOf(HitPause, 0))
	return box.x1
}

// state returns the word and the colour of the live or paused sign.
func (c *canvas) state(i *process.FrameInfo) (word string, sign color.NRGBA) {
	switch {
	case i.Gone:
		return "GONE", c.Amber
	case i.Paused:
		return "PAUSED", c.Amber
	case !i.Recording:
		return "NOT RECORDING", c.TextDim
	case i.Frames == 0:
		return "NO FRAMES", c.TextDim
	case i.Kept:
		return "KEPT", c.Accent
	case i.Age > 0:
		return "PAST", c.Accent
	}
	return "LIVE", c.Green
}

// These tips explain the header's numbers.
const (
	lengthTip = "from one Update to the next, in milliseconds, waiting\n" +
		"included. Green: on time. Amber: busy for longer than the\n" +
		"budget, or late because it waited. Red: busy for twice the\nbudget. ø: the average of several frames"
	partsTip = "waiting is the time in idle zones such as vsync, on the\n" +
		"goroutine that ends the frames. Busy is the rest. The budget\n" +
		"is for the busy time, and the columns below show it"
	waitsTip = "what all goroutines waited in this frame, added up, by the\n" +
		"counters of Go's runtime: runnable is the time until they got\n" +
		"a processor, locks the time for mutexes. Shown from 5 % of\nthe frame on"
	maxHoldTip = "longest frame of the last 5 s, in milliseconds,\nwaiting included"
	p99Tip     = "99 % of the frames of the history are no longer,\nin milliseconds, waiting included"
	budgetTip  = "how long a frame may be busy, in milliseconds.\nU goes on to the next"
)

// drawWarnings draws the report's warnings, and the number of those without room.
func (p *Panel) drawWarnings(r rect) {
	c, d := &p.canvas, &p.shown
	n := int(r.height()/(20*c.em) + 0.5)
	for i := range n {
		line := rect{r.x0, r.y0 + float32(i)*20*c.em, r.x1, r.y0 + float32(i+1)*20*c.em - 2*c.em}
		c.Round(line.x0, line.y0, line.x1, line.y1, 4*c.em, draw.Mix(c.Background, c.Amber, 0.16))
		c.left(line.x0+8*c.em, 20*c.em, line, draw.FaceBold, "!", c.Amber)
		room := line.width() - 30*c.em
		if more := len(d.Report.Warnings) - n; more > 0 && i == n-1 {
			c.buffer = append(draw.AppendFixed(append(c.buffer[:0], '+'), float64(more), 0), " more"...)
			y := c.baseline(line.y0, line.y1, draw.FaceSmall)
			room -= c.ASCIIRight(line.x1-8*c.em, y, draw.FaceSmall, c.buffer, c.TextDim) + 16*c.em
		}
		c.left(line.x0+20*c.em, room, line, draw.FaceSmall, p.warning(i), c.TextNormal)
	}
}
