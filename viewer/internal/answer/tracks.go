package answer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
)

// tracks returns the number of lines below the bars: for the wait, and for the work of other goroutines meanwhile.
func tracks(v *report.Verdict) (n int) {
	for i := range v.Causes {
		switch c := &v.Causes[i]; c.Kind {
		case report.CauseWorker, report.CauseGPU:
			if n++; v.EndedBy(i-1) != c {
				n++
			}
		case report.CauseState:
			if n++; endedByOther(v, i) {
				n++
			}
		case report.CauseAway, report.CauseCollector, report.CauseAllocated, report.CauseProcessor, report.CauseLocks,
			report.CauseNotRunning:
			n++
		}
	}
	return n
}

// endedByOther reports whether the goroutine that ended a wait is known, but not its zone.
func endedByOther(v *report.Verdict, i int) bool {
	c := &v.Causes[i]
	return c.State.Kind == gather.StateWaiting && (c.Lane != "" || c.State.At != "") && v.EndedBy(i) == nil
}

// tracks draws the lines below the bars.
func (g *painter) tracks() {
	g.y += 6 * g.Em
	for i := range g.v.Causes {
		c := &g.v.Causes[i]
		switch c.Kind {
		case report.CauseWorker:
			r := g.drawn.Wait
			if g.v.EndedBy(i-1) != c {
				r = g.waitFor("it waited")
			}
			g.drawConcurrent(c, c.Lane, r)
		case report.CauseGPU:
			g.drawConcurrent(c, "GPU", g.waitFor("the program waited"))
		case report.CauseState:
			if r := g.state(c); endedByOther(g.v, i) {
				g.ender(c, r)
			}
		case report.CauseAway:
			g.drawBusy(c)
		case report.CauseCollector:
			r := g.track("collector", g.timed(c.Time), g.Collection)
			g.say(r, "the garbage collector stopped it", c.Time, c.Usual, g.Collection)
		case report.CauseAllocated:
			g.allocated(c)
		case report.CauseNotRunning:
			r := g.track(g.updaterName(), g.timed(c.Time), draw.Mix(g.Surface, g.Red, 0.6))
			g.Stripes(r, stripe, 0.45)
			g.say(r, "it did not run, a trace would show why", c.Time, c.Usual, g.Red)
		case report.CauseProcessor:
			r := g.track("all goroutines", g.timed(c.Time), g.Amber)
			g.Stripes(r, stripe, 0.5)
			g.drawTogether(r, c, "a processor", g.Amber)
		case report.CauseLocks:
			r := g.track("all goroutines", g.timed(c.Time), g.Red)
			g.Stripes(r, stripe, 0.5)
			g.drawTogether(r, c, "locks", g.Red)
		}
	}
}

// timed returns the ends of a stretch of ms, within the part of the main cause if it fits there.
func (g *painter) timed(ms float64) [2]float32 {
	width := float32(ms) * g.per
	return [2]float32{g.waitsAt.X0, min(g.waitsAt.X0+width, g.x1)}
}

// track draws the next line: a name, and a bar. It returns the bar's place.
func (g *painter) track(name string, at [2]float32, col color.NRGBA) canvas.Rect {
	r := g.line(trackHeight)
	if r.Height() == 0 {
		return canvas.Rect{}
	}
	g.name(r, name, g.TextNormal)
	bar := canvas.Box(draw.Snap(at[0]), r.Y0+3*g.Em, draw.Snap(max(at[1], at[0]+3*g.Em)), r.Y1-3*g.Em)
	g.Rect(bar.X0, bar.Y0, bar.X1, bar.Y1, col)
	if g.drawn.Wait.Height() == 0 {
		g.drawn.Wait = bar
	}
	return bar
}

// say writes a bar's words and times into it, or after it.
func (g *painter) say(bar canvas.Rect, words string, ms, usual float64, col color.NRGBA) {
	if bar.Height() == 0 {
		return
	}
	b := append(append(g.Buffer[:0], words...), "  "...)
	b = appendUsual(appendTime(b, ms), usual, ms)
	g.Buffer = b
	g.write(bar, b, col)
}

// drawTogether writes what all goroutines waited for: how long together, or how many at once.
func (g *painter) drawTogether(bar canvas.Rect, c *report.Cause, what string, col color.NRGBA) {
	if c.Count == 0 {
		g.say(bar, "together they waited for "+what+", about", c.Time, c.Usual, col)
		return
	}
	if bar.Height() == 0 {
		return
	}
	b := report.AppendGoroutines(append(g.Buffer[:0], "about "...), c.Count)
	b = append(append(b, " at once waited for "...), what...)
	if c.Often >= 0.05 {
		b = report.AppendGoroutines(append(b, ", usually "...), c.Often)
	}
	g.Buffer = b
	g.write(bar, b, col)
}

// appendUsual appends a usual time in ms beside the present one, or words for 0. Below 0 means unknown.
func appendUsual(b []byte, ms, now float64) []byte {
	switch {
	case ms < 0:
		return b
	case ms == 0:
		return append(b, ", usually not"...)
	}
	return appendBeside(append(b, ", usually "...), ms, now, decimalsOf(ms))
}

// write writes words into a bar, on a readable background, or where there is room: after it, or before it.
func (g *painter) write(bar canvas.Rect, b []byte, col color.NRGBA) {
	width := g.BytesWidth(draw.FaceSmall, b) + 12*g.Em
	x, room := bar.X0+4*g.Em, bar.Width()-8*g.Em
	switch {
	case width <= room:
	case g.in.X1-bar.X1 > width || g.in.X1-bar.X1 > max(room, bar.X0-g.x0):
		x, room = bar.X1+4*g.Em, g.in.X1-bar.X1-4*g.Em
	case bar.X0-g.x0 > max(room, g.in.X1-bar.X1):
		room = bar.X0 - g.x0 - 4*g.Em
		x = bar.X0 - 4*g.Em - min(width, room)
	}
	wide := min(width, room)
	if x >= bar.X0 && x < bar.X1 {
		g.Round(x, bar.Y0+g.Em, x+wide, bar.Y1-g.Em, 3*g.Em, draw.Mix(g.Surface, col, 0.12))
	}
	g.Bytes(x+6*g.Em, wide-8*g.Em, bar, draw.FaceSmall, b, g.TextBright)
}

// state draws the goroutine's state during the wait, and returns its place.
func (g *painter) state(c *report.Cause) (r canvas.Rect) {
	q := &c.State
	name, words, col := g.updaterName(), "", g.Red
	switch q.Kind {
	case gather.StateRunnable:
		words, col = "it wanted a processor, and had none", g.Amber
	case gather.StateSyscall:
		words, col = "in a system call", g.Accent
	case gather.StateAssist:
		words, col = "it worked for the garbage collector", g.Collection
	case gather.StateStopped:
		name, words = "the runtime", "stopped all goroutines"
	case gather.StateGone:
		name, words = "the machine", "the process was stopped"
		if c.OfMachine() && q.Reason == measure.ReasonThrottled {
			words = "the CPU quota of its container held it, about"
		} else if c.OfMachine() {
			words = "took the processor away, about"
		}
	default:
		words, col = "waited for ", g.Red
	}
	at := g.longest(c)
	if c.OfMachine() { // its time in the frame is unknown
		at = g.atEnd(c.Time)
	}
	faint := draw.Mix(g.Surface, col, 0.75)
	r = g.track(name, at, faint)
	g.drawn.Wait = r
	striped := q.Kind != gather.StateAssist && q.Kind != gather.StateSyscall
	if striped {
		g.Stripes(r, stripe, 0.45)
	}
	if r.Height() == 0 {
		return r
	}
	if !c.OfMachine() {
		g.others(c, r, striped, faint)
	}
	b := append(g.Buffer[:0], words...)
	if q.Kind == gather.StateWaiting {
		b = append(b, cut(q.Reason)...)
	}
	b = appendUsual(appendTime(append(b, "  "...), c.Time), c.Usual, c.Time)
	if q.Place != "" {
		b = append(append(b, "  at "...), cut(q.Place)...)
	}
	g.Buffer = b
	g.write(r, b, col)
	return r
}

// drawBusy draws how long other programs had the processor. The zones that lost that time are not known, so its bar
// stands below the excess of the frame.
func (g *painter) drawBusy(c *report.Cause) {
	r := g.track("the machine", g.atEnd(c.Time), draw.Mix(g.Surface, g.Machine, 0.75))
	g.drawn.Wait = r
	g.Stripes(r, stripe, 0.45)
	words := "gave the processor to other programs"
	if c.AtMost {
		words = "gave the processor to other programs, at most"
	}
	g.say(r, words, c.Time, -1, g.Machine)
}

// atEnd returns the ends of a stretch of ms, within the excess of the frame if it fits there.
func (g *painter) atEnd(ms float64) [2]float32 {
	at := g.timed(ms)
	from := max(min(g.drawn.Ghost.X1, g.drawn.Now.X1-(at[1]-at[0])), g.x0)
	return [2]float32{from, from + at[1] - at[0]}
}

// ender draws the goroutine that ended a wait, and the arrow from there.
func (g *painter) ender(c *report.Cause, wait canvas.Rect) {
	if wait.Height() == 0 {
		return
	}
	name := c.Lane
	if name == "" {
		name = "another goroutine"
	}
	col := g.Green
	r := g.track(name, [2]float32{wait.X0, wait.X1}, draw.Mix(g.Surface, col, 0.55))
	if r.Height() == 0 {
		return
	}
	b := append(g.Buffer[:0], "then it ended the wait"...)
	if report.EndedWord(c.State.Reason) == "released" {
		b = append(g.Buffer[:0], "held it meanwhile, then released it"...)
	}
	if c.State.At != "" {
		b = append(append(b, " at "...), cut(c.State.At)...)
	}
	g.Buffer = b
	g.write(r, b, col)
	g.arrow(r, wait)
}

// waitFor draws the wait for concurrent work, and returns its place.
func (g *painter) waitFor(words string) canvas.Rect {
	waited := float64(g.waitsAt.Width() / max(g.per, 1e-9))
	r := g.track(g.updaterName(), [2]float32{g.waitsAt.X0, g.waitsAt.X1}, draw.Mix(g.Surface, g.Red, 0.6))
	g.drawn.Wait = r
	g.Stripes(r, stripe, 0.45)
	g.say(r, words, waited, -1, g.Red)
	return r
}

// drawConcurrent draws the concurrent work that took longer than usual, with its ghost, and the arrow to the wait.
func (g *painter) drawConcurrent(c *report.Cause, lane string, wait canvas.Rect) {
	zone := g.d.Zone(c.Zone).Name
	col := g.d.ColorOf(g.Canvas, c.Zone, zone, false)
	x1 := max(wait.X1, g.x0+float32(c.Time)*g.per)
	x0 := x1 - float32(c.Time)*g.per
	bar := g.track(lane, [2]float32{x0, x1}, col)
	if bar.Height() == 0 {
		return
	}
	ghost := canvas.Box(bar.X0, bar.Y0, bar.X0+max(float32(c.Usual)*g.per, g.Em), bar.Y1)
	g.Rect(ghost.X0, ghost.Y0, ghost.X1, ghost.Y1, draw.Fade(g.Surface, 0.45))
	g.Border(ghost.X0, ghost.Y0, ghost.X1, ghost.Y1, 0, g.Strong)
	b := append(append(g.Buffer[:0], cut(g.d.Label(c.Zone, zone))...), "  "...)
	b = appendTime(b, c.Time)
	if c.Absent() {
		b = append(b, ", usually not called"...)
	} else {
		b = appendUsual(b, c.Usual, c.Time)
	}
	g.Buffer = b
	g.write(canvas.Box(ghost.X1+2*g.Em, bar.Y0, bar.X1, bar.Y1), b, col)
	g.arrow(bar, wait)
}

// allocated draws the allocations beside the usual, and the collector's work for them. These are no times: the bar has
// a scale of its own below a line, and its number at its end.
func (g *painter) allocated(c *report.Cause) {
	y := g.y + g.Em
	bar := g.track("allocated", [2]float32{g.x0, g.x1}, draw.Mix(g.Surface, g.Collection, 0.75))
	if bar.Height() == 0 {
		return
	}
	g.Dashes(g.in.X0, g.in.X1, y, 2*g.Em, 4*g.Em, g.Outline)
	g.Buffer = draw.AppendBytes(g.Buffer[:0], c.Bytes)
	g.ASCII(bar.X1+7*g.Em, g.Baseline(bar.Y0, bar.Y1, draw.FaceBold), draw.FaceBold, g.Buffer, g.TextBright)
	ghost := canvas.Box(bar.X0, bar.Y0, bar.X0+max(bar.Width()*float32(c.OftenBytes/max(c.Bytes, 1)), 2*g.Em), bar.Y1)
	g.Rect(ghost.X0, ghost.Y0, ghost.X1, ghost.Y1, draw.Fade(g.Surface, 0.45))
	g.Border(ghost.X0, ghost.Y0, ghost.X1, ghost.Y1, 0, g.Strong)
	b := append(draw.AppendBytes(append(g.Buffer[:0], "usually "...), c.OftenBytes), "; "...)
	b = append(draw.AppendCount(b, c.Count), " collection"...)
	if c.Count != 1 {
		b = append(b, 's')
	}
	if c.Time > 0 {
		b = append(appendTime(append(b, " took "...), c.Time), " of goroutines"...)
	}
	g.Buffer = b
	g.write(canvas.Box(ghost.X1+2*g.Em, bar.Y0, bar.X1, bar.Y1), b, g.Collection)
}

// arrow draws an arrow from the end of a scope to the end of the wait for it.
func (g *painter) arrow(scope, wait canvas.Rect) {
	if scope.Height() == 0 || wait.Height() == 0 {
		return
	}
	x := draw.Snap(min(scope.X1, wait.X1) - 4*g.Em)
	g.drawn.Scope = scope
	g.drawn.From = canvas.At(x, (scope.Y0+scope.Y1)/2, true)
	g.drawn.To = canvas.At(x, wait.Y1-1, true)
	g.Round(x-4*g.Em, g.drawn.From.Y-4*g.Em, x+4*g.Em, g.drawn.From.Y+4*g.Em, 4*g.Em, g.TextBright)
	g.Rect(x-g.Em, wait.Y1, x+g.Em, g.drawn.From.Y, g.TextBright)
	g.Triangle(x, wait.Y1-7*g.Em, x-6*g.Em, wait.Y1+2*g.Em, x+6*g.Em, wait.Y1+2*g.Em, g.TextBright)
}

// cut limits the bytes of a hostile text.
func cut(s string) string { return s[:min(len(s), 60)] }
