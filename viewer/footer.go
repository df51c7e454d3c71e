package viewer

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// FocusAction is the Action of the command that gives the focus to the panel or back to the host. The footer of a panel
// without the focus names its key.
const FocusAction = "keys to overlay or program"

// helpAction is the Action of the help.
const helpAction = "help"

// drawFooter draws the keys that fit, the most important first, and the overhead. The help, which lists the other keys,
// always has room and comes last. A panel without the focus first shows the key that gives it the focus.
func drawFooter(p *Panel, r canvas.Rect) {
	c, d, limit := &p.canvas, &p.scene, r.X1
	if d.Info.Frames > 0 {
		c.Explain(canvas.Box(r.X1-150*c.Em, r.Y0, r.X1, r.Y1), "profiler overhead",
			"what measuring the zones cost in the frame shown,\nin milliseconds")
		c.Buffer = append(c.Buffer[:0], "profiler overhead "...)
		c.Buffer = draw.AppendTime(c.Buffer, d.Info.Overhead*d.Info.Length, 2)
		y := c.Baseline(r.Y0, r.Y1, draw.FaceSmall)
		limit -= c.ASCIIRight(r.X1-4*c.Em, y, draw.FaceSmall, c.Buffer, c.TextFaint) + 16*c.Em
		limit -= drawTrace(c, d, canvas.Box(r.X0, r.Y0, limit, r.Y1))
	}
	x := r.X0 + 8*c.Em
	if focus := p.focusKey(); focus != "" {
		x += c.Chip(x, r, focus, c.Tab, c.TextBright) + 8*c.Em
		x += c.Left(x, limit-x, r, draw.FaceSmall, "gives these keys to the display", c.Accent) + 18*c.Em
	}
	if over := keysOver(p); over != nil {
		for i := range over {
			if k := &over[i]; x+k.width(c, k.Action) <= limit {
				x = k.draw(c, x, r, k.Action)
			}
		}
		return
	}
	var first [len(firstCommands)]*KeyHint
	for i := range p.keys {
		if k := &p.keys[i]; k.rank > 0 {
			first[k.rank-1] = k
		}
	}
	help := first[0]
	if help != nil {
		limit -= help.width(c, help.Action)
	}
	shown := 1
	for i, k := range first[1:] {
		words := footerWords(p, firstCommands[1+i])
		if k != nil && words != "" && shown < mostFooterKeys && x+k.width(c, words) <= limit {
			x, shown = k.draw(c, x, r, words), shown+1
		}
	}
	if help != nil {
		help.draw(c, x, r, help.Action)
	}
}

// The keys of a menu, of a search by name and of a list, which replace the usual ones in the footer.
var (
	menuKeys = []KeyHint{{Keys: "↑↓", Action: "line"}, {Keys: "Enter", Action: "choose it"},
		{Keys: "Esc", Action: "close the menu"}}
	searchKeys = []KeyHint{{Keys: "Enter", Action: "keep what is found"}, {Keys: "↑↓", Action: "row"},
		{Keys: "Backspace", Action: "take a letter away"}, {Keys: "Esc", Action: "all rows"}}
	listKeys = []KeyHint{{Keys: "↑↓", Action: "row"}, {Keys: "Enter", Action: "go there"},
		{Keys: "Esc", Action: "close the list"}}
)

// keysOver returns the keys of the menu, search or list that is open, or nil. A host without keys has none.
func keysOver(p *Panel) []KeyHint {
	switch {
	case len(p.keys) == 0:
		return nil
	case p.overlay.menu != menuNone:
		return menuKeys
	case p.typing:
		return searchKeys
	case p.listed.Open:
		return listKeys
	}
	return nil
}

// mostFooterKeys is the greatest number of keys in the footer.
const mostFooterKeys = 10

// footerWords returns the words of the footer for one of firstCommands, or "" if it has no effect here and now.
func footerWords(p *Panel, command string) string {
	d := &p.scene
	if d.Info.Frames == 0 && command != "menu" {
		return ""
	}
	switch answer := p.answer.Open; command {
	case "why":
		if answer {
			return "back"
		} else if d.Report.Verdict.Found() {
			return "why is it slow"
		}
	case "slowest":
		if !answer && d.Info.Judges() {
			return "slowest frame"
		}
	case "timeline":
		if p.options.Timeline != TimelineHidden {
			return "call structure"
		}
		return "timeline"
	case "older":
		if d.Info.Frames > 1 {
			return d.Info.Kind.Frame()
		}
	case "pause":
		if answer && len(d.Report.Verdict.Causes) > 1 {
			return "next cause"
		}
		return pauseWords(p)
	case "select":
		if d.Report.Len() > 0 {
			return "open zone"
		}
	case "card":
		switch {
		case p.card.Open:
			return "close the card"
		case d.Report.Len() > 0:
			return "card"
		}
	case "previous-over":
		if slices.ContainsFunc(d.Past.Columns, func(f report.PastColumn) bool { return f.Over }) {
			return "over budget"
		}
	case "menu":
		return "menu"
	case "find":
		return "find"
	case "up":
		return "row"
	}
	return ""
}

// pauseWords returns the words of the key that pauses, or "" if it would change nothing.
func pauseWords(p *Panel) string {
	switch i := &p.scene.Info; {
	case p.options.Finished && i.Age == 0 && !i.Kept && !p.scene.View.Through():
		return ""
	case p.options.Finished && i.Kind.HasFrames():
		return "newest frame"
	case p.options.Finished:
		return "newest interval"
	case i.Paused:
		return "go on"
	}
	return "pause"
}

// draw draws a key with its words at x, and returns the x after it.
func (k *KeyHint) draw(c *canvas.Canvas, x float32, r canvas.Rect, words string) float32 {
	c.Explain(canvas.Box(x, r.Y0, x+k.width(c, words)-10*c.Em, r.Y1), k.Keys, k.words())
	x += c.Chip(x, r, k.Keys, c.Raised, c.TextNormal) + 8*c.Em
	return x + c.Left(x, k.width(c, words), r, draw.FaceSmall, words, c.TextDim) + 18*c.Em
}

// width returns the width of a key with its words in the footer.
func (k *KeyHint) width(c *canvas.Canvas, words string) float32 {
	return c.Width(draw.FaceSmall, k.Keys) + c.Width(draw.FaceSmall, words) + 38*c.Em
}

// drawTrace draws the cost of the program's execution trace at the right of r, and returns its width.
func drawTrace(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) float32 {
	t := &d.Trace
	if !t.On || r.Width() < 240*c.Em {
		return 0
	}
	c.Buffer = append(c.Buffer[:0], "trace "...)
	if t.Measured {
		c.Buffer = append(draw.AppendFixed(c.Buffer, 100*t.Share(), 1), " %"...)
	} else {
		c.Buffer = append(c.Buffer, "on"...)
	}
	col := c.TextFaint
	if t.Share() > costlyTrace {
		col = c.Amber
	}
	width := c.ASCIIRight(r.X1, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, col)
	at := canvas.Box(r.X1-width, r.Y0, r.X1, r.Y1)
	c.Add(at, hit.OfCommand("trace"))
	if c.Tip.Accepts(c.Hovers(at)) {
		c.Explain(at, "execution trace",
			"what tracing why goroutines do not run takes of a\n"+
				"processor, as measured in this program.\nA click stops it")
		c.Tip.Number = appendTraceParts(c.Tip.Number, t)
	}
	return width + 16*c.Em
}

// appendTraceParts appends the parts of the cost.
func appendTraceParts(b []byte, t *report.Tracing) []byte {
	if !t.Measured {
		return append(b, "to be measured in a second"...)
	}
	b = append(draw.AppendFixed(b, t.Events, 0), " events a second, "...)
	b = append(draw.AppendFixed(b, t.PerEvent, 0), " ns each; reading them "...)
	return append(draw.AppendFixed(b, 100*t.Reading, 1), " %"...)
}

// costlyTrace is the least share of a processor at which the cost of tracing is amber.
const costlyTrace = 0.05
