package draw

// Save is what a panel asks its host to write to a file.
type Save uint8

// What can be saved.
const (
	SavePicture Save = iota // the window, as PNG
	SaveReport              // an HTML page of the measurements
)

// SetSaver gives the panel a way to save: f writes a file, at once or after it returns, and says with Note where it is or why
// it is not. Nil takes the way away.
func (p *Panel) SetSaver(f func(what Save)) { p.change(func() { p.saver = f }) }

// Save has the host save something. It reports whether there is a host that can; where there is none, the panel says so.
func (p *Panel) Save(what Save) bool {
	p.mu.Lock()
	f := p.saver
	p.mu.Unlock()
	if f == nil {
		p.Note("this program saves no files: see Panel.SetSaver")
		return false
	}
	f(what)
	return true
}

// Note says something in a line above the footer, for a second or so.
func (p *Panel) Note(text string) {
	p.change(func() { p.note, p.noteDraws = text, noteDraws })
}
