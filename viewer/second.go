package viewer

// Second is the content of the strip below the history.
type Second uint8

// The contents of the second strip.
const (
	SecondNone    Second = iota
	SecondSlowest        // the slowest frames
	SecondMemory         // bytes allocated, live heap, garbage collections
	SecondValues         // the program's own counts and levels
	numSeconds    = iota
)

// secondHeight is the height of the strip in nominal pixels.
const secondHeight = 92

// drawSecond draws the second strip.
func (p *Panel) drawSecond(r rect) {
	switch p.options.Second {
	case SecondSlowest:
		p.slowest.draw(&p.canvas, &p.shown, r)
	case SecondMemory:
		p.memory.draw(&p.canvas, &p.shown, &p.strip, r)
	case SecondValues:
		p.values.draw(&p.canvas, &p.shown, &p.strip, r)
	}
}
