// Package strip draws the history: a column for each frame, with names, a scale and tips. It also draws the strips
// below: the slowest frames, the heap, and the program's own values.
package strip

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// A column of the history shows as many zones as needed to keep the grey part, the other zones, at most restShare of
// it.
const (
	stacked     = 12
	stackedMost = 48
	restShare   = 0.2
)

// Strip is the history. Each frame is a column of the zones with the most time, with lines at the limits, and names
// at the right.
type Strip struct {
	Layers         []layer
	Lines          bool
	Place          canvas.Rect // of the whole strip in the last Draw
	Plot           canvas.Rect // place of the columns in the last Draw
	Ribbon         Ribbon
	Indent         float32 // width at the left of the columns in pixels, if more than usual: see Panel.joins
	span, lastSpan window  // the frames in sight, and the ones before All
	canvas.Eased           // the upper end of the scale, ms
	places         places
	cuts           cuts
	age            int     // of the shown frame in the last Draw
	stack          int     // number of layers wanted; 0 is stacked
	grown          bool    // the next Draw has more layers
	resized        bool    // the place of the history has changed
	fit            int     // number of columns asked for
	waited         float64 // ms of frames for which the scale might have been lower
	released       bool    // the scale need not wait
	lane           report.LaneID
	Behind         int // number of frames that have ended while the picture stands still

	older, newer int       // ages of the selected range
	ranged       bool      // a range is selected
	tipFrame     tipFrame  // the frame of the last tip
	parallel     bool      // several lanes: a column in sight has more zone time than busy time
	NoCollector  bool      // see Options.HideCollector
	collected    bool      // a frame in sight has a garbage collection
	lengths      []float32 // of the columns, sorted
	sums         []float32 // of the layers, by column
	Rest         float32   // greatest share of a column without a layer
	names        []bandName
	longest      float32     // busy time of the longest frame in sight, ms
	in           canvas.Rect // place of the history in the last Draw

	kind      report.Kind // of the program
	all       bool        // columns show the work of all goroutines
	budget    float64     // ms
	Listed    []uint64    // frames of a list, ascending
	waitInk   color.NRGBA // of the waiting part of frames
	restInk   color.NRGBA // of the zones without a layer
	Others    others
	Comments  []report.Comment // of the user, by frames
	commented bool             // a comment is in sight
	Bands     [2]canvas.Rect   // of sections in the last Draw: over the whole run, and over the columns
}

// layer is one zone of the columns. It keeps its place while the greatest zones stay the same, so that columns do not
// jump.
type layer struct {
	Zone        report.ZoneID
	Name, sign  string
	columns     []float32      // of the columns in sight
	absent      float64        // ms of frames since it was among the greatest
	usual       float32        // mean of the columns in sight, ms
	inks, muted [2]color.NRGBA // calm, and for columns over the usual; muted for frames that are not selected
}

// Draw draws the strip in r. Without names, or without room, it has no names.
func (s *Strip) Draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, names bool) {
	if r.Height() <= 0 {
		s.Plot = canvas.Rect{}
		return
	}
	s.Place, s.all = r, d.Past.Lane == 0 && !d.Info.Judges()
	s.kind = d.Info.Kind
	in := c.Card(r)
	names = names && hasNames(c, d, in)
	s.resize(in)
	s.choose(c, d)
	s.span.hold(d)
	above, ribbon, over, in := s.rooms(c, d, in)
	plot := plotIn(c, in, 18, names)
	plot.X0 = max(plot.X0, draw.Snap(in.X0+s.Indent))
	s.Plot = plot
	s.span.fit(d, plot.Width()/c.Em)
	whole := plot
	if names {
		whole.X1 = in.X1
	}
	s.Ribbon.draw(c, d, ribbon, whole)
	s.sections(c, d, above, over)
	if plot.Width() < 20 || plot.Height() < 10 {
		return
	}
	s.ease(d)
	s.Rest = 0
	s.takeRange(d)
	all := plot // with the band of the other lanes
	plot = s.Others.place(c, d, plot, s)
	s.Plot = plot
	s.axis(c, plot)
	s.ages(c, d, all)
	if s.Lines {
		s.lineGraph(c, d, plot)
	} else {
		s.columns(c, d, plot)
		s.limits(c, d, plot)
	}
	s.grow()
	s.collections(c, plot)
	s.Others.draw(c, d, s)
	s.noise(c, d, plot)
	s.flag(c, d, all)
	s.allMarks(c, d, plot)
	s.frame(c, d, all, true)
	s.marker(c, d, all)
	top := r.Y0
	if s.Ribbon.Plot.Height()+s.Bands[1].Height() > 0 {
		top = in.Y0 - c.Em
	}
	d.AddFrames(c, canvas.Box(plot.X0, top, plot.X1, all.Y1), hit.Graph)
	d.AddFrames(c, canvas.Box(plot.X0, all.Y1, plot.X1, r.Y1), hit.Axis)
	s.comments(c, d, plot)
	if names {
		s.nameBands(c, d, plot, in)
	}
}

// allMarks draws what stands above single columns.
func (s *Strip) allMarks(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	s.flags(c, d, plot)
	s.lateMarks(c, d, plot)
	s.listedMarks(c, d, plot)
	s.remark(c, plot)
}

// hasNames reports whether there is room for names beside a history. A history by time has no room, because the
// timeline below needs the width.
func hasNames(c *canvas.Canvas, d *scene.Scene, in canvas.Rect) bool {
	return in.Width() >= 460*c.Em && !d.ByTime
}

// plotIn returns the place of the columns of a history: between the numbers of its axis and the names.
func plotIn(c *canvas.Canvas, in canvas.Rect, below float32, names bool) canvas.Rect {
	plot := canvas.Box(in.X0+36*c.Em, in.Y0+6*c.Em, in.X1, in.Y1-below*c.Em)
	if names {
		plot.X1 -= nameColumn * c.Em
	}
	return canvas.Box(draw.Snap(plot.X0), draw.Snap(plot.Y0), draw.Snap(plot.X1), draw.Snap(plot.Y1))
}

// below returns the place of the columns of a strip below the history: they lie below its columns, so that a frame has
// one place in all strips.
func (s *Strip) below(c *canvas.Canvas, in canvas.Rect, names bool) canvas.Rect {
	plot := plotIn(c, in, 14, names)
	if s.Plot.Width() > 0 {
		plot.X0, plot.X1 = s.Plot.X0, s.Plot.X1
	}
	return plot
}

// cross marks the frame under the mouse, in whatever part the mouse is, if it is not the shown frame.
func cross(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	if at, mouse := d.Crossed(); mouse && at != d.Info.Age && d.Visible(at) {
		x0, x1 := d.ColumnEdges(plot, at)
		c.Rect(x0, plot.Y0, max(x1, x0+1), plot.Y1, draw.Fade(c.Strong, 0.1))
	}
}
