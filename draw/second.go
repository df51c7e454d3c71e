package draw

// Second is what the strip under the history shows.
type Second uint8

// The faces of the second strip.
const (
	SecondNone    Second = iota
	SecondSlowest        // the slowest frames, kept aside
	SecondMemory         // bytes allocated, live heap, garbage collections
	SecondValues         // counts and levels
	numSeconds    = iota
)

// secondHeight is its height in nominal pixels.
const secondHeight = 92

// Second returns what the second strip shows: nothing at first.
func (p *Panel) Second() Second {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.second
}

// SetSecond chooses what the second strip shows; values beyond the last are SecondNone.
func (p *Panel) SetSecond(s Second) { p.change(func() { p.second = s % numSeconds }) }

// drawSecond draws the second strip.
func (p *Panel) drawSecond(r rect) {
	switch p.second {
	case SecondSlowest:
		p.slowest.draw(&p.canvas, &p.shown, r)
	case SecondMemory:
		p.memory.draw(&p.canvas, &p.shown, &p.strip, r)
	case SecondValues:
		p.values.draw(&p.canvas, &p.shown, &p.strip, r)
	}
}
