package viewer

import (
	"fmt"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/list"
)

// noteTime is the time for which a note is shown. Questions and important notes stay three times as long.
const noteTime = 1500 * time.Millisecond

// now returns the time by the host's clock, or by the system's.
func (p *Panel) now() time.Time {
	if p.options.Now != nil {
		return p.options.Now()
	}
	return time.Now()
}

// hasNote reports whether a note is shown.
func (p *Panel) hasNote() bool { return p.note != "" && p.now().Before(p.noteEnds) }

// drawNote draws the note above the footer.
func (p *Panel) drawNote(screen canvas.Rect) {
	if !p.hasNote() {
		return
	}
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

// Ask shows a question in the place of a note, three times as long. The answer is yes if Ask is called again with the
// same question while it is shown. Commands that cannot be undone, or not for long, ask first. On a hidden panel the
// answer is always yes. Any goroutine may call it.
func (p *Panel) Ask(question string) (yes bool) {
	p.change(func() {
		yes = p.options.Mode == PanelOff || p.note == question && p.hasNote()
		if yes {
			p.note = ""
			return
		}
		p.say(3*noteTime, question)
	})
	return yes
}

// Note shows a text in a line above the footer for 1.5 seconds. Any goroutine may call it.
func (p *Panel) Note(text string) { p.noteFor(noteTime, text) }

// noteFor shows a note for a time.
func (p *Panel) noteFor(long time.Duration, text string) {
	p.change(func() { p.say(long, text) })
}

// mostMessages is the number of notes kept for the list of messages.
const mostMessages = 200

// message is a note that was shown.
type message struct {
	when time.Time
	text string
}

// say shows a note for a time, and keeps it for the list of messages. The lock is held.
func (p *Panel) say(long time.Duration, note string) {
	now := p.now()
	p.note, p.noteEnds = note, now.Add(long)
	if len(p.messages) == mostMessages {
		p.messages = append(p.messages[:0], p.messages[1:]...)
	}
	p.messages = append(p.messages, message{now, note})
}

// listNotes lists the notes shown so far, or closes the list.
func listNotes(_ *process.Session, p *Panel) {
	if p.listKindIs(listMessages) {
		return
	}
	p.change(func() {
		rows := make([]list.Row, len(p.messages))
		for i, m := range p.messages {
			rows[i] = list.Row{Keys: []float64{float64(m.when.UnixNano()), 0},
				Words: []string{m.when.Format("15:04:05"), text.Name(m.text)}}
		}
		l := p.show(listMessages, "messages", messageColumns, rows, 0)
		l.Note, l.None = fmt.Sprintf("%d until now; / searches", len(rows)), "nothing was said yet"
	})
}

// messagesLine prints the notes shown so far, with a word only those that contain it.
func (t *Typed) messagesLine() error {
	t.Panel.mu.Lock()
	said := append([]message(nil), t.Panel.messages...)
	t.Panel.mu.Unlock()
	n := 0
	for _, m := range said {
		if words := text.Name(m.text); t.asksFor(words) {
			t.Printf("%s  %s", m.when.Format("15:04:05"), words)
			n++
		}
	}
	if n == 0 {
		t.Printf("no messages")
	}
	return nil
}
