package viewer

// Save is a file that a panel can save: see Options.Saver.
type Save uint8

// The files that a panel can save.
const (
	SavePicture Save = iota // the window, as PNG
	SaveReport              // an HTML page of the measurements
)

// save calls the Saver of the options. Without one, it shows a note.
func (p *Panel) save(what Save) {
	p.mu.Lock()
	f := p.options.Saver
	p.mu.Unlock()
	if f == nil {
		p.Note("this program saves no files: see Panel.Options")
		return
	}
	f(what)
}

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
