package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// tabs are the report modes with their names: in full, and short for narrow screens.
var tabs = [report.NumReportModes]struct{ name, short, tip string }{
	report.ReportSelfTime: {"Self time", "Self",
		"zones by self time: without the zones that they call"},
	report.ReportHierarchicalTime: {"With callees", "Callees",
		"zones by their time with all that they call"},
	report.ReportCallGraph: {"Call graph", "Graph",
		"one zone: above it its callers, below it its callees.\n" +
			"Enter on a row goes there, Backspace to its largest caller"},
	report.ReportCallGraphDescendants: {"Descendants", "Desc",
		"one zone: above it what calls it, below it all that\nhappens on its behalf, however deep"},
	report.ReportCallTree: {"Tree", "Tree", "what called what, each path a row that unfolds"},
	report.ReportExtra: {"Slow frames", "Slow",
		"what slow frames take longer than the others:\nthe zones with most extra time come first"},
}

// narrow is the width in nominal pixels below which the header leaves out the program's name and the rate.
const narrow = 480

// headerPart is the header of the full screen, and the title of the half one.
type headerPart struct {
	*shared
	pin pinWords
}

// Draw draws the program's name, the tabs, the live or paused sign, and the frame's numbers. The frame's numbers
// get their room first.
func (h *headerPart) Draw(r canvas.Rect) {
	c, d, title := &h.canvas, &h.scene, h.options.Title
	right := drawFrameNumbers(c, d, r)
	x := r.X0 + 6*c.Em
	if r.Width() >= narrow*c.Em {
		x += c.Left(x, 100*c.Em, r, draw.FaceBold, "IProf", c.TextBright) + 8*c.Em
	}
	begin := r.X0
	wide := r.Width() >= 1000*c.Em
	if wide || r.Width() >= 620*c.Em && title != "" {
		if room := min(130*c.Em, right-x-360*c.Em); room > 60*c.Em {
			x += c.Left(x, room, r, draw.FaceText, title, c.TextDim)
		}
		x += 18 * c.Em
	}
	c.Explain(canvas.Box(begin, r.Y0, x-18*c.Em, r.Y1), "IProf", "the profiler, and the program that it shows")
	x = drawTabs(c, d, r, x, right, wide)
	x = drawState(c, d, r, x, right) + 8*c.Em
	x = h.drawChips(r, x, right) + 8*c.Em
	drawMore(c, d, r, x, right)
}

// drawTabs draws the report modes in the longest form that leaves room for the live or paused sign. It returns the x of
// the next part.
func drawTabs(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, x, limit float32, wide bool) float32 {
	form := shortTabs
	if wide {
		form = fullTabs
	}
	if form == fullTabs && x+form.width(c, d)+tabGap*c.Em+stateWidth(c, d) > limit {
		form++ // the paused sign matters more than whole names
	}
	for form < noTabs && x+form.width(c, d)+(tabGap+stateDot)*c.Em > limit {
		form++
	}
	if form == noTabs {
		return x
	}
	start, end, y := x, x+form.width(c, d), (r.Y0+r.Y1)/2
	c.Round(start, y-14*c.Em, end, y+14*c.Em, 6*c.Em, c.Surface)
	x += 3 * c.Em
	for m := range tabs {
		name := form.name(m, d)
		if name == "" {
			continue
		}
		width := c.Width(draw.FaceText, name) + 2*form.pad(c)
		box := canvas.Box(x, y-11*c.Em, x+width, y+11*c.Em)
		col := c.TextDim
		switch {
		case int(d.View.Mode) == m:
			c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Tab)
			col = c.TextBright
		case c.Hovers(box):
			c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Raised)
			col = c.TextNormal
		}
		c.Left(x+form.pad(c), width, r, draw.FaceText, name, col)
		c.Add(box, hit.Of(hit.Tab, m))
		c.Explain(box, tabs[m].name, tabs[m].tip)
		x += width
	}
	return end + tabGap*c.Em
}

// tabForm is the form of the tabs' names, the longest first.
type tabForm uint8

const (
	fullTabs   tabForm = iota
	shortTabs          // abbreviated
	digitTabs          // the keys that choose them
	currentTab         // only the chosen one
	noTabs
)

// name returns the text of a mode's tab, "" for no tab.
func (f tabForm) name(mode int, d *scene.Scene) string {
	switch {
	case mode == int(report.ReportExtra) && int(d.View.Mode) != mode && !d.Info.Judges():
		return "" // nothing is slow
	case f == fullTabs:
		return tabs[mode].name
	case f == shortTabs, f == currentTab && int(d.View.Mode) == mode:
		return tabs[mode].short
	case f == digitTabs:
		return "123456789"[mode : mode+1]
	}
	return ""
}

// pad returns the room on each side of a tab's name.
func (f tabForm) pad(c *canvas.Canvas) float32 {
	if f == fullTabs {
		return 14 * c.Em
	}
	return 7 * c.Em
}

// width returns the width of all tabs.
func (f tabForm) width(c *canvas.Canvas, d *scene.Scene) float32 {
	width := 6 * c.Em
	for m := range tabs {
		if name := f.name(m, d); name != "" {
			width += c.Width(draw.FaceText, name) + 2*f.pad(c)
		}
	}
	return width
}

// tabGap is the gap after the tabs. stateDot is the width of the live or paused sign without its word.
const tabGap, stateDot = 14, 26

// drawState draws the live or paused sign, or only its dot in little room. It returns the x at which the sign ends.
func drawState(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, x, limit float32) float32 {
	word, col := state(c, d)
	width := stateWidth(c, d)
	if x+width > limit {
		word, width = "", stateDot*c.Em
	}
	if x+width > limit {
		return x
	}
	y := (r.Y0 + r.Y1) / 2
	box := canvas.Box(x, y-10*c.Em, x+width, y+10*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 8*c.Em, draw.Mix(c.Background, col, 0.22))
	c.Round(x+9*c.Em, y-4*c.Em, x+17*c.Em, y+4*c.Em, 4*c.Em, col)
	c.Left(x+22*c.Em, width, r, draw.FaceSmall, word, draw.Mix(col, c.Strong, 0.15))
	c.Add(box, hit.Of(hit.Pause, 0))
	return box.X1
}

// stateWidth returns the width of the sign with its word.
func stateWidth(c *canvas.Canvas, d *scene.Scene) float32 {
	word, _ := state(c, d)
	return c.Width(draw.FaceSmall, word) + 30*c.Em
}

// state returns the word and the colour of the live or paused sign. A file is never paused.
func state(c *canvas.Canvas, d *scene.Scene) (word string, sign color.NRGBA) {
	switch i := &d.Info; {
	case i.Gone:
		return "GONE", c.Amber
	case i.Paused && d.Finished:
		return "FILE", c.Accent
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
		"included. Green: on time. Amber: busy or blocked for longer than\n" +
		"the budget, or late because it waited. Red: for twice the\nbudget. ø: the average of several frames"
	partsTip = "waiting is the time in idle zones such as vsync, on the\n" +
		"goroutine that ends the frames. Blocked is the part of it for\n" +
		"locks and iprof.Wait. Busy is the rest. The budget is for busy\n" +
		"and blocked, and the columns below show both"
	waitsTip = "what all goroutines waited in this frame, added up, by the\n" +
		"counters of Go's runtime: runnable is the time until they got\n" +
		"a processor, locks the time for mutexes. Longer than the frame:\n" +
		"how many waited at once, on average. Shown from 5 % of the frame on"
	maxHoldTip = "longest frame of the last 5 s, in milliseconds,\nwaiting included"
	p99Tip     = "99 % of the frames of the history are no longer,\nin milliseconds, waiting included"
	budgetTip  = "how long a frame may be busy or blocked, in milliseconds.\nU goes on to the next"
)

// drawWarnings draws the report's warnings, and the number of warnings without room.
func (n *noticePart) drawWarnings(r canvas.Rect) {
	c, d := &n.canvas, &n.scene
	rows := int(r.Height()/(20*c.Em) + 0.5)
	for i := range rows {
		line := canvas.Box(r.X0, r.Y0+float32(i)*20*c.Em, r.X1, r.Y0+float32(i+1)*20*c.Em-2*c.Em)
		c.Round(line.X0, line.Y0, line.X1, line.Y1, 4*c.Em, draw.Mix(c.Background, c.Amber, 0.16))
		c.Left(line.X0+8*c.Em, 20*c.Em, line, draw.FaceBold, "!", c.Amber)
		room := line.Width() - 30*c.Em
		if more := len(d.Report.Warnings) - rows; more > 0 && i == rows-1 {
			c.Buffer = append(draw.AppendFixed(append(c.Buffer[:0], '+'), float64(more), 0), " more"...)
			y := c.Baseline(line.Y0, line.Y1, draw.FaceSmall)
			room -= c.ASCIIRight(line.X1-8*c.Em, y, draw.FaceSmall, c.Buffer, c.TextDim) + 16*c.Em
		}
		c.Left(line.X0+20*c.Em, room, line, draw.FaceSmall, n.warning(i), c.TextNormal)
	}
}

// chips are the signs in the header for settings that differ from the default: a lane, an average, a selection of
// frames, a path, a baseline. A click on a sign changes or ends its setting.
type chips struct {
	c        *canvas.Canvas
	row      canvas.Rect
	x, limit float32
}

// add draws a sign, if the text is not empty and there is room.
func (h *chips) add(s string, hit Hit) {
	if s == "" {
		return
	}
	c := h.c
	width := min(c.Width(draw.FaceSmall, s), 150*c.Em) + 14*c.Em
	if h.x+width > h.limit {
		return
	}
	y := (h.row.Y0 + h.row.Y1) / 2
	box := canvas.Box(h.x, y-10*c.Em, h.x+width, y+10*c.Em)
	ground := c.Raised
	if c.Hovers(box) {
		ground = c.Tab
	}
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, ground)
	c.Left(h.x+7*c.Em, width-14*c.Em, h.row, draw.FaceSmall, s, c.TextNormal)
	c.Add(box, hit)
	h.x = box.X1 + 5*c.Em
}

// drawChips draws the signs, and returns the x where they end.
func (h *headerPart) drawChips(r canvas.Rect, x, limit float32) float32 {
	d := &h.scene
	signs := chips{&h.canvas, r, x, limit}
	if d.View.Lane != 0 {
		signs.add(d.Info.Lane, hit.Of(hit.Lanes, 0))
	}
	if h.options.Loading {
		signs.add("numbers"+soFar, hit.Of(hit.Panel, 0))
	}
	signs.add(h.lensWords(), hit.OfCommand("frames"))
	named := r.Width() >= partsWidth*h.canvas.Em && d.Info.Averaged() // beside the frame's length
	if d.Info.Lens.Kind == report.LensOff && !d.Info.Kept && d.Info.Age == 0 && d.Info.Frames > 0 && !named {
		signs.add(scene.AverageWords[min(d.View.Average, report.AverageInstant)], hit.OfCommand("average"))
	}
	if len(d.View.Pin) > 0 {
		signs.add(h.pinned(), hit.OfCommand("unpin"))
	}
	if n := len(d.View.Hidden); n > 0 {
		signs.add(hiddenWords[min(n, len(hiddenWords))-1], hit.OfCommand("show-zones"))
	}
	if d.Report.Baseline.Pinned {
		signs.add(d.Report.Baseline.Label, hit.Of(hit.Compare, 0))
	}
	return signs.x
}

// hiddenWords say how many zones are hidden.
var hiddenWords = [...]string{"1 zone hidden", "2 zones hidden", "3 zones hidden", "many zones hidden"}

// lensWords returns the name of the lens, "" for one frame.
func (h *headerPart) lensWords() string {
	i := &h.scene.Info
	if i.Lens.Sums() {
		return "the whole run"
	}
	words := &lensChips[min(i.Lens.Kind, report.NumLensKinds-1)]
	if i.Kind.HasFrames() {
		return words[0]
	}
	return words[1]
}

// lensChips are the names of the lenses, for frames and for intervals.
var lensChips = [report.NumLensKinds][2]string{
	report.LensAll:     {"all frames", "all intervals"},
	report.LensOver:    {"frames over budget", "intervals over budget"},
	report.LensWithin:  {"frames within budget", "intervals within budget"},
	report.LensSlowest: {"slowest frames", "slowest intervals"},
	report.LensRange:   {"range of frames", "range of intervals"},
}

// pinned names the innermost zone of the pinned path. It formats the words only when that zone changes.
func (h *headerPart) pinned() string {
	pin := h.scene.View.Pin
	last := pin[len(pin)-1]
	if h.pin.words == "" || h.pin.zone != last {
		name := h.scene.Zone(last).Name
		h.pin.zone, h.pin.words = last, "below "+name[:min(len(name), canvas.LongestName)]
	}
	return h.pin.words
}

// pinWords keeps the words for the pinned path.
type pinWords struct {
	zone  report.ZoneID
	words string
}

// drawFrameNumbers draws the frame's number, length and rate at the right, and returns the x where they begin.
func drawFrameNumbers(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) float32 {
	x := r.X1 - 6*c.Em
	if d.Info.Frames == 0 {
		return x
	}
	low := r.Y0 + (r.Height()+10*c.Em)/2
	small := canvas.Box(0, low-8*c.Em, 0, low+2*c.Em)
	if r.Width() >= narrow*c.Em && d.Info.Kind.HasFrames() {
		x -= c.Right(x, small, draw.FaceSmall, "fps", c.TextDim) + 8*c.Em
		x -= c.Number(x, r, draw.FaceLarge, d.Info.FPS, 0, c.TextNormal)
		x = min(x, r.X1-80*c.Em) - 14*c.Em
	}
	length, name, decimals := draw.TimeInUnit(d.Info.Length, min(d.Decimals(c), 3))
	unit := c.Right(x, small, draw.FaceSmall, name, c.TextDim)
	above := canvas.Box(0, small.Y0-14*c.Em, 0, small.Y1-14*c.Em)
	if pace := d.Info.Pace().String(); x-unit+c.Width(draw.FaceSmall, pace) <= r.X1 { // the colour says it, too
		c.Left(x-unit, 44*c.Em, above, draw.FaceSmall, pace, paceColor(c, &d.Info))
	}
	x -= unit + 8*c.Em
	explainLength(c, &d.Info, canvas.Box(x-80*c.Em, r.Y0+6*c.Em, r.X1, r.Y1-6*c.Em))
	width := c.Number(x, r, draw.FaceLarge, length, decimals, paceColor(c, &d.Info))
	if d.Info.Averaged() {
		c.Left(x-width-13*c.Em, 12*c.Em, r, draw.FaceText, "ø", c.TextDim)
	}
	x -= max(c.Em*float32(80+14*(min(c.Averages, 3)-2)), width) + 18*c.Em
	if r.Width() < partsWidth*c.Em {
		return x
	}
	return drawParts(c, d, r, x)
}

// leastWait is the least time in ms of waits of all goroutines that a tip mentions.
const leastWait = 0.05

// explainLength requests a tip for the length of the frame, with the waits of all goroutines.
func explainLength(c *canvas.Canvas, i *report.FrameInfo, at canvas.Rect) {
	if !c.Tip.Accepts(c.Hovers(at)) {
		return
	}
	c.Explain(at, "frame length", lengthTip)
	if i.RunQueue < leastWait && i.LockWait < leastWait {
		return
	}
	b := appendWait(append(c.Tip.Number, "all goroutines: about "...), i.RunQueue, i.Length)
	c.Tip.Number = append(appendWait(append(b, " until they ran, "...), i.LockWait, i.Length), " for locks"...)
}

// appendWait appends a wait of all goroutines in a frame, both in ms: a time, or how many waited at once.
func appendWait(b []byte, ms, length float64) []byte {
	if n := report.WaitingAtOnce(ms, length); n > 0 {
		return append(report.AppendGoroutines(b, n), " at once"...)
	}
	return draw.AppendTime(b, ms, 2)
}

// partsWidth is the least width in nominal pixels of a header that names its frame and the parts of its time.
const partsWidth = 760

// drawParts draws the frame's name, and below it the busy and the waiting part of its length. It returns the x at which
// they begin.
func drawParts(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, x float32) float32 {
	y := (r.Y0 + r.Y1) / 2
	upper, lower := canvas.Box(0, y-15*c.Em, 0, y-c.Em), canvas.Box(0, y, 0, y+14*c.Em)
	c.Buffer = d.AppendOf(c.Buffer[:0])
	width := c.BytesWidth(draw.FaceSmall, c.Buffer)
	if d.Info.Averaged() && d.Info.Lens.Kind == report.LensOff {
		c.Add(canvas.Box(x-width, upper.Y0, x, upper.Y1), hit.OfCommand("average"))
	}
	c.TextBytes(x-width, c.Baseline(upper.Y0, upper.Y1, draw.FaceSmall), width+c.Em, draw.FaceSmall, c.Buffer,
		c.TextDim)
	width += drawWaits(c, &d.Info, canvas.Box(upper.X0, upper.Y0, x-width, upper.Y1))
	c.Buffer = scene.AppendParts(c.Buffer[:0], &d.Info, min(d.Decimals(c), 3))
	parts := c.BytesWidth(draw.FaceSmall, c.Buffer)
	ink := c.TextNormal
	if d.Info.Pace() == report.PaceWaited {
		ink = paceColor(c, &d.Info)
	}
	c.TextBytes(x-parts, c.Baseline(lower.Y0, lower.Y1, draw.FaceSmall), parts+c.Em, draw.FaceSmall, c.Buffer, ink)
	explainParts(c, &d.Info, canvas.Box(x-parts, lower.Y0, x, lower.Y1))
	return x - max(width, parts, partsRoom(d)*c.Em) - 12*c.Em
}

// partsRoom is the room in nominal pixels for the parts of a frame's time. It depends only on the history, so nothing
// moves from frame to frame.
func partsRoom(d *scene.Scene) float32 {
	if d.Info.HasGPU {
		return 276
	}
	for i := range d.Frames {
		if d.Frames[i].Waited() {
			return 276
		}
	}
	return 150
}

// drawWaits draws the waits of all goroutines in the frame, if they are long enough. It ends at the right of r, and
// returns its width.
func drawWaits(c *canvas.Canvas, i *report.FrameInfo, r canvas.Rect) float32 {
	c.Buffer = i.AppendWaits(c.Buffer[:0])
	if len(c.Buffer) == 0 {
		return 0
	}
	x := r.X1 - 10*c.Em
	width := c.BytesWidth(draw.FaceSmall, c.Buffer)
	c.TextBytes(x-width, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), width+c.Em, draw.FaceSmall, c.Buffer, c.TextNormal)
	c.Explain(canvas.Box(x-width, r.Y0, x, r.Y1), "all goroutines", waitsTip)
	return width + 10*c.Em
}

// explainParts requests a tip for busy and waiting time, with the processor time if known.
func explainParts(c *canvas.Canvas, i *report.FrameInfo, at canvas.Rect) {
	if !c.Tip.Accepts(c.Hovers(at)) {
		return
	}
	c.Explain(at, "busy and waiting", partsTip)
	if busy := i.Processors(); busy > 0 {
		b := append(draw.AppendTime(append(c.Tip.Number, "all threads: CPU "...), i.CPU, 2), ", "...)
		c.Tip.Number = append(draw.AppendFixed(b, busy, 2), " processors"...)
	}
}

// paceColor returns green for a frame on time, amber for a frame over its budget or late because of a wait, and red for
// a frame of twice the budget. Where frames are only pieces of the time, none of them is late.
func paceColor(c *canvas.Canvas, i *report.FrameInfo) color.NRGBA {
	switch pace := i.Pace(); {
	case !i.Kind.HasFrames():
		return c.TextNormal
	case pace == report.PaceOver && i.Judged() > 2*i.Budget.Seconds()*1000:
		return c.Red
	case pace != report.PaceOnTime:
		return c.Amber
	}
	return c.Green
}

// drawMore draws further numbers, each below its name, as far as there is room.
func drawMore(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, x, limit float32) {
	i := &d.Info
	if i.Frames == 0 || !i.Kind.HasFrames() {
		return
	}
	for _, m := range [...]struct {
		name     string
		value    float64
		decimals int
		tip      string
	}{
		{"max 5 s", i.MaxHold, c.Told(2), maxHoldTip},
		{"p99", i.P99, c.Told(2), p99Tip}, {"budget", i.Budget.Seconds() * 1000, 2, budgetTip},
	} {
		width := 58 * c.Em
		if x+width > limit || m.name == "budget" && m.value <= 0 {
			return
		}
		y := (r.Y0 + r.Y1) / 2
		c.Explain(canvas.Box(x, y-14*c.Em, x+width-4*c.Em, y+14*c.Em), m.name, m.tip)
		c.Left(x, width, canvas.Box(0, y-14*c.Em, 0, y), draw.FaceSmall, m.name, c.TextFaint)
		c.Buffer = draw.AppendMilliseconds(c.Buffer[:0], m.value, m.decimals)
		c.ASCII(x, c.Baseline(y, y+14*c.Em, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextDim)
		x += width
	}
}
