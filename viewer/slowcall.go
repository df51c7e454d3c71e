package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

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
		max(n.shown.Report.Now-call.Ended, 0), 0), " s ago"...)
	x += c.Bytes(x, box.Width(), box, draw.FaceText, c.Buffer, c.TextDim) + 10*c.Em
	c.Left(x, box.X1-x-8*c.Em, box, draw.FaceText, l.words, c.TextBright)
	c.Add(box, hit.OfCommand("slow-call"))
	c.Explain(box, "far longer than this zone's calls", l.tip)
}

// slowSign draws a sign for the slow call at the right, beside a verdict. It returns the rest of the line.
func (n *noticePart) slowSign(r canvas.Rect, call *report.SlowCall) canvas.Rect {
	c := &n.canvas
	n.slow.take(call)
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(n.shown.Report.SlowSeen), 0), " slow call"...)
	if n.shown.Report.SlowSeen > 1 {
		c.Buffer = append(c.Buffer, 's')
	}
	rest := n.sign(r, n.slow.words, n.slow.tip)
	c.Add(canvas.Box(rest.X1, r.Y0, r.X1, r.Y1), hit.OfCommand("slow-call"))
	return rest
}

// showSlowCall goes to the frame in which the shown slow call ended.
func showSlowCall(s *process.Session, p *Panel) {
	p.mu.Lock()
	call := p.shown.Report.SlowCall()
	p.mu.Unlock()
	if call == nil {
		p.Note("no slow call: zones that count their calls have them, such as routes")
		return
	}
	s.Pause()
	if !s.ShowFrame(call.Frame) {
		p.Note("its frame is no longer kept")
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
