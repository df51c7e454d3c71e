package viewer

import (
	"math"
	"slices"
)

// tallest is how many times the frame budget the scale reaches, as long as few frames are longer.
const tallest = 3

// ease moves the scale toward the one that fits the frames in sight. The columns of a few frames far above the others
// are cut, so that the others stay readable.
func (s *strip) ease(d *shown) {
	longest := float32(0)
	for i := range d.Past.Columns {
		if v := d.Past.Columns[i].Busy; v > longest && finite(v) {
			longest = v
		}
	}
	s.longest = longest
	if s.lines {
		s.lower(d, roundUp(max(s.longestLine()*1.06, 0.1)*100)/100)
		return
	}
	if most := s.ordinary(d); longest > 1.2*most {
		longest = most
	}
	s.lower(d, roundUp(max(longest*1.06, 20)))
}

// lower moves the scale toward a goal. While frames come in, it waits some time before it follows them down, because
// each change of the scale moves the whole history.
func (s *strip) lower(d *shown, goal float32) {
	if !d.info.Live || s.released || goal >= s.top {
		s.waited, s.released = 0, false
	} else if s.waited += s.places.last; s.waited < steadyMS {
		goal = s.top
	}
	s.toward(goal)
}

// release lets the scale follow at once, because the user has changed what it is for.
func (s *strip) release() { s.released = true }

// ordinary returns the length up to which columns are not cut, ms: a few times the budget, or more if one in ten
// columns is that long.
func (s *strip) ordinary(d *shown) float32 {
	s.lengths = s.lengths[:0]
	for i := range d.Past.Columns {
		if v := d.Past.Columns[i].Busy; finite(v) {
			s.lengths = append(s.lengths, v)
		}
	}
	budget := float32(d.info.Budget.Seconds() * 1000)
	if budget <= 0 {
		budget = length60
	}
	if len(s.lengths) == 0 {
		return tallest * budget
	}
	slices.Sort(s.lengths)
	return max(tallest*budget, 1.5*s.lengths[len(s.lengths)*9/10])
}

// roundUp returns the next of 20, 40, 50, 80, 100, 200 and so on.
func roundUp(v float32) float32 {
	for unit := float32(10); unit < 1e9; unit *= 10 {
		for _, m := range [...]float32{2, 4, 5, 8, 10} {
			if v <= m*unit {
				return m * unit
			}
		}
	}
	return 1e10
}

// y returns the y of a time in ms.
func (s *strip) y(plot rect, ms float32) float32 {
	return plot.y1 - min(ms/s.top, 1)*plot.height()
}

// tickStep returns the distance between the lines of the axis, ms. There are about five lines.
func (s *strip) tickStep() float32 {
	unit := float32(math.Pow(10, math.Floor(math.Log10(float64(s.top)/2))))
	for _, m := range [...]float32{0.5, 1, 2, 2.5} {
		if s.top/(m*unit) <= 5.01 {
			return m * unit
		}
	}
	return 5 * unit
}
