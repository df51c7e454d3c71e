package console

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"example.com/iprof/input"
)

// prompt is the command line at the foot of the page.
type prompt struct {
	open  bool
	typed string
}

// longestLine is the greatest length of a line in bytes.
const longestLine = 1024

// take edits the line. Enter runs it, Tab completes it, Escape drops it.
func (l *prompt) take(k stroke, p *page) {
	switch {
	case k.key == input.KeyEnter:
		p.answer = carryOut(p, l.typed)
		*l = prompt{}
	case k.key == input.KeyTab:
		l.typed = completed(p.session, l.typed)
	case k.key == input.KeyEscape, k.key == input.KeyBackspace && l.typed == "":
		*l = prompt{}
	case k.key == input.KeyBackspace:
		_, size := utf8.DecodeLastRuneInString(l.typed)
		l.typed = l.typed[:len(l.typed)-size]
	case k.char >= ' ' && len(l.typed) < longestLine:
		l.typed += string(k.char)
	}
}

// carryOut runs a command and returns the lines of its answer. The answer has Command's error, and a buffer never
// fails.
func carryOut(p *page, line string) []string {
	var answer bytes.Buffer
	_ = Command(p.session, &answer, line)
	if answer.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(answer.String(), "\n"), "\n")
}
