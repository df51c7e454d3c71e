package viewer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/canvas"
)

// helpPart lies over the screen: first a legend of the signs on the screen, then all keys, in as many pages as they
// need.
type helpPart struct {
	*shared
	pages int
	query string // words to search the keys for
	lines []helpLine
}

// signsPage is the page with the signs.
const signsPage = 1

// helpLine is a line of the help: a heading, a key or a sign.
type helpLine struct {
	heading string
	key     *KeyHint
	sign    *sign
}

// toggle shows a legend of the signs over the screen. Further calls show the pages with all keys, and then close
// the help.
func (h *helpPart) toggle() { h.change(h.nextPage) }

func turnHelp(_ *process.Session, p *Panel) { p.help.toggle() }

// nextPage turns the page. After the last page it closes the help.
func (h *helpPart) nextPage() {
	if h.overlay.page++; h.overlay.page > max(h.pages, signsPage+1) {
		h.overlay.page = 0
	}
	h.query = ""
}

// typing reports whether the keys are shown, which typing searches.
func (h *helpPart) typing() bool { return h.overlay.page > signsPage }

// editQuery changes the query, and reports whether the keys can be searched.
func (h *helpPart) editQuery(change func() bool) (done bool) {
	h.change(func() { done = h.options.Mode >= PanelReportAndGraph && change() })
	return done
}

// addCharacter adds a character to the query. It reports whether the keys are shown. It ignores the character of the
// key that turns the page.
func (h *helpPart) addCharacter(r rune) bool {
	if !h.typing() {
		return false
	}
	if utf8.ValidRune(r) && r >= ' ' && string(r) != h.helpKey() && len(h.query) < mostQuery {
		h.query, h.overlay.page = h.query+string(r), signsPage+1
	}
	return true
}

// eraseCharacter removes the last character of the query. It reports whether the keys are shown.
func (h *helpPart) eraseCharacter() bool {
	if h.typing() {
		h.query, h.overlay.page = withoutLast(h.query), signsPage+1
	}
	return h.typing()
}

// firstCommands are the most important commands, the first of them first. The help lists their keys before the others,
// and the footer shows those that have an effect.
var firstCommands = [...]string{"help", "why", "slowest", "timeline", "older", "pause", "select", "card",
	"menu", "previous-over", "find", "up"}

// tasks are the headings of keys, in this order, and the groups of their commands.
var tasks = [...]struct {
	heading string
	of      CommandGroup
}{
	{"find the slow frame, compare it", GroupFrames},
	{"find the zone", GroupRows},
	{"see calls in the order of time", GroupTime},
	{"choose what is counted", GroupReport},
	{"arrange the screen", GroupDisplay},
	{"choose what is measured", GroupMeasure},
	{"copy and save", GroupOutput},
}

// collect lists the keys that have all words of the query, in any order and in upper or lower case, below headings: the
// most important first, then by task.
func (h *helpPart) collect(keys []KeyHint, query string) []helpLine {
	h.lines = h.lines[:0]
	words := strings.Fields(strings.ToLower(query))
	h.section("the keys that matter first", keys, words, func(k *KeyHint) bool { return k.rank > 0 })
	for i := range tasks {
		h.section(tasks[i].heading, keys, words, func(k *KeyHint) bool { return k.rank == 0 && k.group == tasks[i].of })
	}
	return h.lines
}

// section adds the keys of a section that have all words, below its heading.
func (h *helpPart) section(heading string, keys []KeyHint, words []string, in func(*KeyHint) bool) {
	h.heading(heading)
	for i := range keys {
		k := &keys[i]
		if !in(k) {
			continue
		}
		text := strings.ToLower(k.Keys + " " + k.Action + " " + k.Words + " " + heading)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			h.lines = append(h.lines, helpLine{key: k})
		}
	}
	h.noEmpty()
}

// heading adds a heading.
func (h *helpPart) heading(words string) { h.lines = append(h.lines, helpLine{heading: words}) }

// noEmpty removes the last heading if nothing is below it.
func (h *helpPart) noEmpty() {
	if last := len(h.lines) - 1; h.lines[last].heading != "" {
		h.lines = h.lines[:last]
	}
}

// Draw draws the page of the help that is open. The parts are those on the screen.
func (h *helpPart) Draw(screen canvas.Rect, at regions, parts func(at regions) []signPart) {
	switch h.overlay.page {
	case 0:
	case signsPage:
		h.drawSigns(screen, at, parts(at))
	default:
		h.drawKeys(&h.canvas, screen, h.keys)
	}
}

// sheet is a layout of lines in columns.
type sheet struct {
	columns, rows int
	column, line  float32 // width and height in pixels
}

// sheetOf returns the sheet with the fewest rows for lines. A column holds fit lines.
func sheetOf(lines, fit, columns int, column, line float32) sheet {
	columns = max(columns, 1)
	headings := 0
	if columns > 1 {
		headings = columns // a heading may have to go to the next column
	}
	return sheet{columns, max(min((lines+headings+columns-1)/columns, fit), 1), column, line}
}

// each calls do with the place of each line on a page, and returns the number of pages. The first page is 0. No heading
// is the last line of a column.
func (s *sheet) each(lines []helpLine, page int, do func(l *helpLine, column, row int)) (pages int) {
	cell := 0
	for i := range lines {
		if lines[i].heading != "" && s.rows > 1 && cell%s.rows == s.rows-1 {
			cell++
		}
		if on := cell / (s.rows * s.columns); on == page {
			do(&lines[i], cell/s.rows%s.columns, cell%s.rows)
		}
		cell++
	}
	return max((cell+s.rows*s.columns-1)/(s.rows*s.columns), 1)
}

// place returns the place of a cell, below and to the right of a corner.
func (s *sheet) place(x, y float32, column, row int) canvas.Rect {
	x, y = x+float32(column)*s.column, y+float32(row)*s.line
	return canvas.Box(x, y, x+s.column, y+s.line)
}

// usPlaces explains the names of keys in windows that deliver no characters, on keyboards of unknown layout.
const usPlaces = "US places: no character callback is set, so keys are where a US keyboard has them"

// foot returns the lines below the keys, about the clock and the keyboard.
func (h *helpPart) foot() (lines []string) {
	if h.places && !slices.ContainsFunc(h.names, func(k KeyName) bool { return k.Printed != "" }) {
		lines = append(lines, usPlaces)
	}
	if clock := h.scene.Report.Clock; clock != "" {
		lines = append(lines, clock)
	}
	return lines
}

// drawKeys draws a page of keys over the screen, in as many columns as it needs, and the lines below. The size does not
// depend on the query.
func (h *helpPart) drawKeys(c *canvas.Canvas, screen canvas.Rect, keys []KeyHint) {
	c.Rect(screen.X0, screen.Y0, screen.X1, screen.Y1, draw.Fade(c.Background, 0.72))
	line, room := 22*c.Em, screen.Width()-60*c.Em
	all := len(h.collect(keys, ""))
	fit := max(int((screen.Height()-90*c.Em)/line), 1)
	widest := hintWidth(c, keys)
	columns := (all + fit) / fit
	if all > 12 {
		columns = max(columns, 2)
	}
	columns = max(1, min(columns, int(room/widest)))
	s := sheetOf(all, fit, columns, min(max(widest, 390*c.Em), room/float32(columns)), line)
	foot := h.foot()
	width, height := float32(columns)*s.column+30*c.Em, float32(s.rows+len(foot))*line+66*c.Em
	x, y := draw.Snap((screen.Width()-width)/2), draw.Snap((screen.Height()-height)/2)
	box := canvas.Box(x, y, x+draw.Snap(width), y+draw.Snap(height))
	c.Card(box)
	for i, words := range foot {
		y := box.Y1 - float32(len(foot)-i)*line - 6*c.Em
		c.Left(x+22*c.Em, width-44*c.Em, canvas.Box(x, y, box.X1, y+line), draw.FaceSmall, words, c.TextDim)
	}
	found := h.collect(keys, h.query)
	h.pages = signsPage + s.each(found, -1, nil)
	h.overlay.page = min(h.overlay.page, h.pages)
	h.head(c, box)
	s.each(found, h.overlay.page-signsPage-1, func(l *helpLine, column, row int) {
		l.draw(c, s.place(x+22*c.Em, y+52*c.Em, column, row))
	})
	if len(found) == 0 {
		c.Left(x+22*c.Em, width-44*c.Em, s.place(x, y+52*c.Em, 0, 0), draw.FaceSmall,
			"no key has these words; the menu of all commands may know them", c.TextDim)
	}
}

// head draws the title of the keys, or the query.
func (h *helpPart) head(c *canvas.Canvas, box canvas.Rect) {
	head := canvas.Box(box.X0, box.Y0+8*c.Em, box.X1, box.Y0+38*c.Em)
	closes := "type to search, " + h.helpKey() + " closes"
	if h.overlay.page < h.pages {
		closes = "type to search, " + h.helpKey() + " turns the page"
	}
	room := box.Width() - c.Right(box.X1-20*c.Em, head, draw.FaceSmall, closes, c.TextFaint) - 54*c.Em
	title := "Keys"
	if h.query != "" {
		title = h.query
	}
	c.Left(box.X0+22*c.Em, room, head, draw.FaceBold, title, c.TextBright)
	y := box.Y0 + 42*c.Em
	c.Rect(box.X0+20*c.Em, y, box.X1-20*c.Em, y+draw.Hairline(c.Em), c.Outline)
}

// draw draws a line.
func (l *helpLine) draw(c *canvas.Canvas, r canvas.Rect) {
	switch r.X1 -= 16 * c.Em; {
	case l.key != nil:
		hint(c, r, l.key)
	case l.sign != nil:
		l.sign.draw(c, canvas.Box(r.X0, (r.Y0+r.Y1)/2-6*c.Em, r.X0+signWidth*c.Em, (r.Y0+r.Y1)/2+6*c.Em))
		x := r.X0 + (signWidth+10)*c.Em
		c.Left(x, r.X1+8*c.Em-x, r, draw.FaceSmall, l.sign.words, c.TextNormal)
	default:
		c.Left(r.X0, r.Width(), r, draw.FaceSmall, l.heading, c.Accent)
	}
}

// wordsAt is the x of the words of a line of the help, unless its keys are longer.
const wordsAt = 124

// hintWidth returns the least width of a column of the help in which no words are cut.
func hintWidth(c *canvas.Canvas, keys []KeyHint) float32 {
	widest := 250 * c.Em
	for i := range keys {
		k := &keys[i]
		chips := c.Width(draw.FaceSmall, k.Keys) + float32(1+strings.Count(k.Keys, " "))*16*c.Em
		widest = max(widest, max(chips+6*c.Em, wordsAt*c.Em)+c.Width(draw.FaceSmall, k.words())+18*c.Em)
	}
	return widest
}

// words returns the help's description of a key.
func (k *KeyHint) words() string {
	if k.Words != "" {
		return k.Words
	}
	return k.Action
}

// hint draws one line of the help: each key on a background, then the words.
func hint(c *canvas.Canvas, r canvas.Rect, k *KeyHint) {
	x := r.X0
	for rest := k.Keys; rest != ""; {
		var key string
		key, rest, _ = strings.Cut(rest, " ")
		if key != "" {
			x += c.Chip(x, r, key, c.Raised, c.TextNormal) + 4*c.Em
		}
	}
	x = max(x+6*c.Em, r.X0+wordsAt*c.Em)
	c.Left(x, r.X1-x, r, draw.FaceSmall, k.words(), c.TextNormal)
}
