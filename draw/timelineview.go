package draw

import "math"

// neighbours is how many frames beside the one looked at a timeline can reach in either direction.
const neighbours = 3

// closest is the shortest stretch of time that a timeline can be zoomed to, ms.
const closest = 0.0002

// timeView is which part of the time is in sight, in shares of the frame: the frame itself is from 0 to 1, its neighbours are
// beside it.
type timeView struct {
	at, goal       span
	least, most    float64 // as far as there are frames
	length         float64 // of the frame, ms
	in             rect    // of the scopes, in the last Draw
	down, downGoal float32 // pixels above the upper edge
	height         float32 // of all bands
	moving         bool
}

// clamp keeps what is in sight among the frames there are.
func (v *timeView) clamp(s span) span {
	narrow := 1e-9
	if v.length > 0 {
		narrow = min(closest/v.length, 1)
	}
	s.wide = min(max(s.wide, narrow), v.most-v.least)
	s.from = min(max(s.from, v.least), v.most-s.wide)
	return s
}

// ease moves what is shown a step towards its goal.
func (v *timeView) ease() {
	if v.goal.wide == 0 {
		v.at, v.goal = all, all
	}
	v.goal = v.clamp(v.goal)
	v.at.from += (v.goal.from - v.at.from) * 0.4
	v.at.wide += (v.goal.wide - v.at.wide) * 0.4
	if math.Abs(v.goal.from-v.at.from)+math.Abs(v.goal.wide-v.at.wide) < 0.002*v.goal.wide {
		v.at = v.goal
	}
	v.downGoal = max(min(v.downGoal, v.height-v.in.height()), 0)
	v.down += (v.downGoal - v.down) * 0.4
	if abs(v.down-v.downGoal) < 0.6 {
		v.down = v.downGoal
	}
	v.moving = v.at != v.goal || v.down != v.downGoal
}

// reach is how many older and newer frames are in sight, or about to be.
func (v *timeView) reach() (older, newer int) {
	from, to := min(v.at.from, v.goal.from), max(v.at.from+v.at.wide, v.goal.from+v.goal.wide)
	if from < -1e-9 {
		older = neighbours
	}
	if to > 1+1e-9 {
		newer = neighbours
	}
	return older, newer
}

// x is where a time lies on the screen.
func (v *timeView) x(ms float64) float32 {
	return v.in.x0 + float32((ms/v.length-v.at.from)/v.at.wide*float64(v.in.width()))
}

// ms is the time at a place on the screen.
func (v *timeView) ms(x float32) float64 {
	return (v.at.from + float64((x-v.in.x0)/v.in.width())*v.at.wide) * v.length
}

// ready reports whether there is anything that can be moved.
func (v *timeView) ready() bool { return v.goal.wide > 0 && v.length > 0 && v.in.width() > 0 }

// zoom makes the time wider about a place on the screen.
func (v *timeView) zoom(x float32, notches float64) {
	if !v.ready() || math.IsNaN(notches) {
		return
	}
	at := 0.5
	if share := float64((x - v.in.x0) / v.in.width()); share >= 0 && share <= 1 {
		at = share
	}
	wide := v.clamp(span{v.goal.from, v.goal.wide * math.Pow(0.8, notches)}).wide
	v.goal = v.clamp(span{v.goal.from + (v.goal.wide-wide)*at, wide})
}

// pan moves everything by so many pixels. What is dragged does not lag.
func (v *timeView) pan(dx, dy float32) {
	if !v.ready() || !finite(dx) || !finite(dy) {
		return
	}
	v.goal.from -= float64(dx/v.in.width()) * v.goal.wide
	v.goal = v.clamp(v.goal)
	v.at = v.goal
	v.scroll(-dy)
	v.down = v.downGoal
}

// scroll moves the bands up by so many pixels.
func (v *timeView) scroll(dy float32) {
	if finite(dy) {
		v.downGoal = max(min(v.downGoal+dy, v.height-v.in.height()), 0)
	}
}

// fit brings a stretch of time to the whole width, or the whole frame if that is it already.
func (v *timeView) fit(begin, end float64) {
	if !v.ready() {
		return
	}
	goal := all
	if end > begin {
		goal = v.clamp(span{begin / v.length, (end - begin) / v.length})
	}
	if goal == v.goal {
		goal = all
	}
	v.goal = goal
}
