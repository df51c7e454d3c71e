package console

import (
	"bytes"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/process"
)

// page composes what a terminal shows of a session.
type page struct {
	session *process.Session
	report  process.Report
	frames  []process.FrameSummary
	words   bytes.Buffer
	top     int // first record in sight
	help    bool
	prompt  prompt
	answer  []string // of the last command, until the next key
	unicode bool
	color   bool
}

func newPage(s *process.Session) *page {
	p := &page{session: s}
	p.unicode, p.color = text.Environment()
	return p
}

// The styles. Colours are the terminal's own, by their standard numbers.
const (
	bold     = "\x1b[1m"
	reversed = "\x1b[7m"
	faint    = "\x1b[90m"
	yellow   = "\x1b[33m"
	red      = "\x1b[31m"
	green    = "\x1b[32m"
	ended    = "\x1b[0m"
)

// styled puts a style around s; colours only where they are wanted.
func (p *page) styled(style, s string) string {
	if s == "" || !p.color && style != bold && style != reversed {
		return s
	}
	return style + s + ended
}

// narrowest is the least width that a page is made for; what a smaller screen has no room for stays out of sight.
const narrowest = 24

// lines returns exactly height lines of at most width cells.
func (p *page) lines(width, height int) []string {
	width, height = max(width, narrowest), max(height, 4)
	head, rows := p.table(width)
	if p.help {
		head, rows = p.helpText(width)
	}
	answer := p.answerLines(width, max(height/2, height-8))
	room := max(1, height-len(head)-len(answer)-1)
	lines := append(head, p.inSight(rows, room)...)
	for len(lines)+len(answer)+1 < height {
		lines = append(lines, "")
	}
	lines = append(append(lines, answer...), p.foot(width))
	return lines[len(lines)-min(height, len(lines)):]
}

// table returns the lines above the records, and those of the records.
func (p *page) table(width int) (head, rows []string) {
	p.session.AppendReport(&p.report)
	r := &p.report
	r.Values = r.Values[:0] // the room is the records'
	p.words.Reset()
	text.WriteReport(&p.words, r, text.Options{Cursor: true, Precision: draw.PanelFor(p.session).Precision(), Width: width}) // a buffer never fails
	all := strings.Split(strings.TrimSuffix(p.words.String(), "\n"), "\n")
	head, rows = all[:len(all)-len(r.Records)], all[len(all)-len(r.Records):]
	for i := range head {
		switch {
		case i == 0 || i == len(head)-1:
			head[i] = p.styled(bold, head[i])
		case head[i] == "": // between titles and table
			head[i] = p.strip(width)
		default:
			head[i] = p.styled(yellow, head[i])
		}
	}
	for i := range rows {
		rows[i] = p.row(rows[i], &r.Records[i], i == r.Cursor, width)
	}
	return head, rows
}

// row styles the line of a record.
func (p *page) row(line string, r *process.Record, cursor bool, width int) string {
	switch {
	case cursor:
		return p.styled(reversed, line+strings.Repeat(" ", max(0, width-len([]rune(line)))))
	case r.Idle:
		return p.styled(faint, line)
	case r.Heat > 0.5:
		return p.styled(yellow, line)
	}
	return line
}

// inSight returns the rows that fit, so that the highlighted one is among them.
func (p *page) inSight(rows []string, room int) []string {
	if p.help {
		return rows[:min(room, len(rows))]
	}
	cursor := max(0, p.report.Cursor)
	p.top = max(cursor-room+1, min(p.top, cursor))
	p.top = max(0, min(p.top, len(rows)-room))
	return rows[p.top:min(len(rows), p.top+room)]
}

// strip is the history: a bar a frame, newest on the right, as tall as its busy time beside twice the budget. It moves back
// to where the frame shown is in sight.
func (p *page) strip(width int) string {
	state := text.Cut(p.state(), width)
	room, age := max(0, width-len(state)), p.report.Frame.Age
	if p.report.Frame.Kept { // it has no bar
		age = -1
	}
	newest := max(0, age-room/2) // age of the rightmost bar, unless the frame shown is in sight without
	if age < room {
		newest = 0
	}
	p.frames = p.session.AppendFrames(p.frames[:0], room+newest)
	p.frames = p.frames[:max(0, len(p.frames)-newest)]
	budget := float32(p.report.Frame.Budget.Seconds() * 1000)
	b := strings.Builder{}
	b.WriteString(p.styled(bold, state))
	for i := range p.frames {
		b.WriteString(p.bar(&p.frames[i], budget, newest+len(p.frames)-1-i == age))
	}
	return b.String()
}

// state says in words what is shown.
func (p *page) state() string {
	f := &p.report.Frame
	switch {
	case !gather.Enabled && f.Frames == 0: // what is replayed can be shown
		return "nothing is measured: built with the tag iprof_off"
	case f.Frames == 0:
		return ""
	case !f.Recording:
		return "NOT RECORDING "
	case f.Kept:
		return "KEPT "
	case f.Paused:
		return "PAUSED "
	case f.Age > 0:
		return "OLD "
	}
	return "live "
}

// The heights of a bar, with and without Unicode.
var (
	blocks = []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	marks  = []string{".", ":", "-", "=", "+", "*", "#", "@"}
)

// bar draws one frame; the one shown is reversed unless it is the newest.
func (p *page) bar(f *process.FrameSummary, budget float32, shown bool) string {
	levels := marks
	if p.unicode {
		levels = blocks
	}
	level := 0
	if budget > 0 {
		level = min(max(int(f.Busy/(2*budget)*float32(len(levels))), 0), len(levels)-1)
	}
	style := green
	if f.Over {
		style = red
	}
	if shown && p.report.Frame.Age > 0 {
		style = reversed
	}
	return p.styled(style, levels[level])
}

// answerLines is what the last command answered, as much as fits.
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

// wrapped breaks a line at its spaces where it has to be broken; a word that is too wide is cut.
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

// foot is the last line: the keys, or what is being typed.
func (p *page) foot(width int) string {
	if p.prompt.open {
		typed := []rune(p.prompt.typed)
		typed = typed[max(0, len(typed)-(width-3)):]
		return ":" + string(typed) + p.styled(reversed, " ")
	}
	keys := "q leave  ? help  : command"
	for _, hint := range input.Hints(p.bindings()) {
		next := keys + "  " + p.keys(hint) + " " + hint.Action
		if len([]rune(next)) > width {
			break
		}
		keys = next
	}
	return p.styled(faint, text.Cut(keys, width))
}

// keys names a hint's keys as one types them here: letters are small ones, digits in a row are shortened.
func (p *page) keys(hint draw.KeyHint) string {
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

// helpText lists all keys.
func (p *page) helpText(width int) (head, rows []string) {
	for _, hint := range append(input.Hints(p.bindings()), draw.KeyHint{Keys: "/", Action: "find zone"}, draw.KeyHint{Keys: ":", Action: "command, :help lists them"},
		draw.KeyHint{Keys: "?", Action: "this help, or back"}, draw.KeyHint{Keys: "q", Action: "leave this page"}) {
		keys, words := p.keys(hint), hint.Words
		if words == "" {
			words = hint.Action
		}
		rows = append(rows, text.Cut("  "+keys+strings.Repeat(" ", max(1, 24-len([]rune(keys))))+words, width))
	}
	return []string{p.styled(bold, "keys"), ""}, rows
}
