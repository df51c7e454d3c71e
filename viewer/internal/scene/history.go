package scene

import (
	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// AverageWords name the averages.
var AverageWords = [...]string{
	report.AverageShort: "average of 0.8 s", report.AverageLong: "average of 2.5 s",
	report.AverageInstant: "this frame",
}

// AppendOf appends the name of the frame, or of the mean of frames, to which the screen's numbers belong.
func (d *Scene) AppendOf(b []byte) []byte {
	i := &d.Info
	switch {
	case i.Lens.Sums():
		return append(b, "the whole run"...)
	case i.Lens.Kind != report.LensOff:
		return printed.AppendCount(append(b, "average of "...), i.LensFrames, i.Kind.Frame())
	case i.Averaged():
		return append(b, AverageWords[min(i.Average, report.AverageInstant)]...)
	}
	return draw.AppendFixed(append(append(b, i.Kind.Frame()...), ' '), float64(i.Index), 0)
}

// The frame lengths of 60 Hz and 30 Hz, ms.
const (
	Length60 = 1000.0 / 60
	Length30 = 1000.0 / 30
)

// ColumnEdges returns the sides of the column of an age.
func (d *Scene) ColumnEdges(plot canvas.Rect, age int) (x0, x1 float32) {
	if f := d.Column(age); f != nil {
		return d.Edges(plot, f.Oldest, f.Newest)
	}
	return d.Edges(plot, age, age)
}

// Edges returns the sides of the columns of a range of ages.
func (d *Scene) Edges(plot canvas.Rect, older, newer int) (x0, x1 float32) {
	if d.ByTime {
		return draw.Snap(d.xOf(plot, d.begins(older))), draw.Snap(d.xOf(plot, d.begins(newer-1)))
	}
	step := plot.Width() / float32(max(d.Past.Frames, 1))
	x0 = draw.Snap(plot.X1 - float32(older+1-d.Past.Skip)*step)
	x1 = draw.Snap(plot.X1 - float32(newer-d.Past.Skip)*step)
	return x0, x1
}

// Pointed returns the age of the frame under the mouse, or else of the shown frame.
func (d *Scene) Pointed() (age int, mouse bool) {
	if d.Hover.Kind == hit.Graph || d.Hover.Kind == hit.Axis {
		return d.Hover.Age, true
	}
	return d.Info.Age, false
}

// Crossed returns the age of the frame under the mouse in any part with frames side by side. All these parts mark it.
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

// TimeInSight returns the beginning and the end of the frames in sight, in ms on the axis of the timeline's rows.
func (d *Scene) TimeInSight() (from, to float64) {
	if n := len(d.Past.Columns); n > 0 {
		return d.Past.Columns[0].Begin, d.Past.Columns[n-1].End
	}
	return 0, 0
}

// OneAxis reports whether the frames in sight fill most of the time from the first to the last, so that they can be
// shown by time.
func (d *Scene) OneAxis() bool {
	from, to := d.TimeInSight()
	sum := 0.0
	for i := range d.Past.Columns {
		sum += d.Past.Columns[i].End - d.Past.Columns[i].Begin
	}
	return len(d.Past.Columns) > 1 && to > from && sum > (to-from)/2
}

// xOf returns the x of a time on the axis of the timeline's rows.
func (d *Scene) xOf(plot canvas.Rect, ms float64) float32 {
	from, to := d.TimeInSight()
	return plot.X0 + float32((ms-from)/(to-from)*float64(plot.Width()))
}

// begins returns the beginning of the frame of an age, in ms. For the age below the newest in sight it is the end of
// the newest. Frames in one column share its time equally.
func (d *Scene) begins(age int) float64 {
	from, to := d.TimeInSight()
	at := d.Past.At(age)
	switch {
	case at >= 0:
		f := &d.Past.Columns[at]
		return f.Begin + (f.End-f.Begin)*float64(f.Oldest-age)/float64(f.Oldest-f.Newest+1)
	case len(d.Past.Columns) > 0 && age > d.Past.Columns[0].Oldest:
		return from
	}
	return to
}

// AgeAt returns the age of the visible frame at x, for a history by time.
func (d *Scene) AgeAt(plot canvas.Rect, x float32) int {
	low, high := 0, len(d.Past.Columns)-1
	for low < high {
		if mid := (low + high) / 2; x >= d.xOf(plot, d.Past.Columns[mid+1].Begin) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	f := &d.Past.Columns[low]
	x0, x1 := d.xOf(plot, f.Begin), d.xOf(plot, f.End)
	share := min(max((x-x0)/max(x1-x0, 1e-6), 0), 1)
	return max(f.Oldest-int(share*float32(f.Oldest-f.Newest+1)), f.Newest)
}
