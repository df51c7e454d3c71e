package desk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/input"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// prompt asks for a line of text. It lists the completions below the text.
type prompt struct {
	question
	open  bool
	text  string
	lines []string
	at    int  // chosen line, -1 for none
	plain bool // takes any text as it is, even an empty one
}

// question describes the text that a prompt asks for.
type question struct {
	words       string                     // // for the user
	completions func(text string) []string // completions of a text
	descend     func(path string) bool     // Enter lists the folder; nil if the text is no path
	chosen      func(text string)
}

// mostLines is the greatest number of files that the prompt shows.
const mostLines = 12

func (p *prompt) ask(q question) {
	p.question, p.open, p.plain = q, true, false
	p.set("")
}

// askText asks for a line of text, starting from text.
func (p *prompt) askText(words, text string, chosen func(text string)) {
	p.ask(question{words: words, completions: func(string) []string { return nil }, chosen: chosen})
	p.plain = true
	p.set(text)
}

func (p *prompt) set(text string) { p.text, p.at, p.lines = text, -1, p.completions(text) }

// files asks for a capture. For an empty text it lists the recent captures.
func (d *Desk) files() question {
	return question{"Open a capture, or a trace of Chrome or Go: its path. Tab completes, Up and Down choose.",
		func(text string) []string {
			if text == "" {
				return recent()
			}
			return completions(text, true)
		}, isFolder, d.ShowFile}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// opened are the endings of files that the prompt lists: captures, Chrome's traces and those of Go. The typed name may
// have any ending.
var opened = []string{".iprof", ".json", ".out", ".trace"}

// completions returns the folders, and the files if wanted, whose paths begin with a text.
func completions(text string, files bool) (lines []string) {
	folder, begin := filepath.Split(home(text))
	entries, err := os.ReadDir(filepath.Clean("./" + folder))
	if filepath.IsAbs(folder) {
		entries, err = os.ReadDir(folder)
	}
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || begin == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if e.IsDir() {
			lines = append(lines, folder+name+string(filepath.Separator))
		} else if files && slices.Contains(opened, filepath.Ext(name)) {
			lines = append(lines, folder+name)
		}
	}
	return lines[:min(len(lines), mostLines)]
}

// home replaces a leading ~ with the home folder.
func home(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if dir, err := os.UserHomeDir(); ok && err == nil {
		return filepath.Join(dir, rest) + map[bool]string{true: "/"}[rest == "" || strings.HasSuffix(rest, "/")]
	}
	return path
}

// complete extends the text to the longest common beginning of all lines.
func (p *prompt) complete() {
	if len(p.lines) == 0 {
		return
	}
	common := p.lines[0]
	for _, line := range p.lines {
		for !strings.HasPrefix(line, common) {
			common = common[:len(common)-1]
		}
	}
	if len(common) > len(p.text) && utf8.ValidString(common) {
		p.set(common)
	}
}

// key takes a key while the prompt is open.
func (p *prompt) key(k input.Key) {
	switch k {
	case input.KeyEscape:
		p.open = false
	case input.KeyBackspace:
		_, size := utf8.DecodeLastRuneInString(p.text)
		p.set(p.text[:len(p.text)-size])
	case input.KeyTab:
		p.complete()
	case input.KeyDown:
		p.at = min(p.at+1, len(p.lines)-1)
	case input.KeyUp:
		p.at = max(p.at-1, -1)
	case input.KeyEnter, input.KeyKeypadEnter:
		p.enter()
	}
}

// enter takes the chosen line, else the typed text. It may list a folder instead.
func (p *prompt) enter() {
	if p.plain {
		p.open = false
		p.chosen(p.text)
		return
	}
	text := home(p.text)
	if p.at >= 0 {
		text = p.lines[p.at]
	}
	if text == "" {
		return
	}
	if p.descend != nil && p.descend(text) {
		p.set(strings.TrimSuffix(text, string(filepath.Separator)) + string(filepath.Separator))
		return
	}
	p.open = false
	p.chosen(text)
}

func (p *prompt) draw(l *draw.List, c *draw.Palette, width, top, scale float32) {
	row, wide := 24*scale, min(720*scale, width-20*scale)
	x, y := (width-wide)/2, top+40*scale
	l.Round(x, y, x+wide, y+row*float32(len(p.lines)+2)+16*scale, 6*scale, c.Raised)
	l.Border(x, y, x+wide, y+row*float32(len(p.lines)+2)+16*scale, 6*scale, c.Accent)
	inner := wide - 24*scale
	x += 12 * scale
	l.TextCut(x, y+row*0.9, inner, draw.FaceText, p.words, c.TextDim)
	text := p.text
	for l.Width(draw.FaceText, text) > inner-10*scale { // keep the end
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	end := l.Text(x, y+row*1.9, draw.FaceText, text, c.TextBright)
	l.Rect(x+end+scale, y+row*1.25, x+end+2.5*scale, y+row*2.05, c.Accent)
	for i, line := range p.lines {
		base := y + row*(float32(i)+2.9)
		if i == p.at {
			l.Rect(x-6*scale, base-row*0.72, x+inner+6*scale, base+row*0.28, c.Selected)
		}
		l.TextCut(x, base, inner, draw.FaceText, line, c.TextNormal)
	}
}

// recentFile returns the path of the list of recent captures.
func recentFile() (string, error) {
	dir, err := outfile.Cache()
	return filepath.Join(dir, "recent"), err
}

// recent returns the recent captures that still exist, newest first.
func recent() []string {
	name, err := recentFile()
	if err != nil {
		return nil
	}
	all, err := os.ReadFile(name)
	if err != nil || len(all) > 1<<16 {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(all)), "\n")
	lines = slices.DeleteFunc(lines, func(path string) bool {
		_, err := os.Stat(path)
		return path == "" || err != nil
	})
	return lines[:min(len(lines), mostLines)]
}

// others returns entries for the menu of all commands: the other tabs and the recent captures.
func (d *Desk) others() (all []viewer.Command) {
	add := func(words string, do func()) {
		all = append(all, viewer.Command{Action: words, Do: func(*process.Session, *viewer.Panel) { do() }})
	}
	shown := map[string]bool{}
	for _, t := range d.tabs {
		shown[t.path] = true
		if t != d.tab {
			add("tab "+t.name, func() { d.switchTo(t) })
		}
	}
	if !d.offers("open") {
		return all
	}
	for _, path := range recent() {
		if !shown[path] {
			add("open "+filepath.Base(path)+" in "+filepath.Dir(path), func() { d.ShowFile(path) })
		}
	}
	return all
}

// remember puts a path at the top of the recent captures. It ignores errors: the list is only a convenience.
func remember(path string) {
	name, err := recentFile()
	if err != nil || strings.Contains(path, "\n") {
		return
	}
	lines := append([]string{path}, slices.DeleteFunc(recent(), func(old string) bool { return old == path })...)
	_ = outfile.Keep(name, []byte(strings.Join(lines[:min(len(lines), mostLines)], "\n")+"\n"))
}
