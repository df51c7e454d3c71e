package answer

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/canvas"
)

// partOrder is the order of the parts of a frame.
type partOrder struct {
	serial int // of the timeline
	frame  uint64
	began  []float64 // on the timeline's axis, +Inf if unknown
	order  []int32   // indexes of parts
}

// shown returns the timeline if it shows the frame of the verdict, else nil.
func (g *painter) shown() *timeline.Timeline {
	t := &g.d.Timeline
	if g.v.Frames != 1 || t.Index != g.v.Index || t.Until != t.Index || t.Length <= 0 {
		return nil
	}
	return t
}

// order returns the indexes of the parts as they began. A part whose scopes are unknown comes after the others.
func (g *painter) order() []int32 {
	o, parts := &g.a.ordered, g.shows
	t := g.shown()
	if t != nil && o.serial == t.Serial && o.frame == t.Index && len(o.order) == len(parts) {
		return o.order
	}
	o.serial, o.began, o.order = -1, o.began[:0], o.order[:0]
	for i := range parts {
		o.began, o.order = append(o.began, math.Inf(1)), append(o.order, int32(i))
	}
	if t == nil {
		return o.order
	}
	o.serial, o.frame = t.Serial, t.Index
	updater := g.updater()
	for i := range t.Rows {
		if r := &t.Rows[i]; updater != nil && r.Lane == updater.ID {
			o.read(r, parts, t)
		}
	}
	for i := range o.order { // a stable sort
		for k := i; k > 0 && o.began[o.order[k]] < o.began[o.order[k-1]]; k-- {
			o.order[k], o.order[k-1] = o.order[k-1], o.order[k]
		}
	}
	return o.order
}

// read finds the first scopes of parts in a row.
func (o *partOrder) read(r *timeline.Row, parts []report.Part, t *timeline.Timeline) {
	to := r.Beginning(t.Origin + t.Length)
	for at := r.Ending(t.Origin); at < to; at++ {
		for i := range parts {
			if p := &parts[i]; p.Path > 0 && p.Zone == r.Zone(at) && r.At[at].Begin < o.began[i] {
				o.began[i] = r.At[at].Begin
			}
		}
	}
}

// updater returns the lane that ends the frames, or nil.
func (g *painter) updater() *timeline.Lane {
	for i := range g.d.Timeline.Lanes {
		if l := &g.d.Timeline.Lanes[i]; l.Updater {
			return l
		}
	}
	return nil
}

// updaterName returns the name of the lane that ends the frames.
func (g *painter) updaterName() string {
	if l := g.updater(); l != nil {
		return l.Name
	}
	return "the frame"
}

// states returns the states of the goroutine that ends the frames, or of the whole program.
func (g *painter) states(q *gather.LaneState) []timeline.Stretch {
	t := g.shown()
	if t == nil {
		return nil
	}
	if q.Lane == 0 {
		return t.Whole
	}
	for i := range t.Bands {
		if t.Bands[i].ID == q.Lane {
			return t.Bands[i].States
		}
	}
	return nil
}

// moment returns the ends of a stretch on the scale of the bars. ok is false if it is not of the cause, or not in the
// frame.
func (g *painter) moment(q *timeline.Stretch, of *gather.LaneState) (at [2]float32, ok bool) {
	begin := max(q.Interval.Begin-g.d.Timeline.Origin, 0)
	end := min(q.Interval.End-g.d.Timeline.Origin, g.d.Timeline.Length)
	if q.Kind != of.Kind || q.Reason != of.Reason || end <= begin {
		return at, false
	}
	return [2]float32{g.x0 + float32(begin)*g.per, g.x0 + float32(end)*g.per}, true
}

// longest returns the ends of the longest stretch of a state. If its time is not known, they are those of timed.
func (g *painter) longest(c *report.Cause) (at [2]float32) {
	list := g.states(&c.State)
	for i := range list {
		if m, ok := g.moment(&list[i], &c.State); ok && m[1]-m[0] > at[1]-at[0] {
			at = m
		}
	}
	if at[1] > at[0] {
		return at
	}
	return g.timed(c.Time)
}

// others draws the stretches of a state besides the longest, which has its bar already.
func (g *painter) others(c *report.Cause, bar canvas.Rect, striped bool, col color.NRGBA) {
	list := g.states(&c.State)
	for i := range list {
		m, ok := g.moment(&list[i], &c.State)
		r := canvas.Box(draw.Snap(m[0]), bar.Y0, draw.Snap(max(m[1], m[0]+g.Em)), bar.Y1)
		if !ok || r.X0 < bar.X1 && r.X1 > bar.X0 {
			continue
		}
		if g.Rect(r.X0, r.Y0, r.X1, r.Y1, col); striped {
			g.Stripes(r, stripe, 0.45)
		}
	}
}
