package viewer

import (
	"fmt"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/list"
)

// mostMessages is how many notes are kept for the list of messages.
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

// listNotes lists the notes that were shown, or closes the list.
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

// messagesLine prints the notes that were shown, those with a word if one is given.
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
