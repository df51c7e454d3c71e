package viewer

import (
	"image/color"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/strip"
)

// A sign is a mark on the screen with its meaning.
type sign struct {
	words   string // at most 46 characters, so that a small screen has room for two columns
	visible func() bool
	draw    func(c *canvas.Canvas, r canvas.Rect)
}

// signWidth is the width of a sign in the legend, in nominal pixels.
const signWidth = 26

// signPart is a part of the screen with its signs.
type signPart struct {
	name  string
	area  canvas.Rect // empty: not on the screen
	signs []sign
}

// signs returns all parts, from top to bottom.
func (p *Panel) signs(at regions) []signPart {
	none := canvas.Rect{}
	only := func(on bool, r canvas.Rect) canvas.Rect {
		if on {
			return r
		}
		return none
	}
	timeline := p.answer.showsTimeline()
	return []signPart{
		{"the frame shown", at.header, p.header.signs()},
		{"why it was slow", only(p.scene.Report.Verdict.Found(), at.verdict), p.notices.signs()},
		{"the whole run", p.strip.Ribbon.Plot, p.strip.ribbonSigns()},
		{"the history", p.strip.Plot, p.strip.signs()},
		{"memory", only(p.options.Strip == StripMemory, at.second), memorySigns()},
		{"the call structure", only(!timeline, at.icicle), p.ice.signs()},
		{"the timeline", only(timeline, p.timeline.Card), p.timeline.signs()},
		{"the table", only(!p.listed.Open, at.table), p.table.signs()},
	}
}

// ink is a colour of the theme.
type ink = func(c *canvas.Canvas) color.NRGBA

func accentInk(c *canvas.Canvas) color.NRGBA     { return c.Accent }
func greenInk(c *canvas.Canvas) color.NRGBA      { return c.Green }
func amberInk(c *canvas.Canvas) color.NRGBA      { return c.Amber }
func redInk(c *canvas.Canvas) color.NRGBA        { return c.Red }
func strongInk(c *canvas.Canvas) color.NRGBA     { return c.Strong }
func collectionInk(c *canvas.Canvas) color.NRGBA { return c.Collection }
func idleInk(c *canvas.Canvas) color.NRGBA       { return c.Idle }

// faded returns a colour blended with the background.
func faded(of ink, share float32) ink {
	return func(c *canvas.Canvas) color.NRGBA { return draw.Mix(of(c), c.Surface, 1-share) }
}

// solid draws one colour.
func solid(of ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) { c.Fill(r.X0, r.Y0, r.X1, r.Y1, of(c)) }
}

// inks draws colours side by side.
func inks(of ...ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) {
		wide := r.Width() / float32(len(of))
		for i := range of {
			x := r.X0 + float32(i)*wide
			c.Fill(draw.Snap(x), r.Y0, draw.Snap(x+wide)-c.Em, r.Y1, of[i](c))
		}
	}
}

// bar draws a line of a height in nominal pixels.
func bar(of ink, height float32) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) {
		y := (r.Y0 + r.Y1 - height*c.Em) / 2
		c.Fill(r.X0, draw.Snap(y), r.X1, draw.Snap(y+height*c.Em), of(c))
	}
}

// verticalLine draws an upright line.
func verticalLine(of ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) { c.Fill(r.X0+11*c.Em, r.Y0, r.X0+14*c.Em, r.Y1, of(c)) }
}

// dashes draws dashed lines, one below the other.
func dashes(of ...ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) {
		for i := range of {
			y := r.Y0 + r.Height()*float32(i+1)/float32(len(of)+1)
			c.Dashes(r.X0, r.X1, draw.Snap(y), 6*c.Em, 4*c.Em, of[i](c))
		}
	}
}

// frameOf draws a border.
func frameOf(of ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) {
		c.Border(r.X0, r.Y0, r.X1, r.Y1, 2*c.Em, of(c))
		c.Border(r.X0+c.Em, r.Y0+c.Em, r.X1-c.Em, r.Y1-c.Em, 2*c.Em, of(c))
	}
}

// capped draws a column with a cap.
func capped(of ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) {
		c.Fill(r.X0+8*c.Em, r.Y0, r.X1-8*c.Em, r.Y1, draw.Mix(c.Grey, c.Surface, 0.35))
		c.Fill(r.X0+8*c.Em, r.Y0, r.X1-8*c.Em, r.Y0+max(1, 2*c.Em), of(c))
	}
}

// word draws a text.
func word(s string, of ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) { c.Left(r.X0, r.Width()+4*c.Em, r, draw.FaceSmall, s, of(c)) }
}

// pointer draws a triangle that points down.
func pointer(of ink) func(*canvas.Canvas, canvas.Rect) {
	return func(c *canvas.Canvas, r canvas.Rect) {
		x, y := (r.X0+r.X1)/2, r.Y0+3*c.Em
		c.Triangle(x-4*c.Em, y, x+4*c.Em, y, x, y+6*c.Em, of(c))
	}
}

// drawWaitBar draws a bar that waits.
func drawWaitBar(c *canvas.Canvas, r canvas.Rect) {
	c.Round(r.X0, r.Y0, r.X1, r.Y1, 3*c.Em, c.Idle)
	c.Hatch(r, r.X0, r.X1)
}

// shades draws a bar of self time within time with callees.
func shades(c *canvas.Canvas, r canvas.Rect) {
	bar(faded(greenInk, 0.42), 7)(c, r)
	r.X1 -= r.Width() / 2
	bar(greenInk, 7)(c, r)
}

// striped draws the stripes of a state without a processor.
func striped(c *canvas.Canvas, r canvas.Rect) {
	r.Y0, r.Y1 = r.Y0+4*c.Em, r.Y1-3*c.Em
	c.Fill(r.X0, r.Y0, r.X1, r.Y1, c.Amber)
	c.Stripes(r, 4, 0.65)
}

// compared draws a scope with its usual length.
func compared(c *canvas.Canvas, r canvas.Rect) {
	c.Border(r.X0, r.Y0, r.X1, r.Y1, 2*c.Em, c.Strong)
	x := (r.X0 + r.X1) / 2
	c.Fill(r.X0, r.Y1-3*c.Em, x, r.Y1, c.Strong)
	c.Fill(x, r.Y1-3*c.Em, r.X1, r.Y1, c.Red)
}

// always is for signs that are always in their part.
func always() bool { return true }

func (h *headerPart) signs() []sign {
	return []sign{
		{"green: on time, amber: late, red: twice the budget", always, inks(greenInk, amberInk, redInk)},
		{"the mean of several frames", func() bool { return h.scene.Info.Averaged() }, word("ø", strongInk)},
	}
}

func (n *noticePart) signs() []sign {
	return []sign{
		{"over budget: what made it longer than usual", func() bool { return n.scene.Report.Verdict.Over },
			verticalLine(redInk)},
		{"within budget, but longer than usual", func() bool { return !n.scene.Report.Verdict.Over },
			verticalLine(amberInk)},
	}
}

func (h *historyPart) ribbonSigns() []sign {
	return []sign{
		{"the part that the history below shows", always, frameOf(accentInk)},
		{"late frames, in the colour of their cause",
			func() bool { return h.Signs(&h.scene).Causes }, inks(accentInk, amberInk, collectionInk)},
		{"late frames", func() bool { return h.Signs(&h.scene).Late }, solid(redInk)},
		{"columns above this line are late", always, dashes(faded(greenInk, 0.5))},
	}
}

func (h *historyPart) signs() []sign {
	return []sign{
		{"own times of zones, named at the right", func() bool { return h.Signs(&h.scene).Columns },
			inks(accentInk, greenInk, collectionInk)},
		{"other zones", func() bool { return h.Signs(&h.scene).Columns && h.Rest > 0.01 },
			solid(func(c *canvas.Canvas) color.NRGBA { return draw.Mix(c.Grey, c.Surface, 0.35) })},
		{"blocked: it waited for a lock or a worker", func() bool { return h.Signs(&h.scene).Blocked },
			solid(faded(amberInk, 0.55))},
		{"waiting, such as for the display", func() bool { return h.Signs(&h.scene).Waiting },
			solid(func(c *canvas.Canvas) color.NRGBA { return draw.Mix(c.TextFaint, c.Surface, 0.87) })},
		{"over budget", func() bool { return h.Signs(&h.scene).Over }, capped(redInk)},
		{"late because it waited", func() bool { return h.Signs(&h.scene).LateWait }, capped(amberInk)},
		{"lengths at 60 and 30 fps, and the budget", func() bool { return h.Signs(&h.scene).Limits },
			dashes(amberInk, greenInk)},
		{"longer than the scale; its length is beside it", func() bool { return h.Signs(&h.scene).Cut },
			func(c *canvas.Canvas, r canvas.Rect) {
				capped(redInk)(c, r)
				c.Segment(r.X0+5*c.Em, r.Y1-4*c.Em, r.X1-5*c.Em, r.Y1-8*c.Em, 2*c.Em, 0.5, c.Surface)
			}},
		{"the garbage collector worked",
			func() bool { return h.Signs(&h.scene).Collected }, bar(collectionInk, 5)},
		{"the garbage collector stopped the program",
			func() bool { return h.Signs(&h.scene).Stopped }, bar(redInk, 5)},
		{"a mark of the program", func() bool { return h.Signs(&h.scene).Marks },
			func(c *canvas.Canvas, r canvas.Rect) { c.Pennant(r.X0+8*c.Em, r.Y0, r.Y1) }},
		{"a comment of yours", func() bool { return h.Signs(&h.scene).Comments },
			func(c *canvas.Canvas, r canvas.Rect) { strip.Flag(c, r.X0+8*c.Em, r.Y0, r.Y1) }},
		{"a section of the program", func() bool { return h.Signs(&h.scene).Sections },
			bar(faded(accentInk, 0.3), 12)},
		{"the baseline: rows are compared with it", func() bool { return h.Signs(&h.scene).Baseline },
			func(c *canvas.Canvas, r canvas.Rect) { c.Chip(r.X0+4*c.Em, r, "B", c.Accent, canvas.OnColor) }},
		{"the time of the baseline's frames, and how far it varies",
			func() bool { return h.Signs(&h.scene).Baseline }, solid(faded(accentInk, 0.4))},
		{"late frames of the cause that is selected",
			func() bool { return h.Signs(&h.scene).Selected }, pointer(amberInk)},
		{"frames of the list", func() bool { return h.Signs(&h.scene).Listed }, pointer(accentInk)},
		{"how long all other goroutines were busy",
			func() bool { return h.Signs(&h.scene).Others }, solid(faded(accentInk, 0.65))},
		{"the frame shown", func() bool { return h.Signs(&h.scene).Shown },
			func(c *canvas.Canvas, r canvas.Rect) {
				c.Icon(draw.IconUp, draw.Snap((r.X0+r.X1-c.IconSize())/2), r.Y0+c.Em, c.Strong)
			}},
	}
}

func memorySigns() []sign {
	return []sign{
		{"bytes allocated in the frame", always, solid(faded(accentInk, 0.65))},
		{"live heap", always, bar(amberInk, 1.5)},
		{"a garbage collection", always, func(c *canvas.Canvas, r canvas.Rect) {
			c.Fill(r.X0+8*c.Em, r.Y0, r.X0+9*c.Em, r.Y1, c.Collection)
			c.Fill(r.X0+8*c.Em, r.Y0, r.X0+14*c.Em, r.Y0+4*c.Em, c.Collection)
		}},
	}
}

// idles reports whether a zone in the tree waits.
func (s *shared) idles() bool {
	return slices.ContainsFunc(s.scene.Tree, func(n report.TreeNode) bool { return n.Idle && n.Hier > 0 })
}

func (s *structurePart) signs() []sign {
	return []sign{
		{"a zone, as wide as its time, below its caller", always, solid(greenInk)},
		{"it waits", s.idles, drawWaitBar},
		{"the zone that made the frame slow", func() bool { return s.Blamed >= 0 },
			func(c *canvas.Canvas, r canvas.Rect) { frameOf(redInk)(c, r) }},
		{"zones too short to be drawn", func() bool { return s.Smeared }, bar(faded(idleInk, 0.8), 5)},
	}
}

// hasState returns a test whether the line below the scopes of a lane has a state.
func (t *timelinePart) hasState(k gather.StateKind) func() bool {
	return func() bool { return t.Signs().States[k] }
}

func (t *timelinePart) signs() []sign {
	return []sign{
		{"a call of a zone, as long as it took", always, solid(greenInk)},
		{"it waits", t.idles, drawWaitBar},
		{"the goroutine ran", t.hasState(gather.StateRunning), bar(greenInk, 5)},
		{"it had no processor", t.hasState(gather.StateRunnable), striped},
		{"it was in a system call, or in C", t.hasState(gather.StateSyscall), bar(accentInk, 5)},
		{"it waited", t.hasState(gather.StateWaiting), bar(idleInk, 5)},
		{"it worked for the garbage collector", t.hasState(gather.StateAssist), bar(collectionInk, 5)},
		{"it was stopped", t.hasState(gather.StateStopped), bar(redInk, 5)},
		{"the garbage collector marked", func() bool { return t.Signs().Marking },
			solid(faded(collectionInk, 0.2))},
		{"all goroutines were stopped", func() bool { return t.Signs().Stopped },
			solid(faded(redInk, 0.35))},
		{"what ended a wait", func() bool { return t.Signs().Arrow },
			func(c *canvas.Canvas, r canvas.Rect) {
				c.Icon(draw.IconUp, draw.Snap((r.X0+r.X1-c.IconSize())/2), r.Y0+c.Em, c.TextBright)
			}},
		{"white: its usual length, red: what is more", func() bool { return t.Signs().Compared },
			compared},
		{"a mark of the program", func() bool { return len(t.scene.Marks) > 0 },
			func(c *canvas.Canvas, r canvas.Rect) { c.Pennant(r.X0+8*c.Em, r.Y0, r.Y1) }},
	}
}

// anyRow returns a test whether a row of the report has a sign.
func (s *shared) anyRow(has func(r *report.Record) bool) func() bool {
	return func() bool {
		for i := range s.scene.Report.Records {
			if has(&s.scene.Report.Records[i]) {
				return true
			}
		}
		return false
	}
}

func (t *tablePart) signs() []sign {
	return []sign{
		{"its own time, within that with callees", always, shades},
		{"above the budget of the frame, or of the zone", func() bool {
			budget := t.scene.Info.Budget.Seconds() * 1000
			return t.anyRow(func(r *report.Record) bool {
				return r.OverBudget() || budget > 0 && r.Values[report.ColumnMax] > budget
			})()
		}, word("12.3", redInk)},
		{"a number that changes fast", func() bool {
			return !t.Cool && t.anyRow(func(r *report.Record) bool { return r.Heat > 0.1 })()
		}, word("12.3", amberInk)},
		{"measuring costs much of the zone's time", t.anyRow(func(r *report.Record) bool { return r.Costly }),
			word("!", amberInk)},
		{"its time is estimated", t.anyRow(func(r *report.Record) bool { return r.Estimated.Sign() != "" }),
			word("~", strongInk)},
		{"begun in an earlier frame", t.anyRow(func(r *report.Record) bool { return r.Open }), word("open", amberInk)},
		{"it waits", t.anyRow(func(r *report.Record) bool { return r.Idle }),
			word("idle", func(c *canvas.Canvas) color.NRGBA { return c.TextFaint })},
		{"the mean of several frames", func() bool { return t.scene.Info.Averaged() }, word("ø", strongInk)},
		{"shorter, longer than the baseline", func() bool { return t.scene.Report.Baseline.Pinned },
			inks(greenInk, amberInk)},
	}
}

// collectSigns lists the visible signs below the names of their parts, and outlines the parts.
func (h *helpPart) collectSigns(parts []signPart) []helpLine {
	h.lines = h.lines[:0]
	for _, part := range parts {
		r := part.area
		if r.Width() <= 0 || r.Height() <= 0 || h.scene.Info.Frames == 0 {
			continue
		}
		h.heading(part.name)
		for i := range part.signs {
			if part.signs[i].visible() {
				h.lines = append(h.lines, helpLine{sign: &part.signs[i]})
			}
		}
		h.outline(r, part.name)
	}
	return h.lines
}

// outline draws a border around a part of the screen, and its name.
func (h *helpPart) outline(r canvas.Rect, name string) {
	c := &h.canvas
	c.Border(r.X0, r.Y0, r.X1, r.Y1, 5*c.Em, c.Accent)
	x := r.X1 - c.Width(draw.FaceSmall, name) - 20*c.Em
	tab := canvas.Box(x, r.Y0-7*c.Em, r.X1, r.Y0+9*c.Em)
	if tab.Y0 < 0 { // the name of the part below is at the right
		x = (r.X0 + x) / 2
		tab = canvas.Box(x, r.Y1-17*c.Em, r.X1, r.Y1-c.Em)
	}
	c.Chip(x, tab, name, c.Accent, canvas.OnColor)
}

// drawSigns draws the legend of the signs in a box that leaves the upper parts of the screen free, and the names of the
// parts at their places.
func (h *helpPart) drawSigns(screen canvas.Rect, at regions, parts []signPart) {
	c := &h.canvas
	lines := h.collectSigns(parts)
	line := 18 * c.Em
	widest := 200 * c.Em
	for i := range lines {
		if s := lines[i].sign; s != nil {
			widest = max(widest, c.Width(draw.FaceSmall, s.words)+(signWidth+30)*c.Em)
		}
	}
	room := screen.Width() - 60*c.Em
	fit := max(int((screen.Height()-60*c.Em)/line), 1)
	columns := max(min(int(room/widest), (len(lines)+5)/6), 1)
	s := sheetOf(len(lines), fit, columns, min(widest, room/float32(columns)), line)
	width, height := float32(columns)*s.column+40*c.Em, float32(s.rows)*line+50*c.Em
	x, y := draw.Snap((screen.Width()-width)/2), draw.Snap(screen.Y1-height-6*c.Em)
	if at.header.Height() <= 0 { // the history is at the bottom
		y = draw.Snap(max(at.verdict.Y0-height, 0))
	}
	box := canvas.Box(x, y, x+draw.Snap(width), y+draw.Snap(height))
	c.Float(box)
	head := canvas.Box(x, y+5*c.Em, box.X1, y+33*c.Em)
	c.Left(x+22*c.Em, width, head, draw.FaceBold, "What is on the screen", c.TextBright)
	c.Right(box.X1-20*c.Em, head, draw.FaceSmall, h.helpKey()+" goes on to all keys, Esc closes", c.TextFaint)
	s.each(lines, 0, func(l *helpLine, column, row int) {
		l.draw(c, s.place(x+22*c.Em, y+38*c.Em, column, row))
	})
	h.pages = max(h.pages, signsPage+1)
}
