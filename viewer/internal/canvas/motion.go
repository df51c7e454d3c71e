package canvas

// Eased is the upper end of a scale. It moves to its goal in small steps, one for each Draw, so that the eye can
// follow.
type Eased struct {
	Top    float32
	Moving bool // the next Draw moves it further, even for the same data
	Locked bool // the user has locked the scale
}

// Toward moves the end of the scale one step toward its goal. A locked scale stays.
func (e *Eased) Toward(goal float32) {
	if e.Locked && e.Top > 0 {
		e.Moving = false
		return
	}
	if e.Top == 0 || Abs(goal-e.Top) < 0.005*goal {
		e.Top = goal
	}
	e.Top += (goal - e.Top) * 0.3
	e.Moving = e.Top != goal
}

// Span is a part of an axis: of the frame, in shares of it, or of the time, in ms.
type Span struct{ From, Wide float64 }
