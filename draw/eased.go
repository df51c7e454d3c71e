package draw

// eased is the upper end of a scale, which moves to where it belongs in steps that the eye can follow.
type eased struct {
	top    float32
	moving bool // another Draw of the same data moves it on
	locked bool // the user holds it where it is
}

// toward moves the end a step to its goal.
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

// ToggleScaleLock holds the scales of the history as they are, or lets them follow the largest value in sight again.
func (p *Panel) ToggleScaleLock() {
	p.change(func() {
		locked := !p.strip.locked
		p.strip.locked, p.memory.bytes.locked, p.memory.heap.locked = locked, locked, locked
	})
}

// ScaleLocked reports whether the scales are held.
func (p *Panel) ScaleLocked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.strip.locked
}
