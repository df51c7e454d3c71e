package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/viewer/internal/canvas"
)

// noteDraws is the number of Draws that show a note.
const noteDraws = 90

// drawNote draws the note above the footer.
func (p *Panel) drawNote(screen canvas.Rect) {
	if p.noteDraws == 0 {
		return
	}
	p.noteDraws--
	c := &p.canvas
	width := min(c.Width(draw.FaceText, p.note)+28*c.Em, screen.Width())
	x, y := draw.Snap((screen.Width()-width)/2), screen.Y1-70*c.Em
	box := canvas.Box(x, y, x+width, y+28*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 6*c.Em, c.Tab)
	c.Left(x+14*c.Em, width-24*c.Em, box, draw.FaceText, p.note, c.TextBright)
}

// The files that a panel can save.
const (
	SavePicture Save = iota // the window, as PNG
	SaveReport              // an HTML page of the measurements
)

// Ask shows a question where Note does, three times as long. It reports whether the answer is yes: Ask was called with
// the same question while that was still there. A command that cannot be undone, or not for long, asks first. A hidden
// panel cannot ask: the answer is yes. Any goroutine may call it.
func (p *Panel) Ask(question string) (yes bool) {
	p.change(func() {
		yes = p.options.Mode == PanelOff || p.note == question && p.noteDraws > 0
		p.note, p.noteDraws = question, 3*noteDraws
		if yes {
			p.note, p.noteDraws = "", 0
		}
	})
	return yes
}

// Note shows a text in a line above the footer for 90 Draws, a second or two. Any goroutine may call it.
func (p *Panel) Note(text string) { p.noteFor(noteDraws, text) }

// noteFor shows a note for a number of Draws.
func (p *Panel) noteFor(draws int, text string) {
	p.change(func() { p.note, p.noteDraws = text, draws })
}
