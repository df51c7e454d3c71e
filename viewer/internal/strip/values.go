package strip

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Values is the strip of the program's own counts and levels. Each has a band, scaled to its own greatest value.
type Values struct {
	series        []report.ValueSeries
	programSeries int // number of the program's own series, which come first
}

// bandHeight is the least height of a band in nominal pixels.
const bandHeight = 13

// Draw draws the strip. Its columns lie below those of the history.
func (v *Values) Draw(c *canvas.Canvas, d *scene.Scene, strip *Strip, r canvas.Rect) {
	in := c.Card(r)
	names := hasNames(c, d, in)
	plot := strip.below(c, in, names)
	if plot.Height() < 10 {
		return
	}
	v.choose(d)
	if v.programSeries == 0 {
		const words = "nothing counted yet: iprof.Count(name), iprof.Value(name, n)"
		c.Left(plot.X0+8*c.Em, plot.Width()-8*c.Em, plot, draw.FaceText, words, c.TextDim)
		return
	}
	bands := min(v.programSeries, max(int(plot.Height()/(bandHeight*c.Em)), 1))
	legend := canvas.Box(plot.X1+20*c.Em, 0, in.X1-6*c.Em, 0)
	if !names { // over the lines, at their left
		legend = canvas.Box(plot.X0+4*c.Em, 0, min(plot.X0+180*c.Em, plot.X1), 0)
	}
	for i := range bands {
		y := plot.Y0 + plot.Height()*float32(i)/float32(bands)
		band := canvas.Box(plot.X0, draw.Snap(y), plot.X1, draw.Snap(y+plot.Height()/float32(bands)))
		v.band(c, d, &v.series[i], band)
		legend.Y0, legend.Y1 = band.Y0, band.Y1
		v.name(c, d, &v.series[i], legend)
	}
	v.mark(c, d, plot)
	strip.frame(c, d, plot, false)
	v.caption(c, v.programSeries-bands, canvas.Box(plot.X0, plot.Y1, plot.X1, in.Y1))
	d.AddFrames(c, canvas.Box(plot.X0, r.Y0, plot.X1, r.Y1), hit.Graph)
}

// choose copies the series, the program's own first.
func (v *Values) choose(d *scene.Scene) {
	v.series = append(v.series[:0], d.Values...)
	v.programSeries = 0
	for i := range v.series {
		if v.series[i].Kind != report.ValueHeap {
			v.series[v.programSeries], v.series[i] = v.series[i], v.series[v.programSeries]
			v.programSeries++
		}
	}
}

// mark marks the selected frame, and the one under the mouse.
func (v *Values) mark(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	cross(c, d, plot)
	if d.Info.Live || !d.Visible(d.Info.Age) {
		return
	}
	x0, x1 := d.ColumnEdges(plot, d.Info.Age)
	c.Rect(x0, plot.Y0, max(x1, x0+1), plot.Y1, draw.Fade(c.Strong, 0.14))
}

// band draws the values of one series: counts as columns, levels as a line.
func (v *Values) band(c *canvas.Canvas, d *scene.Scene, s *report.ValueSeries, band canvas.Rect) {
	low, high := float32(0), float32(0)
	for _, x := range s.Values {
		if canvas.Finite(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	if high == low {
		high = low + 1
	}
	scale := (band.Height() - 3*c.Em) / (high - low)
	zero := draw.Snap(band.Y1 + low*scale)
	c.Rect(band.X0, zero-draw.Hairline(c.Em), band.X1, zero, c.GridLine)
	col := d.Own(c, -1, s.Name)
	if s.Kind == report.ValueCount {
		v.columns(c, d, s, band, zero, scale, draw.Mix(col, c.Surface, 0.2))
		return
	}
	var last canvas.Point
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.Edges(band, f.Oldest, f.Newest)
		x := farthest(s.Values, f)
		at := canvas.At((x0+x1)/2, zero-x*scale, canvas.Finite(x))
		if last.Here && at.Here {
			c.Segment(last.X, last.Y, at.X, at.Y, 1.5*c.Em, 0.5, col)
		}
		last = at
	}
}

func (v *Values) columns(
	c *canvas.Canvas, d *scene.Scene, s *report.ValueSeries, band canvas.Rect, zero, scale float32, col color.NRGBA,
) {
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x := farthest(s.Values, f)
		if !canvas.Finite(x) || x == 0 {
			continue
		}
		x0, x1 := d.Edges(band, f.Oldest, f.Newest)
		top, bottom := zero-x*scale, zero
		c.Rect(x0, min(top, bottom), max(x1, x0+1), max(top, bottom), col)
	}
}

// farthest returns the value farthest from 0 in the frames of a column, NaN if all are unknown.
func farthest(values []float32, f *report.PastColumn) float32 {
	best := float32(math.NaN())
	for age := f.Newest; age <= f.Oldest && age < len(values); age++ {
		if x := values[len(values)-1-age]; canvas.Finite(x) && !(canvas.Abs(x) <= canvas.Abs(best)) {
			best = x
		}
	}
	return best
}

// name writes a series' name, and its value in the frame under the mouse or else in the selected frame.
func (v *Values) name(c *canvas.Canvas, d *scene.Scene, s *report.ValueSeries, r canvas.Rect) {
	age, _ := d.Pointed()
	y := (r.Y0 + r.Y1) / 2
	c.Swatch(r.X0, y, 9, d.Own(c, -1, s.Name))
	c.Buffer = append(c.Buffer[:0], '-')
	if at := len(s.Values) - 1 - age; at >= 0 && at < len(s.Values) && canvas.Finite(s.Values[at]) {
		c.Buffer = draw.AppendCount(c.Buffer[:0], float64(s.Values[at]))
	}
	taken := c.ASCIIRight(r.X1, c.Baseline(r.Y0, r.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
	c.Left(r.X0+17*c.Em, r.Width()-taken-23*c.Em, r, draw.FaceSmall, s.Name, c.TextDim)
}

// caption draws the name of the strip, and the number of series without room.
func (v *Values) caption(c *canvas.Canvas, more int, r canvas.Rect) {
	taken := c.Left(r.X0, r.Width(), r, draw.FaceSmall, "counts and values, each from 0 to its greatest", c.TextFaint)
	if more <= 0 {
		return
	}
	c.Buffer = append(draw.AppendFixed(append(c.Buffer[:0], '+'), float64(more), 0), " more in the report as text"...)
	if taken+c.ASCIIWidth(draw.FaceSmall, c.Buffer)+12*c.Em < r.Width() {
		c.ASCIIRight(r.X1, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextFaint)
	}
}
