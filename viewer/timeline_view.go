package viewer

import "math"

// closest is the shortest stretch of time that can fill the timeline, ms.
const closest = 0.0002

// timeView is the part of the time that is in sight, in ms from the beginning of the frame shown. Other frames are
// before 0 and after length.
type timeView struct {
	at, goal       span    // a goal of width 0 is the whole frame
	least, most    float64 // ends of the frames that can be in sight
	length         float64 // of the frame shown
	in             rect    // place of the scopes in the last Draw
	down, downGoal float32 // pixels of the bands above the upper edge, and the goal
	height         float32 // height of all bands, pixels
	moving, fitted bool    // fitted: the last Draw showed the whole frame
	reachAll       bool    // a search needs all frames
}

// whole is the frame shown.
func (v *timeView) whole() span { return span{0, v.length} }

// target is the goal in ms.
func (v *timeView) target() span {
	if v.goal.wide == 0 {
		return v.whole()
	}
	return v.goal
}

// clamp moves the part in sight into the frames that can be in sight.
func (v *timeView) clamp(s span) span {
	s.wide = min(max(s.wide, closest), v.most-v.least)
	s.from = min(max(s.from, v.least), v.most-s.wide)
	return s
}

// ease moves the part in sight one step toward its goal.
func (v *timeView) ease() {
	if v.goal.wide > 0 {
		v.goal = v.clamp(v.goal)
	}
	goal := v.target()
	if v.at.wide == 0 || v.fitted && v.goal.wide == 0 {
		v.at = goal
	}
	v.at.from += (goal.from - v.at.from) * 0.4
	v.at.wide += (goal.wide - v.at.wide) * 0.4
	if math.Abs(goal.from-v.at.from)+math.Abs(goal.wide-v.at.wide) < 0.002*goal.wide {
		v.at = goal
	}
	v.fitted = v.goal.wide == 0 && v.at == goal
	v.downGoal = max(min(v.downGoal, v.height-v.in.height()), 0)
	v.down += (v.downGoal - v.down) * 0.4
	if abs(v.down-v.downGoal) < 0.6 {
		v.down = v.downGoal
	}
	v.moving = v.at != goal || v.down != v.downGoal
}

// reach returns the part of the time outside the frame that the next snapshot must have: from 0 or less to the length
// or more. It is 0, 0 for the frame alone.
func (v *timeView) reach() (from, to float64) {
	if v.reachAll {
		return min(v.least, 0), max(v.most, v.length)
	}
	goal := v.target()
	from, to = min(v.at.from, goal.from), max(v.at.from+v.at.wide, goal.from+goal.wide)
	if v.goal.wide == 0 && v.fitted || from > -1e-9 {
		from = 0
	}
	if v.goal.wide == 0 && v.fitted || to < v.length+1e-9 {
		to = 0
	}
	return from, to
}

// share returns a part of the time in shares of the frame.
func (v *timeView) share() (from, to float64) {
	if v.length <= 0 || v.goal.wide == 0 {
		return 0, 1
	}
	return v.goal.from / v.length, (v.goal.from + v.goal.wide) / v.length
}

// x returns the x of a time in ms.
func (v *timeView) x(ms float64) float32 {
	return v.in.x0 + float32((ms-v.at.from)/v.at.wide*float64(v.in.width()))
}

// ms returns the time at x, ms.
func (v *timeView) ms(x float32) float64 {
	return v.at.from + float64((x-v.in.x0)/v.in.width())*v.at.wide
}

// ready reports whether there is a frame that zoom and pan can move.
func (v *timeView) ready() bool { return v.at.wide > 0 && v.length > 0 && v.in.width() > 0 }

// set chooses the part in sight. The whole frame stays the whole frame when another one is shown.
func (v *timeView) set(s span) {
	if v.goal = v.clamp(s); v.goal == v.whole() {
		v.goal = span{}
	}
}

// zoom scales the time about a place on the screen.
func (v *timeView) zoom(x float32, notches float64) {
	if !v.ready() || math.IsNaN(notches) {
		return
	}
	at := 0.5
	if share := float64((x - v.in.x0) / v.in.width()); share >= 0 && share <= 1 {
		at = share
	}
	goal := v.target()
	wide := v.clamp(span{goal.from, goal.wide * math.Pow(0.8, notches)}).wide
	v.set(span{goal.from + (goal.wide-wide)*at, wide})
}

// pan moves the time and the bands by dx and dy pixels at once, because a dragged picture must follow the mouse.
func (v *timeView) pan(dx, dy float32) {
	if !v.ready() || !finite(dx) || !finite(dy) {
		return
	}
	goal := v.target()
	v.set(span{goal.from - float64(dx/v.in.width())*goal.wide, goal.wide})
	v.at = v.target()
	v.scroll(-dy)
	v.down = v.downGoal
}

// scroll moves the bands up by dy pixels.
func (v *timeView) scroll(dy float32) {
	if finite(dy) {
		v.downGoal = max(min(v.downGoal+dy, v.height-v.in.height()), 0)
	}
}

// fit fits a stretch of time to the width of the screen. If that is so already, it shows the whole frame.
func (v *timeView) fit(begin, end float64) {
	if !v.ready() {
		return
	}
	goal := span{}
	if end > begin {
		goal = v.clamp(span{begin, end - begin})
	}
	if goal == v.goal {
		goal = span{}
	}
	v.goal = goal
}

// around brings a stretch of time into sight with room on both sides.
func (v *timeView) around(begin, end float64) {
	const room = 0.5 // share of the length, on each side
	if length := end - begin; length > 0 && v.ready() {
		v.set(span{begin - room*length, (1 + 2*room) * length})
	}
}
