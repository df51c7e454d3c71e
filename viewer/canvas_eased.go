package viewer

// eased is the upper end of a scale. It moves to its goal in small steps, one for each Draw, so that the eye can
// follow.
type eased struct {
	top    float32
	moving bool // the next Draw moves it further, even for the same data
	locked bool // the user has locked the scale
}

// toward moves the end of the scale one step toward its goal. A locked scale stays.
func (e *eased) toward(goal float32) {
	if e.locked && e.top > 0 {
		e.moving = false
		return
	}
	if e.top == 0 || abs(goal-e.top) < 0.005*goal {
		e.top = goal
	}
	e.top += (goal - e.top) * 0.3
	e.moving = e.top != goal
}

// toggleScaleLock locks the scales of the history and of the memory strip, or unlocks them. An unlocked scale follows
// the largest value in sight.
func (p *Panel) toggleScaleLock() {
	p.change(func() {
		locked := !p.strip.locked
		p.strip.locked, p.memory.bytes.locked, p.memory.heap.locked = locked, locked, locked
	})
}
