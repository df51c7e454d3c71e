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
func (s *shared) now() time.Time {
	if s.options.Now != nil {
		return s.options.Now()
	}
	return time.Now()
}

// hasNote reports whether a note is shown.
func (s *shared) hasNote() bool { return s.note != "" && s.now().Before(s.noteEnds) }

// drawNote draws the note above the footer.
func (s *shared) drawNote(screen canvas.Rect) {
	if !s.hasNote() {
		return
	}
	c := &s.canvas
	width := min(c.Width(draw.FaceText, s.note)+28*c.Em, screen.Width())
	x, y := draw.Snap((screen.Width()-width)/2), screen.Y1-70*c.Em
	box := canvas.Box(x, y, x+width, y+28*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 6*c.Em, c.Tab)
	c.Left(x+14*c.Em, width-24*c.Em, box, draw.FaceText, s.note, c.TextBright)
}

// The files that a panel can save.
const (
	SavePicture SaveRequest = iota // the window, as PNG
	SaveReport                     // an HTML page of the measurements
)

// Ask shows a question in the place of a note, three times as long. The answer is yes if Ask is called again with the
// same question while it is shown. Commands that cannot be undone, or not for long, ask first. On a hidden panel the
// answer is always yes. Any goroutine may call it.
func (s *shared) Ask(question string) (yes bool) {
	s.change(func() {
		yes = s.options.Mode == PanelOff || s.note == question && s.hasNote()
		if yes {
			s.note = ""
			return
		}
		s.say(3*noteTime, question)
	})
	return yes
}

// Note shows a text in a line above the footer for 1.5 seconds. Any goroutine may call it.
func (s *shared) Note(text string) { s.noteFor(noteTime, text) }

// noteFor shows a note for a time.
func (s *shared) noteFor(long time.Duration, text string) {
	s.change(func() { s.say(long, text) })
}

// mostMessages is the number of notes kept for the list of messages.
const mostMessages = 200

// message is a note that was shown.
type message struct {
	at   time.Time
	text string
}

// say shows a note for a time, and keeps it for the list of messages. The lock is held.
func (s *shared) say(long time.Duration, note string) {
	now := s.now()
	s.note, s.noteEnds = note, now.Add(long)
	if len(s.messages) == mostMessages {
		s.messages = append(s.messages[:0], s.messages[1:]...)
	}
	s.messages = append(s.messages, message{now, note})
}

// listNotes lists the notes shown so far, or closes the list.
func listNotes(_ *process.Session, p *Panel) {
	if listKindIs(p, listMessages) {
		return
	}
	p.change(func() {
		rows := make([]list.Row, len(p.messages))
		for i, m := range p.messages {
			rows[i] = list.Row{Keys: []float64{float64(m.at.UnixNano()), 0},
				Words: []string{m.at.Format("15:04:05"), text.Name(m.text)}}
		}
		l := &p.listed
		l.show(listMessages, "messages", messageColumns, rows, 0)
		l.List.Note, l.None = fmt.Sprintf("%d until now; / searches", len(rows)), "nothing was said yet"
	})
}

// messagesLine prints the notes shown so far, with a word only those that contain it.
func (t *Line) messagesLine() error {
	t.Panel.mu.Lock()
	said := append([]message(nil), t.Panel.messages...)
	t.Panel.mu.Unlock()
	n := 0
	for _, m := range said {
		if words := text.Name(m.text); t.asksFor(words) {
			t.Printf("%s  %s", m.at.Format("15:04:05"), words)
			n++
		}
	}
	if n == 0 {
		t.Printf("no messages")
	}
	return nil
}
