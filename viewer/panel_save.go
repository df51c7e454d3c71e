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

// Note shows a text in a line above the footer for 90 Draws, a second or two. Any goroutine may call it.
func (p *Panel) Note(text string) {
	p.change(func() { p.note, p.noteDraws = text, noteDraws })
}
