package html

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// The places of the history, in units of the picture.
const (
	plotLeft   = 44
	plotTop    = 20
	plotHeight = 190
	plotBottom = plotTop + plotHeight
	plotWide   = wide - plotLeft
	mostBars   = plotWide // a column is at least a unit wide
)

// historyPicture is the drawing of the history: a column for each frame, or for each few, stacked by zone.
type historyPicture struct {
	*picture
	p       *page
	columns []column
	top     float64 // ms at the upper end
	step    float64 // ms between two lines of the scale
	marks   map[uint64][]report.FrameMark
}

// column is one column: frames of the history, and the slowest of them.
type column struct {
	from, to, at int
	x0, x1       float32
}

// history writes the history of frames.
func (p *page) history() {
	if len(p.d.History) == 0 {
		return
	}
	h := historyPicture{picture: newPicture(wide, plotBottom+32), p: p, columns: columnsOf(p.worked),
		marks: make(map[uint64][]report.FrameMark)}
	for _, m := range p.d.Marks[max(0, len(p.d.Marks)-mostMarks):] {
		h.marks[m.Frame] = append(h.marks[m.Frame], m)
	}
	h.measure()
	h.scale()
	h.layers()
	h.limits()
	h.bands()
	h.below()
	h.frames()
	frame := markup(p.d.Kind.Frame())
	each := "busy time of each " + frame
	p.put(`<section id="history" aria-label="history of `, frame, `s"><h2>History: `, each, `</h2>`)
	p.put(markup(h.svg("plot", each+", by zone; the newest is on the right")))
	p.legend()
	p.put("</section>\n")
}

// mostMarks is the number of marks on a page: the newest.
const mostMarks = 500

// columnsOf divides the history into columns, by the work in each frame.
func columnsOf(worked []float64) []column {
	n := min(len(worked), mostBars)
	list := make([]column, n)
	for i := range list {
		c := column{from: i * len(worked) / n, to: (i + 1) * len(worked) / n}
		c.x0, c.x1 = plotLeft+float32(i*plotWide)/float32(n), plotLeft+float32((i+1)*plotWide)/float32(n)
		c.at = c.from
		for k := c.from; k < c.to; k++ {
			if worked[k] > worked[c.at] {
				c.at = k
			}
		}
		list[i] = c
	}
	return list
}

// measure chooses the scale.
func (h *historyPicture) measure() {
	most := max(0.001, h.p.budget*1.15)
	for _, v := range h.p.worked {
		if v > most && !math.IsInf(v, 0) {
			most = v
		}
	}
	most *= 1.08
	per := perUnit(most)
	h.step = niceStep(most/per/4) * per
	h.top = math.Ceil(most/h.step) * h.step
}

// perUnit returns the ms of the unit in which a time of this size is written.
func perUnit(ms float64) float64 {
	if v, _, _ := draw.TimeInUnit(ms, 2); v > 0 {
		return ms / v
	}
	return 1
}

// niceStep returns the round number that is at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range [...]float64{1, 2, 5} {
		if n*power >= v {
			return n * power
		}
	}
	return 10 * power
}

// y returns the place of a time.
func (h *historyPicture) y(ms float64) float32 {
	return float32(plotBottom - plotHeight*min(max(ms/h.top, 0), 1))
}

// scale draws the lines of the scale. Of milliseconds only the lowest number has the unit.
func (h *historyPicture) scale() {
	_, unit, _ := draw.TimeInUnit(h.top, 2)
	for i := 0; float64(i)*h.step <= h.top*1.0001; i++ {
		v := float64(i) * h.step
		y := h.y(v)
		h.Rect(plotLeft, y, wide, y+1, h.GridLine)
		text := string(decimal(v / perUnit(h.top)))
		if i == 0 && unit == draw.Milliseconds {
			text += " " + unit
		} else if unit != draw.Milliseconds {
			text += unit
		}
		h.right(plotLeft-6, y+4, text, h.TextDim)
	}
}

// decimal writes a round number.
func decimal(v float64) markup { return markup(draw.AppendFixed(nil, v, max(0, decimalsOf(v)))) }

// decimalsOf returns the decimals of a round number.
func decimalsOf(v float64) int {
	for n := range 6 {
		if scaled := v * math.Pow10(n); math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return n
		}
	}
	return 0
}

// layers draws the time of each zone, the others on top.
func (h *historyPicture) layers() {
	base := make([]float64, len(h.columns))
	busy := h.p.busySeries()
	for _, s := range busy {
		usual, below := zonecolor.Mean(s.Values), slices.Clone(base)
		value := func(i int) float64 { return h.p.valueAt(s, h.columns[i].at) }
		h.layer(base, h.p.color(s.Zone), value)
		h.layer(below, h.p.own(s.Zone), func(i int) float64 { // over the calm ones
			if v := value(i); zonecolor.Over(float32(v), usual, float32(h.top)) {
				return v
			}
			return 0
		})
	}
	rest, over := h.Grey, h.Grey
	if len(busy) == 0 {
		rest, over = h.Accent, h.Red
	}
	for _, late := range [...]bool{false, true} {
		c := rest
		if late {
			c = over
		}
		h.layer(base, c, func(i int) float64 {
			if at := h.columns[i].at; h.p.d.History[at].Over == late {
				return h.p.worked[at]
			}
			return 0
		})
	}
}

// layer draws one layer, at most up to the work of each column, and raises base by it. Neighbours of one height
// are one rectangle.
func (h *historyPicture) layer(base []float64, c color.NRGBA, value func(i int) float64) {
	var x0, x1, low, high float32
	flush := func() {
		if low > high {
			h.Rect(x0, high, x1, low, c)
		}
	}
	for i := range h.columns {
		column := &h.columns[i]
		below := draw.Snap(h.y(base[i]))
		if room := h.p.worked[column.at] - base[i]; room > 0 {
			base[i] += min(max(value(i), 0), room)
		}
		above := draw.Snap(h.y(base[i]))
		if below != low || above != high {
			flush()
			x0, low, high = column.x0, below, above
		}
		x1 = column.x1
	}
	flush()
}

// limits draws the frame budget and its double, where 60 frames a second have become 30.
func (h *historyPicture) limits() {
	budget := h.p.budget
	for i, ms := range [...]float64{budget, 2 * budget} {
		if !(ms > 0 && ms <= h.top) {
			continue
		}
		c := h.Green
		if i > 0 {
			c = h.Red
		}
		y := h.y(ms)
		h.Dashes(plotLeft, wide, y, 5, 4, c)
		if apart := h.y(budget)-h.y(2*budget) >= 16; apart || i == 0 {
			h.left(plotLeft+8, y-4, wide, string(fitted(ms))+" · "+string(draw.AppendFixed(nil, 1000/ms, 0))+" fps", c)
		}
	}
}

// bands writes the names of sections above their frames.
func (h *historyPicture) bands() {
	history := h.p.d.History
	for i := range h.p.d.Sections {
		s := &h.p.d.Sections[i]
		first := slices.IndexFunc(h.columns, func(c column) bool { return history[c.to-1].Index >= s.From })
		last := len(h.columns) - 1
		for last >= 0 && history[h.columns[last].from].Index > s.To {
			last--
		}
		if first < 0 || last < first {
			continue
		}
		x0, x1 := h.columns[first].x0, h.columns[last].x1
		h.item("", "section "+esc(shortName(s.Name))+": "+counted(s.Frames, "frame")+", average "+timeOf(s.Mean)+
			", p99 "+
			timeOf(s.P99)+", worst "+timeOf(s.Worst))
		h.Rect(x0, 1, x1, 17, h.Raised)
		h.Rect(x0, 1, x0+1, 17, h.TextNormal)
		h.left(x0+5, 13, x1-x0-8, nameOr(s.Name), h.TextNormal)
	}
	h.plain()
}

// below draws the marks below the columns: the frames shown one by one, collections, the frame of the verdict, and how
// many frames ago.
func (h *historyPicture) below() {
	n := len(h.p.d.History)
	for _, c := range h.columns {
		shown, why, cycles := false, false, false
		for i := c.from; i < c.to; i++ {
			f := &h.p.d.History[i]
			shown = shown || !h.p.o.Live && h.p.frameLink(f.Index) != ""
			why = why || h.p.d.Verdict.Found() && f.Index == h.p.d.Verdict.Index
			cycles = cycles || f.Cycles > 0
		}
		x1 := max(c.x1, c.x0+2)
		if shown {
			h.Rect(c.x0, plotBottom+3, x1, plotBottom+6, h.Accent)
		}
		if cycles {
			h.Rect(c.x0, plotBottom+1, x1, plotBottom+8, h.Collection)
		}
		if why {
			x := (c.x0 + c.x1) / 2
			h.Triangle(x, plotBottom+1, x-5, plotBottom+9, x+5, plotBottom+9, h.Red)
		}
	}
	for part := range 6 {
		age := int(math.Round(float64(n-1) * (1 - float64(part)/5)))
		x := plotLeft + float32(part*plotWide)/5
		switch text := "−" + intText(age); {
		case age == 0:
			h.right(wide, plotBottom+25, "newest", h.TextDim)
			return
		case part == 0:
			h.left(x, plotBottom+25, 90, text, h.TextDim)
		default:
			h.left(x-h.Width(face, text)/2, plotBottom+25, 90, text, h.TextDim)
		}
	}
}

// frames adds the links, the texts under the pointer and the flags of all columns.
func (h *historyPicture) frames() {
	for i := range h.columns {
		c := &h.columns[i]
		for k := c.from; k < c.to; k++ {
			if len(h.marks[h.p.d.History[k].Index]) > 0 {
				h.Rect(c.x0, plotTop, c.x0+1, plotBottom, h.Strong)
				h.Triangle(c.x0, plotTop, c.x0+8, plotTop+4, c.x0, plotTop+8, h.Strong)
				break
			}
		}
	}
	for i := range h.columns {
		c := &h.columns[i]
		f := &h.p.d.History[c.at]
		h.item(h.p.frameLink(f.Index), h.tip(c, f))
		if h.p.chosen.of == f {
			h.Rect(c.x0, plotTop, max(c.x1, c.x0+2), plotBottom, draw.Fade(h.Strong, 0.3))
		}
		h.area(c.x0, plotTop, c.x1, plotBottom)
	}
	h.plain()
}

// tip returns the text of a column under the pointer.
func (h *historyPicture) tip(c *column, f *report.FrameSummary) markup {
	frame := h.p.d.Kind.Frame()
	text := markup(strings.ToUpper(frame[:1])+frame[1:]) + " " + uintOf(f.Index) + "  " +
		timeOf(float64(f.Length)) + "\n"
	if c.to-c.from > 1 {
		text = "the slowest of " + counted(uint64(c.to-c.from), frame) + "\n" + text
	}
	if f.Label != "" {
		text += esc(shortName(f.Label)) + "\n"
	}
	text += partsOf(f)
	text += h.p.largest(c.at)
	if f.AllocBytes > 0 {
		text += "\nallocated " + bytesOf(float64(f.AllocBytes))
	}
	if f.Cycles > 0 {
		text += "\ngarbage collections: " + uintOf(uint64(f.Cycles)) + ", " + fitted(float64(f.Pause))
	}
	for i := range h.p.d.Sections {
		if s := &h.p.d.Sections[i]; s.From <= f.Index && f.Index <= s.To {
			text += "\nsection " + esc(shortName(s.Name))
		}
	}
	here := h.marks[f.Index]
	for i := range here[:min(len(here), 4)] {
		text += "\n⚑ " + esc(shortName(here[i].Text)) + " " + short(here[i].At)
	}
	if len(here) > 4 {
		text += "\n⚑ " + intOf(len(here)-4) + " more marks"
	}
	return text
}
