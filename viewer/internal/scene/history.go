package scene

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// AverageWords name the averages.
var AverageWords = [...]string{
	report.AverageShort: "average of 0.8 s", report.AverageLong: "average of 2.5 s",
	report.AverageInstant: "this frame",
}

// AppendOf names the frame, or the mean of frames, that the numbers on the screen are of.
func (d *Scene) AppendOf(b []byte) []byte {
	i := &d.Info
	switch {
	case i.Lens.Kind != report.LensOff && i.LensFrames == 1:
		return append(b, "average of 1 frame"...)
	case i.Lens.Kind != report.LensOff:
		return append(draw.AppendFixed(append(b, "average of "...), float64(i.LensFrames), 0), " frames"...)
	case i.Averaged():
		return append(b, AverageWords[min(i.Average, report.AverageInstant)]...)
	}
	return draw.AppendFixed(append(b, "frame "...), float64(i.Index), 0)
}

// The frame lengths of 60 Hz and 30 Hz, ms.
const (
	Length60 = 1000.0 / 60
	Length30 = 1000.0 / 30
)

// ColumnEdges returns the sides of the column that an age is in.
func (d *Scene) ColumnEdges(plot canvas.Rect, age int) (x0, x1 float32) {
	if f := d.Column(age); f != nil {
		return d.Edges(plot, f.Oldest, f.Newest)
	}
	return d.Edges(plot, age, age)
}

// Edges returns the sides of the columns of a range of ages.
func (d *Scene) Edges(plot canvas.Rect, older, newer int) (x0, x1 float32) {
	step := plot.Width() / float32(max(d.Past.Frames, 1))
	x0 = draw.Snap(plot.X1 - float32(older+1-d.Past.Skip)*step)
	x1 = draw.Snap(plot.X1 - float32(newer-d.Past.Skip)*step)
	return x0, x1
}

// Pointed returns the age of the frame under the mouse, or else of the frame that is shown.
func (d *Scene) Pointed() (age int, mouse bool) {
	if d.Hover.Kind == hit.Graph || d.Hover.Kind == hit.Axis {
		return d.Hover.Age, true
	}
	return d.Info.Age, false
}

// Crossed returns the age of the frame under the mouse in any part that has frames side by side. All of them mark it.
func (d *Scene) Crossed() (age int, ok bool) {
	switch d.Hover.Kind {
	case hit.Graph, hit.Axis, hit.Timeline:
		return d.Hover.Age, d.Hover.Age >= 0
	}
	return 0, false
}

// Visible reports whether the frame of an age is in sight.
func (d *Scene) Visible(age int) bool { return age >= d.Past.Skip && age < d.Past.Skip+d.Past.Frames }

// Column returns the column of an age, or nil.
func (d *Scene) Column(age int) *report.PastColumn {
	if i := d.Past.At(age); i >= 0 {
		return &d.Past.Columns[i]
	}
	return nil
}
