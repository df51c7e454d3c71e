package draw

// The sizes that the display can have besides the screen's own scale: steps of an eighth, as atlases have.
const (
	leastUIScale    = 0.75
	greatestUIScale = 3
)

// UIScale returns how large the display is beside what the screen's scale asks for: 1 at first.
func (p *Panel) UIScale() float32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.scale()
}

// SetUIScale makes everything larger or smaller, clamped to 0.75..3 and rounded to eighths; 0 and what is no number are 1.
func (p *Panel) SetUIScale(scale float32) {
	p.change(func() {
		if !(scale > 0) {
			scale = 1
		}
		p.uiScale = snap(min(max(scale, leastUIScale), greatestUIScale)*scaleStep) / scaleStep
	})
}

// scale is the scale chosen, or 1.
func (p *Panel) scale() float32 {
	if p.uiScale == 0 {
		return 1
	}
	return p.uiScale
}
