package card

import (
	"fmt"
	"path"
	"path/filepath"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// cardHot shows the lines and functions with samples on the card's page of source.
type cardHot struct {
	of    *report.HotLines
	sites []string // of the lines: "world.go:88"
	names []string // of the functions, without the path of their package
}

// The most lines and functions that the card lists.
const (
	mostHotRows      = 12
	mostHotFunctions = 4
)

// take takes the lines of the last snapshot.
func (h *cardHot) take(of *report.HotLines) {
	if h.of == of {
		return
	}
	h.of, h.sites, h.names = of, h.sites[:0], h.names[:0]
	for i := 0; of != nil && i < len(of.Lines); i++ {
		h.sites = append(h.sites, fmt.Sprintf("%s:%d", filepath.Base(of.Lines[i].File), of.Lines[i].Line))
	}
	for i := 0; of != nil && i < min(len(of.Functions), mostHotFunctions); i++ {
		h.names = append(h.names, path.Base(of.Functions[i].Function))
	}
}

// rows returns the samples' number of rows on the page.
func (h *cardHot) rows(d *scene.Scene, rows int) int {
	switch h.take(d.Around.Hot); {
	case !d.Around.CanSample && h.of == nil:
		return 0
	case h.of == nil || len(h.of.Lines) == 0:
		return 2
	}
	all := 2 + min(len(h.of.Lines), mostHotRows)
	if len(h.names) > 0 {
		all += 1 + len(h.names)
	}
	return min(3*rows/5, all)
}

// share returns a line's share of the zone's samples in the shown file.
func (h *cardHot) share(d *scene.Scene, line int) float32 {
	if h.of == nil || h.of.Samples == 0 || h.of.Zone != d.Around.Zone {
		return 0
	}
	file := d.Zone(d.Around.Zone).File
	for i := range h.of.Lines {
		if l := &h.of.Lines[i]; l.Line == line && l.File == file {
			return float32(l.Samples) / float32(h.of.Samples)
		}
	}
	return 0
}

// mark marks a line of the source with samples.
func (h *cardHot) mark(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, line int) {
	if share := h.share(d, line); share > 0 {
		high := max(share*(r.Height()-2*c.Em), 3*c.Em)
		c.Rect(r.X0+(lineColumn+1)*c.Em, r.Y1-c.Em-high, r.X0+(lineColumn+4)*c.Em, r.Y1-c.Em, c.Amber)
	}
}

// draw draws the button, the number of samples, the hottest lines and the hottest functions.
func (h *cardHot) draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, rows int) {
	line := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+(codeRow+2)*c.Em)
	if h.take(d.Around.Hot); !d.Around.CanSample && h.of == nil || rows < 1 || line.Y1 > r.Y1 {
		return
	}
	end := h.button(c, d, line)
	h.words(c, d)
	c.Bytes(r.X0, end-r.X0, line, draw.FaceSmall, c.Buffer, c.TextDim)
	h.explain(c, d.Around.Sampling, canvas.Box(line.X0, line.Y0, end, line.Y1))
	if h.of == nil || h.of.Zone != d.Around.Zone {
		return
	}
	next := func() bool {
		line = canvas.Box(r.X0, line.Y1, r.X1, line.Y1+codeRow*c.Em)
		rows--
		return rows > 0 && line.Y1 <= r.Y1
	}
	lines := min(len(h.of.Lines), mostHotRows)
	if len(h.names) > 0 { // at least as many lines as functions
		lines = min(lines, max(rows-2-len(h.names), rows/2))
	}
	for i := 0; i < lines && next(); i++ {
		h.line(c, line, i)
	}
	if rows < 3 || len(h.names) == 0 || !next() {
		return
	}
	c.Left(r.X0, r.Width(), line, draw.FaceSmall, "hot functions", c.TextDim)
	for i := 0; i < len(h.names) && next(); i++ {
		h.function(c, line, i)
	}
}

// button draws the button that starts and stops the sampling, if the program can sample. It returns its left end.
func (h *cardHot) button(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) float32 {
	switch {
	case !d.Around.CanSample:
		return r.X1
	case d.Around.Sampling > 0:
		return c.Button(r.X1, r.X0, r, "stop sampling", "sample")
	}
	return c.Button(r.X1, r.X0, r, "sample", "sample")
}

// explain requests a tip on the accuracy of the samples.
func (h *cardHot) explain(c *canvas.Canvas, rate int, r canvas.Rect) {
	if !c.Tip.Accepts(c.Hovers(r)) {
		return
	}
	words := fmt.Sprintf("where the processor was inside the zone, by %d\n"+
		"samples a second of its time. Zones are measured exactly;\n"+
		"samples are a guess, the better the more there are.\n"+
		"In no zone: the share of all samples of the program",
		max(rate, report.MinSampling))
	if h.of != nil && h.of.OfFrame {
		words += "\nThese are of this frame alone, so they may be few"
	}
	if h.of != nil && h.of.ByStack > 0 {
		words += fmt.Sprintf("\n%d of them are older than the events of their goroutine:\n"+
			"their functions say in which zone they were", h.of.ByStack)
	}
	c.Explain(r, "hot lines", words)
}

// words writes the number of samples into the canvas's buffer.
func (h *cardHot) words(c *canvas.Canvas, d *scene.Scene) {
	b := c.Buffer[:0]
	switch {
	case h.of != nil && h.of.Error != "":
		b = append(b, h.of.Error...)
	case h.of != nil && h.of.Zone == d.Around.Zone && h.of.Samples+h.of.Others+h.of.Outside > 0:
		title := "hot lines: "
		if h.of.OfFrame {
			title = "frame: "
		}
		b = append(draw.AppendFixed(append(b, title...), float64(h.of.Samples), 0), " samples, "...)
		b = append(draw.AppendFixed(b, 100*h.of.OutsideShare(), 0), " % in no zone"...)
	case d.Around.Zone == 0:
		b = append(b, "hot lines: of zones only"...)
	case d.Around.Sampling > 0:
		b = append(b, "hot lines: no samples yet"...)
	default:
		b = append(b, "hot lines: not sampled"...)
	}
	c.Buffer = b
}

// line draws one of the hottest lines: its share of the zone's samples, its text, its place.
func (h *cardHot) line(c *canvas.Canvas, r canvas.Rect, i int) {
	l := &h.of.Lines[i]
	x := h.bar(c, r, l.Samples)
	end := r.X1 - 6*c.Em
	end -= c.Right(end, r, draw.FaceSmall, h.sites[i], c.TextFaint) + 10*c.Em
	text := l.Text
	if text == "" {
		text = l.Function
	}
	c.Left(x, end-x, r, draw.FaceTiny, text, c.TextNormal)
	c.Explain(r, l.Function, text)
}

// function draws one of the hottest functions: its share of the zone's samples, its name.
func (h *cardHot) function(c *canvas.Canvas, r canvas.Rect, i int) {
	f := &h.of.Functions[i]
	x := h.bar(c, r, f.Samples)
	c.Left(x, r.X1-6*c.Em-x, r, draw.FaceTiny, h.names[i], c.TextNormal)
	c.Explain(r, f.Function, "all lines of this function that are inside the zone")
}

// bar draws a share of the zone's samples, and returns the x of the text.
func (h *cardHot) bar(c *canvas.Canvas, r canvas.Rect, samples int) (x float32) {
	share := float32(samples) / float32(max(h.of.Samples, 1))
	c.Rect(r.X0, r.Y0+c.Em, r.X0+share*r.Width(), r.Y1-c.Em, draw.Fade(c.Amber, 0.16))
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(100*share), 0), " %"...)
	c.ASCIIRight(r.X0+timeColumn*c.Em, c.Baseline(r.Y0, r.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
	return r.X0 + (timeColumn+10)*c.Em
}
