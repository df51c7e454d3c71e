package html

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"example.com/iprof/draw"
)

// svg returns a picture as an element. label says what it shows. It is as wide as its place, and on a narrow screen it
// can be scrolled.
func (p *picture) svg(class, label markup) []byte {
	b := []byte(`<div class="scroll"><svg class="`)
	b = append(append(append(append(b, class...), `" role="img" aria-label="`...), label...), `" viewBox="0 0 `...)
	b = append(appendNumber(append(appendNumber(b, p.width), ' '), p.height), `">`...)
	w := svgWriter{p: p, inks: inksOf(p.Palette), b: b}
	p.items = append(p.items, item{from: len(p.V)})
	w.run(0, p.items[0].from)
	for i, it := range p.items[:len(p.items)-1] {
		w.item(&it, p.items[i+1].from)
	}
	w.text(math.MaxInt)
	return append(w.b, "</svg></div>"...)
}

// svgWriter writes one picture.
type svgWriter struct {
	p     *picture
	inks  map[color.NRGBA]markup
	b     []byte
	words int // written
}

func (w *svgWriter) put(parts ...markup) {
	for _, s := range parts {
		w.b = append(w.b, s...)
	}
}

// item writes a part of the picture, up to a vertex.
func (w *svgWriter) item(it *item, to int) {
	if it.from == to {
		return
	}
	end := markup("")
	switch {
	case it.href != "":
		w.put(`<a href="`, it.href, `">`)
		end = "</a>"
	case it.title != "":
		w.put("<g>")
		end = "</g>"
	}
	if it.title != "" {
		w.put("<title>", it.title, "</title>")
	}
	w.run(it.from, to)
	w.put(end)
}

// run writes the shapes between two vertices, and the texts among them. Neighbours of one colour are one path.
func (w *svgWriter) run(from, to int) {
	v := w.p.V
	for from < to {
		w.text(from)
		end := from + 4
		for end < to && !w.textAt(end) && inkOf(&v[end]) == inkOf(&v[from]) && isStroke(v[end:]) == isStroke(v[from:]) {
			end += 4
		}
		w.shapes(v[from:end])
		from = end
	}
	w.text(to)
}

// textAt reports whether a text comes before a vertex.
func (w *svgWriter) textAt(vertex int) bool {
	return w.words < len(w.p.words) && w.p.words[w.words].after <= vertex
}

// text writes the texts before a vertex.
func (w *svgWriter) text(before int) {
	for ; w.words < len(w.p.words) && w.p.words[w.words].after <= before; w.words++ {
		t := &w.p.words[w.words]
		w.put(`<text x="`)
		w.b = append(appendNumber(append(appendNumber(w.b, t.x), `" y="`...), t.y), '"')
		if t.backward {
			w.put(` text-anchor="end"`)
		}
		if t.width > 0 {
			w.b = append(appendNumber(append(w.b, ` textLength="`...), t.width), `" lengthAdjust="spacingAndGlyphs"`...)
		}
		w.paint("fill", t.ink)
		w.put(">", escaped(t.text), "</text>")
	}
}

// shapes writes quads of one colour as a path.
func (w *svgWriter) shapes(v []draw.Vertex) {
	if w.put("<path"); isStroke(v) {
		w.strokes(v)
		return
	}
	w.paint("fill", inkOf(&v[0]))
	w.put(` d="`)
	for ; len(v) > 0; v = v[4:] {
		x, y := v[0].X, v[0].Y
		wide, high := v[2].X-v[0].X, v[2].Y-v[0].Y
		w.b = appendNumber(append(appendNumber(append(w.b, 'M'), x), ' '), y)
		if v[3].X == x && v[1].Y == y {
			w.b = appendNumber(append(appendNumber(append(w.b, 'h'), wide), 'v'), high)
			w.b = append(appendNumber(append(w.b, 'h'), -wide), 'z')
			continue
		}
		for i := 1; i < 4; i++ {
			w.b = appendNumber(append(appendNumber(append(w.b, 'L'), v[i].X), ' '), v[i].Y)
		}
		w.b = append(w.b, 'z')
	}
	w.put(`"/>`)
}

// strokes writes lines, which are quads around their middle: see draw.List.Line.
func (w *svgWriter) strokes(v []draw.Vertex) {
	wide := math.Hypot(float64(v[3].X-v[0].X), float64(v[3].Y-v[0].Y)) - 1
	w.put(` class="line" stroke-width="`)
	w.b = append(appendNumber(w.b, float32(wide)), '"')
	w.paint("stroke", inkOf(&v[0]))
	w.put(` d="`)
	var last []byte
	for ; len(v) > 0; v = v[4:] {
		x0, y0 := (v[0].X+v[3].X)/2, (v[0].Y+v[3].Y)/2
		x1, y1 := (v[1].X+v[2].X)/2, (v[1].Y+v[2].Y)/2
		from := appendNumber(append(appendNumber(nil, x0), ' '), y0)
		if !slices.Equal(from, last) {
			w.b = append(append(w.b, 'M'), from...)
		}
		last = appendNumber(append(appendNumber(nil, x1), ' '), y1)
		w.b = append(append(w.b, 'L'), last...)
	}
	w.put(`"/>`)
}

// paint writes a colour: a variable of the style if the colour depends on light or dark, else its digits.
func (w *svgWriter) paint(what markup, c color.NRGBA) {
	solid := c
	solid.A = 255
	switch name := w.inks[solid]; {
	case c.A == 0:
		w.put(` class="area"`)
		return
	case name != "":
		w.put(" ", what, `="var(--`, name, `)"`)
	default:
		w.put(" ", what, `="`, hexOf(c), `"`)
	}
	if c.A < 255 {
		w.b = append(appendNumber(append(w.b, ` opacity="`...), float32(c.A)/255), '"')
	}
}

// isStroke reports whether a quad is a line: its coverage differs across it.
func isStroke(v []draw.Vertex) bool { return v[0].V != v[2].V && v[0].U == v[2].U }

func inkOf(v *draw.Vertex) color.NRGBA { return color.NRGBA{R: v.R, G: v.G, B: v.B, A: v.A} }

// hexOf writes a colour as digits.
func hexOf(c color.NRGBA) markup {
	const digits = "0123456789abcdef"
	return markup([]byte{'#', digits[c.R>>4], digits[c.R&15], digits[c.G>>4], digits[c.G&15], digits[c.B>>4],
		digits[c.B&15]})
}

// appendNumber appends a coordinate with at most two decimals.
func appendNumber(b []byte, v float32) []byte {
	if v != v || v > 1e6 || v < -1e6 {
		v = 0
	}
	return strconv.AppendFloat(b, math.Round(float64(v)*100)/100, 'f', -1, 64)
}
