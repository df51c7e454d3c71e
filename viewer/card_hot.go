package viewer

import (
	"fmt"
	"path"
	"path/filepath"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// cardHot shows the lines and the functions in which samples fell, on the card's page of source.
type cardHot struct {
	of    *process.HotLines
	sites []string // of the lines: "world.go:88"
	names []string // of the functions, without the path of their package
}

// The most lines and functions that the card lists.
const (
	mostHotRows      = 12
	mostHotFunctions = 4
)

// take takes the lines of the last snapshot.
func (h *cardHot) take(of *process.HotLines) {
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

// rows returns how many of the rows of the page the samples take.
func (h *cardHot) rows(d *shown, rows int) int {
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

// toggleSampling starts or stops the sampling of the program.
func toggleSampling(s *process.Session, p *Panel) {
	if s == nil {
		return
	}
	source := s.HotSource()
	if source == nil {
		p.Note("nothing samples this program: see the module exectrace")
		return
	}
	rate := 0
	if source.Sampling() == 0 {
		rate = process.LeastSampling
	}
	if err := source.SetSampling(rate); err != nil {
		p.Note(err.Error())
	}
}

// cycleSampling goes on to the next rate of samples, and after the last to none.
func cycleSampling(s *process.Session, p *Panel) {
	if s == nil || s.HotSource() == nil {
		toggleSampling(s, p) // says why not
		return
	}
	source, next := s.HotSource(), 0
	for _, rate := range [...]int{process.MostSampling, 500, 250, process.LeastSampling} {
		if rate > source.Sampling() {
			next = rate
		}
	}
	if err := source.SetSampling(next); err != nil {
		p.Note(err.Error())
		return
	}
	p.Note(fmt.Sprintf("%d samples a second of processor time", next))
}

// share returns the share of the zone's samples that fell in a line of the file shown.
func (h *cardHot) share(d *shown, line int) float32 {
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

// mark marks a line of the source in which samples fell.
func (h *cardHot) mark(c *canvas, d *shown, r rect, line int) {
	if share := h.share(d, line); share > 0 {
		high := max(share*(r.height()-2*c.em), 3*c.em)
		c.Rect(r.x0+(lineColumn+1)*c.em, r.y1-c.em-high, r.x0+(lineColumn+4)*c.em, r.y1-c.em, c.Amber)
	}
}

// draw draws the button, how many samples there are, the hottest lines and the hottest functions.
func (h *cardHot) draw(c *canvas, d *shown, r rect, rows int) {
	line := rect{r.x0, r.y0, r.x1, r.y0 + (codeRow+2)*c.em}
	if h.take(d.Around.Hot); !d.Around.CanSample && h.of == nil || rows < 1 || line.y1 > r.y1 {
		return
	}
	end := h.button(c, d, line)
	h.words(c, d)
	c.text(r.x0, end-r.x0, line, draw.FaceSmall, c.buffer, c.TextDim)
	h.explain(c, d.Around.Sampling, rect{line.x0, line.y0, end, line.y1})
	if h.of == nil || h.of.Zone != d.Around.Zone {
		return
	}
	next := func() bool {
		line = rect{r.x0, line.y1, r.x1, line.y1 + codeRow*c.em}
		rows--
		return rows > 0 && line.y1 <= r.y1
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
	c.left(r.x0, r.width(), line, draw.FaceSmall, "hot functions", c.TextDim)
	for i := 0; i < len(h.names) && next(); i++ {
		h.function(c, line, i)
	}
}

// button draws the button that starts and stops the sampling, if somebody can do it. It returns its left end.
func (h *cardHot) button(c *canvas, d *shown, r rect) float32 {
	switch {
	case !d.Around.CanSample:
		return r.x1
	case d.Around.Sampling > 0:
		return c.button(r.x1, r.x0, r, "stop sampling", "sample")
	}
	return c.button(r.x1, r.x0, r, "sample", "sample")
}

// explain says how exact the samples are.
func (h *cardHot) explain(c *canvas, rate int, r rect) {
	if !c.tip.accepts(c.hovers(r)) {
		return
	}
	words := fmt.Sprintf("where the processor was inside the zone, by %d\n"+
		"samples a second of its time. Zones are measured exactly;\n"+
		"samples are a guess, the better the more there are.\n"+
		"In no zone: the share of all samples of the program",
		max(rate, process.LeastSampling))
	if h.of != nil && h.of.OfFrame {
		words += "\nThese are of this frame alone, so they may be few"
	}
	if h.of != nil && h.of.ByStack > 0 {
		words += fmt.Sprintf("\n%d of them are older than the events of their goroutine:\n"+
			"their functions say in which zone they were", h.of.ByStack)
	}
	c.explain(r, "hot lines", words)
}

// words says how many samples there are, in the canvas's buffer.
func (h *cardHot) words(c *canvas, d *shown) {
	b := c.buffer[:0]
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
	c.buffer = b
}

// line draws one of the hottest lines: its share of the zone's samples, its text, its place.
func (h *cardHot) line(c *canvas, r rect, i int) {
	l := &h.of.Lines[i]
	x := h.bar(c, r, l.Samples)
	end := r.x1 - 6*c.em
	end -= c.right(end, r, draw.FaceSmall, h.sites[i], c.TextFaint) + 10*c.em
	text := l.Text
	if text == "" {
		text = l.Function
	}
	c.left(x, end-x, r, draw.FaceTiny, text, c.TextNormal)
	c.explain(r, l.Function, text)
}

// function draws one of the hottest functions: its share of the zone's samples, its name.
func (h *cardHot) function(c *canvas, r rect, i int) {
	f := &h.of.Functions[i]
	x := h.bar(c, r, f.Samples)
	c.left(x, r.x1-6*c.em-x, r, draw.FaceTiny, h.names[i], c.TextNormal)
	c.explain(r, f.Function, "all lines of this function that are inside the zone")
}

// bar draws a share of the zone's samples, and returns where the text begins.
func (h *cardHot) bar(c *canvas, r rect, samples int) (x float32) {
	share := float32(samples) / float32(max(h.of.Samples, 1))
	c.Rect(r.x0, r.y0+c.em, r.x0+share*r.width(), r.y1-c.em, draw.Fade(c.Amber, 0.16))
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(100*share), 0), " %"...)
	c.ASCIIRight(r.x0+timeColumn*c.em, c.baseline(r.y0, r.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
	return r.x0 + (timeColumn+10)*c.em
}
