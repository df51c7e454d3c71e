package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/listing"
	"example.com/iprof/viewer/internal/scene"
	timelines "example.com/iprof/viewer/internal/timeline"
)

// noticePart is the line of the verdict, of a slow call and of warnings.
type noticePart struct {
	*shared
	line  verdictLine
	slow  slowLine
	drawn bool // the verdict is drawn below

	call  *report.SlowCall // it is drawn below; nil: none
	lines int              // lines for which the sentence has a place
}

// verdictLine is the line that explains a slow frame.
type verdictLine struct {
	words      []byte
	ends       []int // of its lines, in words
	of         lineOf
	most       int    // lines that it was fitted to
	shortened  bool   // it had more
	lastFrames frames // frames of the last Draw
	due        bool   // the next Draw brings the main cause into sight
}

// frames identifies the shown frames: one frame, or a lens.
type frames struct {
	index uint64
	lens  report.Lens
}

// framesOf returns the shown frames. The frames of a lens may change without the user.
func framesOf(d *scene.Scene) (f frames) {
	f.lens = d.Info.Lens
	if f.lens.Kind == report.LensOff {
		f.index = d.Info.Index
	}
	return f
}

// The heights of the line with the gap below it, in nominal pixels. Low screens use the second. The line's place exists
// even when it is empty, so that nothing moves when the line appears.
const verdictHeight, lowVerdict = 29, 21

// showCause makes the next Draw bring the zone of the verdict's main cause into sight in the call structure and the
// timeline.
func (n *noticePart) showCause() { n.change(func() { n.line.due = true }) }

// cutName limits the bytes of a name in the line. A longer name would leave no room for the numbers.
func cutName(name string) string {
	const most = 48
	if len(name) > most {
		return name[:most-3] + "..."
	}
	return name
}

// fit formats as many causes of a verdict as fit in some lines, at least the main one. It formats only when the verdict
// or the room has changed.
func (l *verdictLine) fit(c *canvas.Canvas, v *report.Verdict, room float32, lines int) {
	of := lineOf{v.Index, v.Frames, len(v.Causes), v.Excess, v.Cause(), room, c.Em}
	if l.of.same(&of) && (l.most == lines || !l.shortened && len(l.ends) <= lines) {
		return
	}
	l.of, l.most = of, lines
	l.words = v.AppendText(l.words[:0], cutName)
	l.wrap(c, room)
	short := *v
	l.shortened = len(l.ends) > lines
	for n := len(v.Causes) - 1; n > 0 && len(l.ends) > lines; n-- {
		short.Causes, short.Rest = v.Causes[:n], 0
		l.words = short.AppendText(l.words[:0], cutName)
		l.wrap(c, room)
	}
	if len(l.ends) > lines { // the last line is cut
		l.ends = append(l.ends[:lines-1], len(l.words))
	}
}

// wrap divides the words into lines of a width.
func (l *verdictLine) wrap(c *canvas.Canvas, room float32) {
	begin, last := 0, 0
	l.ends = l.ends[:0]
	for at := range len(l.words) + 1 {
		if at < len(l.words) && l.words[at] != ' ' {
			continue
		}
		if last > begin && c.BytesWidth(draw.FaceText, l.words[begin:at]) > room {
			l.ends = append(l.ends, last)
			begin = last + 1
		}
		last = at
	}
	l.ends = append(l.ends, len(l.words))
}

// verdictLines is the greatest number of lines of a sentence above its drawing. verdictStep is the height that each
// line after the first adds, in nominal pixels.
const verdictLines, verdictStep = 4, 17

// linesIn returns the number of lines of the sentence in a place above its drawing.
func (n *noticePart) linesIn(r canvas.Rect) int {
	n.line.fit(&n.canvas, &n.scene.Report.Verdict, r.Width()-verdictInset*n.canvas.Em, verdictLines)
	return len(n.line.ends)
}

// verdictInset is the room beside the sentence, in nominal pixels.
const verdictInset = 24

// lineOf holds the inputs of the words of a line.
type lineOf struct {
	index    uint64
	frames   int
	causes   int
	excess   float64
	cause    report.Cause
	room, em float32
}

func (l *lineOf) same(other *lineOf) bool {
	return l.index == other.index && l.frames == other.frames && l.causes == other.causes && l.excess == other.excess &&
		l.cause.Path == other.cause.Path && l.cause.Time == other.cause.Time &&
		l.room == other.room && l.em == other.em
}

// Draw draws the line of the verdict, a slow call and the report's warnings. They share a place, so that nothing
// below moves when one of them appears: the first of these has the whole line, the others a sign at the right. A slow
// call comes before a verdict of usual frames.
func (n *noticePart) Draw(r canvas.Rect) {
	c, d := &n.canvas, &n.scene
	slow, v := d.Report.SlowCall(), &d.Report.Verdict
	first := v.Found() && (slow == nil || !v.AsUsual())
	if n.call != nil {
		slow, first = n.call, false
	}
	if count := len(d.Report.Warnings); count > 0 && r.Height() > 0 {
		if !first && slow == nil {
			r.Y1 = min(r.Y1, r.Y0+22*c.Em)
			n.drawWarnings(r)
			c.Explain(r, "warning", n.warning(0))
			return
		}
		c.Buffer = append(draw.AppendFixed(append(c.Buffer[:0], "! "...), float64(count), 0), " warning"...)
		if count > 1 {
			c.Buffer = append(c.Buffer, 's')
		}
		r = n.sign(r, "warning", n.warning(0))
	}
	switch {
	case slow == nil:
	case first && r.Height() > 0:
		r = n.slowSign(r, slow)
	default:
		n.drawSlowCall(r, slow)
		return
	}
	n.drawVerdict(r)
}

// drawVerdict draws the line, if there is a verdict. A click on it shows the frame and the zone.
func (n *noticePart) drawVerdict(r canvas.Rect) {
	c, v := &n.canvas, &n.scene.Report.Verdict
	if !v.Found() || r.Height() <= 0 {
		return
	}
	gap, more := 5*c.Em, float32(n.lines-1)*verdictStep*c.Em
	if r.Height()-more < verdictHeight*c.Em {
		gap = 3 * c.Em
	}
	box := canvas.Box(r.X0, r.Y0, r.X1, r.Y1-gap)
	ground := c.Surface
	if c.Hovers(box) {
		ground = c.Raised
	}
	if c.Glass {
		ground = draw.Fade(ground, 0.92)
	}
	col := scene.VerdictColor(c, v)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, draw.Mix(ground, col, 0.10))
	c.Rect(box.X0, box.Y0+2*c.Em, box.X0+3*c.Em, box.Y1-2*c.Em, col)
	room := box.Width() - verdictInset*c.Em
	if key := n.keyOf["why"]; key != "" && !n.drawn && room > 560*c.Em {
		width := c.Chip(box.X1-c.Width(draw.FaceSmall, key)-18*c.Em, box, key, c.Raised, c.TextNormal) + 14*c.Em
		room -= width
	}
	n.line.fit(c, v, room, n.lines)
	begin, line := 0, canvas.Box(box.X0, box.Y0, box.X1, box.Y1-more)
	for _, end := range n.line.ends {
		c.Bytes(box.X0+verdictInset/2*c.Em, room, line, draw.FaceText, n.line.words[begin:end], c.TextBright)
		begin = end + 1
		line.Y0, line.Y1 = line.Y0+verdictStep*c.Em, line.Y1+verdictStep*c.Em
	}
	c.Add(box, hit.OfCommand("why"))
	if !n.drawn { // no tip over the drawn verdict
		c.Explain(box, "why this frame is slow", verdictTip)
	}
}

const verdictTip = "how much longer the frame took than usual, and the zone that\n" +
	"explains it: its time now, and its median in the frames before.\n" +
	"A click or Enter goes to the frame and draws that"

// hud draws the line below the HUD, as wide as its words.
func (n *noticePart) hud(screen, line canvas.Rect) {
	c, v := &n.canvas, &n.scene.Report.Verdict
	if !v.Found() {
		return
	}
	most := screen.X1 - 2*line.X0
	n.line.fit(c, v, most-verdictInset*c.Em, n.lines)
	width := min(c.BytesWidth(draw.FaceText, n.line.words)+26*c.Em, most)
	n.drawVerdict(canvas.Box(line.X0, line.Y1+4*c.Em, line.X0+draw.Snap(width), line.Y1+(4+verdictHeight)*c.Em))
}

// aim chooses the zone to bring into sight: the zone of the main cause, if another past frame is shown or showCause was
// called. The session has put the cursor on its row. A pinned path stays in sight.
func (p *Panel) aim() {
	d, l := &p.scene, &p.notices.line
	v := &d.Report.Verdict
	changed := framesOf(d) != l.lastFrames
	due := l.due
	l.lastFrames = framesOf(d)
	l.due = false
	p.ice.Blamed = -1
	p.ice.Aim = -1
	p.table.Aimed = false
	if !v.Found() || p.answer.Call(d) != nil || d.Info.Lens.Kind == report.LensOff && v.Index != d.Info.Index {
		return
	}
	path := v.Target().Path
	p.ice.Blamed = path
	past := !d.Info.Live || d.Info.Lens.Kind != report.LensOff
	if due || changed && past && len(d.View.Pin) == 0 {
		p.ice.Aim, p.table.Aimed = path, true
	}
	if due && !p.answer.Open {
		p.timeline.Aimed = v.Target().Zone
	}
}

// slowLine is the line on a slow call.
type slowLine struct {
	of         *report.SlowCall
	words, tip string
}

// take formats the words and the tip of a new call.
func (l *slowLine) take(c *report.SlowCall) {
	if l.of == c {
		return
	}
	l.of = c
	l.words = string(c.AppendText(nil, cutName))
	tip := append([]byte("on "), cutName(c.LaneName)...)
	for i := range min(len(c.Parts), mostTipParts) {
		p := &c.Parts[i]
		tip = append(tip, '\n')
		for range min(p.Level, mostTipParts) {
			tip = append(tip, "   "...)
		}
		tip = p.AppendText(tip, cutName)
	}
	l.tip = string(append(tip, "\nA click shows its frame"...))
}

// mostTipParts limits the parts of a slow call in its tip.
const mostTipParts = 12

// drawSlowCall draws the line of a slow call. Its tip lists its callees with their times.
func (n *noticePart) drawSlowCall(r canvas.Rect, call *report.SlowCall) {
	c, l := &n.canvas, &n.slow
	if r.Height() <= 0 {
		return
	}
	l.take(call)
	box := canvas.Box(r.X0, r.Y0, r.X1, r.Y1-min(5*c.Em, r.Height()/6))
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, draw.Mix(c.Surface, c.Amber, 0.10))
	c.Rect(box.X0, box.Y0+2*c.Em, box.X0+3*c.Em, box.Y1-2*c.Em, c.Amber)
	x := box.X0 + 12*c.Em
	c.Buffer = append(draw.AppendFixed(append(c.Buffer[:0], "slow call "...),
		max(n.scene.Report.Now-call.Ended, 0), 0), " s ago"...)
	x += c.Bytes(x, box.Width(), box, draw.FaceText, c.Buffer, c.TextDim) + 10*c.Em
	c.Left(x, box.X1-x-8*c.Em, box, draw.FaceText, l.words, c.TextBright)
	c.Add(box, hit.OfCommand("slow-call"))
	c.Explain(box, "far longer than this zone's calls", l.tip)
}

// slowSign draws a sign for the slow call at the right, beside a verdict. It returns the rest of the line.
func (n *noticePart) slowSign(r canvas.Rect, call *report.SlowCall) canvas.Rect {
	c := &n.canvas
	n.slow.take(call)
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(n.scene.Report.SlowSeen), 0), " slow call"...)
	if n.scene.Report.SlowSeen > 1 {
		c.Buffer = append(c.Buffer, 's')
	}
	rest := n.sign(r, n.slow.words, n.slow.tip)
	c.Add(canvas.Box(rest.X1, r.Y0, r.X1, r.Y1), hit.OfCommand("slow-call"))
	return rest
}

// showSlowCall goes to the frame in which the shown slow call ended, draws the call to scale, and fits the timeline to
// it. While it is drawn, it returns to the user's place before.
func showSlowCall(s *process.Session, p *Panel) {
	var now report.Report
	p.view.AppendReport(&now)
	call := now.SlowCall()
	p.mu.Lock()
	shown := p.answer.Call(&p.scene)
	p.mu.Unlock()
	switch {
	case shown != nil && shown == call:
		p.endAnswer()
	case call == nil:
		p.Note("no slow call: zones that count their calls have them, such as routes")
	default:
		drawCall(s, p, call)
	}
}

// drawCall draws a slow call.
func drawCall(s *process.Session, p *Panel, call *report.SlowCall) {
	view, live := p.view.Get(), !s.Paused()
	s.Pause()
	if !p.view.ShowFrame(call.Frame) {
		p.Note("its frame is no longer kept")
		return
	}
	p.view.SetAverage(report.AverageInstant)
	p.openAnswer(view, live, 0, call)
	if c, found := listing.ScopeOf(s, call); found {
		p.change(func() {
			p.timeline.GoTo(timelines.Goal{Frame: call.Frame, Lane: c.Lane, Level: c.Level, Zone: c.Zone,
				Begin: c.Begin, End: c.End})
		})
	}
}

// sign draws the words in the buffer as a sign with a tip at the right of a line, and returns the rest of the line.
func (n *noticePart) sign(r canvas.Rect, title, tip string) canvas.Rect {
	c := &n.canvas
	width := c.ASCIIWidth(draw.FaceSmall, c.Buffer) + 16*c.Em
	box := canvas.Box(draw.Snap(r.X1-width), r.Y0, r.X1, r.Y1-5*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, draw.Mix(c.Background, c.Amber, 0.2))
	c.ASCII(box.X0+8*c.Em, c.Baseline(box.Y0, box.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.Amber)
	c.Explain(box, title, tip)
	r.X1 = box.X0 - 6*c.Em
	return r
}
