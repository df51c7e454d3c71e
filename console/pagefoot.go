package console

import (
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/input"
	"example.com/iprof/viewer"
)

// This file has the lines at the foot of the page: the answer of the last command, the keys, the prompt. It also has
// the list of all keys.

// answerLines returns the answer of the last command, cut to the given number of lines.
func (p *page) answerLines(width, most int) []string {
	if p.prompt.open || len(p.answer) == 0 {
		return nil
	}
	var lines []string
	for _, line := range p.answer {
		for _, part := range wrapped(line, width) {
			lines = append(lines, p.styled(yellow, part))
		}
	}
	if len(lines) > most {
		lines = append(lines[:most-1], p.styled(faint, "..."))
	}
	return lines
}

// wrapped breaks a line at spaces so that each part fits. A word that is too wide is cut.
func wrapped(line string, width int) (lines []string) {
	for len([]rune(line)) > width {
		at := strings.LastIndexByte(string([]rune(line)[:width+1]), ' ')
		if at <= 0 || strings.TrimSpace(line[:at]) == "" {
			break
		}
		lines = append(lines, line[:at])
		line = "    " + strings.TrimLeft(line[at:], " ")
	}
	return append(lines, text.Cut(line, width))
}

// foot returns the last line: the keys, or the line that is being typed.
func (p *page) foot(width int) string {
	if p.prompt.open {
		typed := []rune(p.prompt.typed)
		typed = typed[max(0, len(typed)-(width-3)):]
		return ":" + string(typed) + p.styled(reversed, " ")
	}
	keys := "q leave  ? help  : command"
	for _, hint := range p.hints() {
		next := keys + "  " + p.keys(hint) + " " + hint.Action
		if len([]rune(next)) > width {
			break
		}
		keys = next
	}
	return p.styled(faint, text.Cut(keys, width))
}

// hints returns the help for the window's keys that work here.
func (p *page) hints() []viewer.KeyHint {
	return viewer.PanelFor(p.session).Hints(input.Keys(p.bindings()))
}

// keys returns the names of a hint's keys as typed in a terminal: letters in lower case, the six digits as 1-6.
func (p *page) keys(hint viewer.KeyHint) string {
	keys := strings.Fields(strings.Replace(hint.Keys, "1 2 3 4 5 6", "1-6", 1))
	for i, key := range keys {
		if len(key) == 1 {
			keys[i] = strings.ToLower(key)
		} else if letter, ok := strings.CutPrefix(key, "Shift+"); ok && len(letter) == 1 {
			keys[i] = letter
		}
	}
	if p.unicode {
		return strings.Join(keys, " ")
	}
	return strings.NewReplacer("↑", "Up", "↓", "Down", "←", "Left", "→", "Right").Replace(strings.Join(keys, " "))
}

// helpText returns the head and the lines of the list of keys.
func (p *page) helpText(width int) (head, rows []string) {
	own := []viewer.KeyHint{{Keys: "/", Action: "find zone"}, {Keys: ":", Action: "command, :help lists them"},
		{Keys: "?", Action: "this help, or back"}, {Keys: "q", Action: "leave this page"}}
	for _, hint := range append(p.hints(), own...) {
		keys, words := p.keys(hint), hint.Words
		if words == "" {
			words = hint.Action
		}
		rows = append(rows, text.Cut("  "+keys+strings.Repeat(" ", max(1, 24-len([]rune(keys))))+words, width))
	}
	return []string{p.styled(bold, "keys"), ""}, rows
}
