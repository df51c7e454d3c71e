package timeline

import (
	"math"

	"example.com/iprof/viewer/internal/canvas"
)

// closest is the shortest stretch of time that can fill the timeline, ms.
const closest = 0.0002

// timeView is the visible part of the time, in ms from the beginning of the shown frame. Other frames are before 0 and
// after length.
type timeView struct {
	at, goal       canvas.Span // a goal of width 0 is the whole frame
	from, to       float64     // ends of the frames that can be in sight
	length         float64     // of the frame shown
	in             canvas.Rect // place of the scopes in the last Draw
	down, downGoal float32     // pixels of the bands above the upper edge, and the goal
	height         float32     // height of all bands, pixels
	moving, fitted bool        // fitted: the last Draw showed the whole frame
	reachAll       bool        // a search needs all frames

	joined      bool        // should have the axis of the history
	plot        canvas.Rect // place of the history's columns while joined
	axisChanged bool        // that axis has changed: the next Draw has other frames
}

// Joined reports whether the timeline should have the axis of the history.
func (v *timeView) Joined() bool { return v.joined }

// onPlot reports whether the timeline has the axis of the history.
func (v *timeView) onPlot() bool { return v.joined && v.plot.Width() > 0 }

// join shows the time of the history in the same place: from begin to end, in ms, in the width of the plot.
func (v *timeView) join(begin, end float64) {
	per := (end - begin) / float64(v.plot.Width())
	now := canvas.Span{From: begin + float64(v.in.X0-v.plot.X0)*per, Wide: float64(v.in.Width()) * per}
	v.axisChanged = now != v.at
	v.goal, v.at = now, now
}

// frameSpan returns the span of the shown frame.
func (v *timeView) frameSpan() canvas.Span { return canvas.Span{From: 0, Wide: v.length} }

// target returns the goal in ms.
func (v *timeView) target() canvas.Span {
	if v.goal.Wide == 0 {
		return v.frameSpan()
	}
	return v.goal
}

// clamp moves the part in sight into the frames that can be in sight.
func (v *timeView) clamp(s canvas.Span) canvas.Span {
	s.Wide = min(max(s.Wide, closest), v.to-v.from)
	s.From = min(max(s.From, v.from), v.to-s.Wide)
	return s
}

// ease moves the part in sight one step toward its goal.
func (v *timeView) ease() {
	if v.goal.Wide > 0 && !v.onPlot() {
		v.goal = v.clamp(v.goal)
	}
	goal := v.target()
	if v.at.Wide == 0 || v.fitted && v.goal.Wide == 0 {
		v.at = goal
	}
	v.at.From += (goal.From - v.at.From) * 0.4
	v.at.Wide += (goal.Wide - v.at.Wide) * 0.4
	if math.Abs(goal.From-v.at.From)+math.Abs(goal.Wide-v.at.Wide) < 0.002*goal.Wide {
		v.at = goal
	}
	v.fitted = v.goal.Wide == 0 && v.at == goal
	v.downGoal = max(min(v.downGoal, v.height-v.in.Height()), 0)
	v.down += (v.downGoal - v.down) * 0.4
	if canvas.Abs(v.down-v.downGoal) < 0.6 {
		v.down = v.downGoal
	}
	v.moving = v.at != goal || v.down != v.downGoal || v.onPlot() && v.axisChanged
}

// Reach returns the stretch of time that the next snapshot must cover: from 0 or less to the length or more. It is 0, 0
// for only the frame.
func (v *timeView) Reach() (from, to float64) {
	if v.reachAll {
		return min(v.from, 0), max(v.to, v.length)
	}
	goal := v.target()
	from, to = min(v.at.From, goal.From), max(v.at.From+v.at.Wide, goal.From+goal.Wide)
	if v.goal.Wide == 0 && v.fitted || from > -1e-9 {
		from = 0
	}
	if v.goal.Wide == 0 && v.fitted || to < v.length+1e-9 {
		to = 0
	}
	return from, to
}

// Share returns a part of the time in shares of the frame.
func (v *timeView) Share() (from, to float64) {
	if v.length <= 0 || v.goal.Wide == 0 {
		return 0, 1
	}
	return v.goal.From / v.length, (v.goal.From + v.goal.Wide) / v.length
}

// x returns the x of a time in ms.
func (v *timeView) x(ms float64) float32 {
	return v.in.X0 + float32((ms-v.at.From)/v.at.Wide*float64(v.in.Width()))
}

// ms returns the time at x, ms.
func (v *timeView) ms(x float32) float64 {
	return v.at.From + float64((x-v.in.X0)/v.in.Width())*v.at.Wide
}

// ready reports whether there is a frame that zoom and pan can move.
func (v *timeView) ready() bool { return v.at.Wide > 0 && v.length > 0 && v.in.Width() > 0 }

// set chooses the part in sight. A goal of the whole frame follows the shown frame.
func (v *timeView) set(s canvas.Span) {
	v.joined = false
	v.goal = v.clamp(s)
	if v.goal == v.frameSpan() {
		v.goal = canvas.Span{}
	}
}

// zoom scales the time about a place on the screen.
func (v *timeView) zoom(x float32, notches float64) {
	if !v.ready() || math.IsNaN(notches) {
		return
	}
	at := 0.5
	if share := float64((x - v.in.X0) / v.in.Width()); share >= 0 && share <= 1 {
		at = share
	}
	goal := v.target()
	wide := v.clamp(canvas.Span{From: goal.From, Wide: goal.Wide * math.Pow(0.8, notches)}).Wide
	v.set(canvas.Span{From: goal.From + (goal.Wide-wide)*at, Wide: wide})
}

// pan moves the time and the bands by dx and dy pixels at once, because a dragged picture must follow the mouse.
func (v *timeView) pan(dx, dy float32) {
	if !v.ready() || !canvas.Finite(dx) || !canvas.Finite(dy) {
		return
	}
	goal := v.target()
	if dx != 0 {
		v.set(canvas.Span{From: goal.From - float64(dx/v.in.Width())*goal.Wide, Wide: goal.Wide})
		v.at = v.target()
	}
	v.scroll(-dy)
	v.down = v.downGoal
}

// scroll moves the bands up by dy pixels.
func (v *timeView) scroll(dy float32) {
	if canvas.Finite(dy) {
		v.downGoal = max(min(v.downGoal+dy, v.height-v.in.Height()), 0)
	}
}

// fit fits a stretch of time to the width of the screen. If the stretch fits already, it shows the whole frame.
func (v *timeView) fit(begin, end float64) {
	v.joined = false
	if !v.ready() {
		return
	}
	goal := canvas.Span{}
	if end > begin {
		goal = v.clamp(canvas.Span{From: begin, Wide: end - begin})
	}
	if goal == v.goal {
		goal = canvas.Span{}
	}
	v.goal = goal
}

// mostOfFrame is a share of the frame above which all of it is shown.
const mostOfFrame = 0.8

// around brings a stretch of time into sight with room on both sides, which ends where the frame does.
func (v *timeView) around(begin, end float64) {
	const room = 0.5 // share of the length, on each side
	if length := end - begin; length > 0 && v.ready() {
		from, to := max(begin-room*length, min(begin, 0)), min(end+room*length, max(end, v.length))
		if inside := from >= 0 && to <= v.length; inside && to-from > mostOfFrame*v.length {
			from, to = 0, v.length
		}
		v.set(canvas.Span{From: from, Wide: to - from})
	}
}
