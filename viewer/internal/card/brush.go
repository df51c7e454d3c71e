package card

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// Range is a range of durations in one of the card's histograms.
type Range struct {
	Zone     report.ZoneID
	Calls    bool    // of single calls, not of frames
	From, To float64 // ms; a To of 0 is without end
	On       bool
}

// brush is the choice of a range by a drag over a histogram, or by a click on a number below one.
type brush struct {
	Range
	start    float32 // x of the press
	dragging bool
	boxes    [2]canvas.Rect // of the bars in the last Draw: frames, calls
	picks    []Range        // of the numbers in the last Draw
}

// The histograms, and the first of the numbers, as the Index of a hit.
const (
	ofFrames = iota
	ofCalls
	firstPick
)

// StartBrush begins a drag at x over a histogram, or chooses the range of a number, by the Index of a hit of kind
// hit.Spread.
func (z *Card) StartBrush(of int, x float32) {
	b := &z.brush
	if at := of - firstPick; at >= 0 {
		if at < len(b.picks) {
			b.Range, b.dragging = b.picks[at], true
			b.start = float32(math.NaN())
		}
		return
	}
	b.Range = Range{Zone: z.zone, Calls: of == ofCalls, On: true}
	b.start, b.dragging = x, true
	z.DragBrush(x)
}

// DragBrush moves the end of the range to x.
func (z *Card) DragBrush(x float32) {
	b := &z.brush
	if !b.dragging || b.start != b.start || !canvas.Finite(x) {
		return
	}
	of := ofFrames
	if b.Calls {
		of = ofCalls
	}
	r := b.boxes[of]
	if r.Width() <= 0 {
		return
	}
	bar := func(x float32) float64 {
		return math.Floor(float64(min(max((x-r.X0)/r.Width(), 0), 0.9999)) * report.SpreadBars)
	}
	low, high := min(bar(b.start), bar(x)), max(bar(b.start), bar(x))+1
	b.From, b.To = z.timeAt(of, low/report.SpreadBars), z.timeAt(of, high/report.SpreadBars)
}

// EndBrush ends the drag, and returns the range. Without a drag its On is false.
func (z *Card) EndBrush() Range {
	b := &z.brush
	if !b.dragging {
		return Range{}
	}
	b.dragging = false
	return b.Range
}

// NoBrush forgets the range.
func (z *Card) NoBrush() { z.brush.Range = Range{} }

// timeAt returns the time in ms at a share of the width of a histogram. The range is a hair wider than the data, so
// that it contains the greatest time.
func (z *Card) timeAt(of int, share float64) float64 {
	if of == ofFrames {
		least, most := float64(z.spread.Quantile(0)), float64(z.spread.Quantile(1))
		return least + share*(most-least)*(1+1e-6)
	}
	shortest, longest := z.calls.Ends()
	if !(longest > shortest) {
		return shortest + share*max(longest-shortest, 1e-6)
	}
	return shortest * math.Pow(longest/shortest, share)
}

// brushed draws the range over a histogram, and adds its area for drags.
func (z *Card) brushed(c *canvas.Canvas, of int, r canvas.Rect) {
	b := &z.brush
	b.boxes[of] = r
	c.Add(canvas.Box(r.X0, r.Y0, r.X1, r.Y1+2*c.Em), hit.Of(hit.Spread, of))
	if !b.On || b.Zone != z.zone || b.Calls != (of == ofCalls) {
		return
	}
	x0, x1 := r.X0, r.X1
	if b.From > 0 {
		x0 += float32(z.placeOf(of, b.From)) * r.Width()
	}
	if b.To > 0 {
		x1 = r.X0 + float32(z.placeOf(of, b.To))*r.Width()
	}
	x0, x1 = min(max(x0, r.X0), r.X1-2*c.Em), min(max(x1, r.X0+2*c.Em), r.X1)
	c.Rect(x0, r.Y0, x1, r.Y1, draw.Fade(c.Accent, 0.18))
	c.Rect(x0, r.Y0, x0+draw.Hairline(c.Em), r.Y1, c.Accent)
	c.Rect(x1-draw.Hairline(c.Em), r.Y0, x1, r.Y1, c.Accent)
	c.Rect(x0, r.Y1, x1, r.Y1+3*c.Em, c.Accent)
}

// placeOf is the inverse of timeAt.
func (z *Card) placeOf(of int, ms float64) float64 {
	if of == ofCalls {
		return z.calls.Place(ms)
	}
	least, most := float64(z.spread.Quantile(0)), float64(z.spread.Quantile(1))
	if !(most > least) {
		return 0
	}
	return (ms - least) / (most - least)
}

// pick makes a press on a number choose the times from it on, or up to it.
func (z *Card) pick(c *canvas.Canvas, r canvas.Rect, calls bool, from, to float64) {
	b := &z.brush
	if c.Hovers(r) {
		c.Round(r.X0, r.Y0, r.X1, r.Y1, 3*c.Em, c.Hovered)
	}
	c.Add(r, hit.Of(hit.Spread, firstPick+len(b.picks)))
	b.picks = append(b.picks, Range{Zone: z.zone, Calls: calls, From: from, To: to, On: true})
}
