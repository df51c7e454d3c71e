package viewer

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/table"
	"example.com/iprof/viewer/internal/timeline"
)

// menuKind is the kind of the open menu.
type menuKind uint8

const (
	menuNone menuKind = iota
	menuColumns
	menuLanes
	menuItems
)

// menuPart is a list over the screen. The user chooses a line with the keys or the mouse.
type menuPart struct {
	*shared
	cursor        int
	lanes         []laneLine
	groups        []laneLine          // of lanes
	groupLanes    []laneLine          // of an open group
	unfolded      timeline.OpenGroups // go statements whose lanes are listed
	title         string              // of the items
	items         []MenuItem
	at            canvas.Point // where the items were opened
	search        menuSearch
	otherCommands []Command // in the menu of all commands: see Options.Others
	goroutine     string    // the goroutine of the last opened menu of one
}

// len returns the number of lines.
func (m *menuPart) len() int {
	switch m.overlay.menu {
	case menuColumns:
		return len(table.Choices())
	case menuItems:
		return len(m.items)
	}
	return len(m.lanes) + 1
}

// hit returns the hit of a line.
func (m *menuPart) hit(line int) Hit {
	switch m.overlay.menu {
	case menuColumns:
		return hit.Of(hit.Column, int(table.Choices()[line]))
	case menuItems:
		h := hit.Of(hit.Command, line)
		h.Name = m.items[line].Name
		return h
	}
	h := hit.Of(hit.Lane, line)
	if line > 0 {
		h.Lane = m.lanes[line-1].id
		if m.lanes[line-1].n > 0 {
			h.Name = m.lanes[line-1].name
		}
	}
	return h
}

// The widths of the menus of lanes, which are names of functions and files, and of columns, in nominal pixels.
const lanesWidth, columnsWidth = 480, 420

// drawLine is the height of a line in nominal pixels.
const menuLine = 22

// Draw draws the open menu. If not all lines fit, it draws the lines around the cursor.
func (m *menuPart) Draw(screen canvas.Rect) {
	c, m := &m.canvas, m
	if m.overlay.menu == menuNone || m.len() == 0 {
		return
	}
	m.takeLanes(m.scene.Lanes)
	m.cursor = min(m.cursor, m.len()-1)
	if m.overlay.menu != menuItems || !m.at.Here {
		c.Rect(screen.X0, screen.Y0, screen.X1, screen.Y1, draw.Fade(c.Background, 0.6))
	}
	c.Add(screen, hit.Of(hit.MenuAway, 0))
	line := menuLine * c.Em
	fit := max(int((screen.Height()-70*c.Em)/line), 1)
	first, end := draw.Window(m.len(), fit, m.cursor)
	box := m.box(c, screen, end-first)
	c.Round(box.X0-c.Em, box.Y0+3*c.Em, box.X1+c.Em, box.Y1+3*c.Em, 7*c.Em, draw.Fade(c.Background, 0.5))
	in := c.Card(box)
	title, hint := "Columns", ""
	switch m.overlay.menu {
	case menuLanes:
		title, hint = "Goroutines", "Enter chooses, Esc closes"
	case menuItems:
		title, hint = m.title, "Esc closes"
		switch {
		case m.search.active && m.search.query != "":
			title, hint = m.search.query, "Backspace, Esc closes"
		case m.search.active:
			hint = "type to search, more: ↑ ↓"
		case end-first < m.len():
			hint = "more: ↑ ↓"
		}
	}
	head := canvas.Box(in.X0, box.Y0+6*c.Em, in.X1, box.Y0+30*c.Em)
	room := in.Width() - c.Right(in.X1, head, draw.FaceSmall, hint, c.TextFaint) - 12*c.Em
	if m.overlay.menu == menuColumns {
		room = m.presetButtons(c, head) - in.X0 - 12*c.Em
	}
	c.Left(in.X0, room, head, draw.FaceBold, title, c.TextBright)
	for i := first; i < end; i++ {
		top := box.Y0 + 36*c.Em + float32(i-first)*line
		m.drawLine(canvas.Box(box.X0+5*c.Em, draw.Snap(top), box.X1-5*c.Em, draw.Snap(top+line)), i)
	}
}

// drawLine draws one line.
func (m *menuPart) drawLine(row canvas.Rect, line int) {
	c, m := &m.canvas, m
	switch {
	case line == m.cursor && m.hit(line) != hit.Of(hit.Command, line):
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Selected)
		c.Rect(row.X0, row.Y0+3*c.Em, row.X0+3*c.Em, row.Y1-3*c.Em, c.Accent)
	case c.Hovers(row):
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Hovered)
	}
	c.Add(row, m.hit(line))
	if m.overlay.menu == menuItems {
		m.drawItem(c, row, &m.items[line])
		return
	}
	x := row.X0 + 12*c.Em
	if m.overlay.menu == menuColumns {
		w := table.Describe(table.Choices()[line])
		on := table.ColumnsOf(m.options.Columns).OrUsual(m.scene.Info.Kind).Has(table.Choices()[line])
		check(c, x, row, on)
		x += 22 * c.Em
		x += max(c.Left(x, 110*c.Em, row, draw.FaceText, table.HeadingOf(w), c.TextNormal)+10*c.Em, 0)
		c.Left(x, row.X1-x-8*c.Em, row, draw.FaceSmall, w.Words, c.TextDim)
		return
	}
	m.drawLane(row, line-1)
}

// check draws a box, ticked if on.
func check(c *canvas.Canvas, x float32, row canvas.Rect, on bool) {
	y := draw.Snap((row.Y0 + row.Y1) / 2)
	c.Border(x, y-6*c.Em, x+12*c.Em, y+6*c.Em, 3*c.Em, c.TextFaint)
	if on {
		c.Round(x+3*c.Em, y-3*c.Em, x+9*c.Em, y+3*c.Em, 2*c.Em, c.Accent)
	}
}

// openColumns opens the column chooser over the screen, or closes it.
func (m *menuPart) openColumns() { m.open(menuColumns) }

// openLanes opens the lane picker over the screen, or closes it.
func (m *menuPart) openLanes() { m.open(menuLanes) }

func (m *menuPart) open(k menuKind) {
	m.change(func() {
		if m.overlay.menu == k {
			k = menuNone
		}
		m.overlay.menu, m.cursor, m.overlay.page = k, 0, 0
	})
}

// dismiss closes the first open one of these: the guided look, the help, the menu, the ruler, the list, the drawn
// verdict, the filter. It reports whether one was open. Any goroutine may call it.
func (p *Panel) dismiss() bool {
	closed := true
	p.mu.Lock()
	p.serial++
	switch {
	case p.overlay.step > 0:
		p.overlay.step = 0
	case p.overlay.page > 0:
		p.overlay.page = 0
	case p.overlay.menu != menuNone:
		p.overlay.menu = menuNone
	case p.timeline.NoRuler():
	case p.closeList(true):
	default:
		closed = false
	}
	p.mu.Unlock()
	if closed {
		return true
	}
	if p.State().Answer {
		p.endAnswer()
		return true
	}
	return p.table.clearFilter()
}

// clearFilter shows all rows again, and reports whether some were hidden.
func (t *tablePart) clearFilter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.arrangement()
	if !t.typing && a.Filter == "" && !a.CallersOnly {
		return false
	}
	t.typing = false
	t.source.Arrange(func(a *report.Arrangement) { a.Filter, a.CallersOnly = "", false })
	return true
}

// close closes the open menu. Any goroutine may call it.
func (m *menuPart) close() { m.change(func() { m.overlay.menu = menuNone }) }

// MenuItem is a line in a menu of commands.
type MenuItem struct {
	Name   string // the command's, also in a hit of kind hit.Command; a line without a name cannot be chosen
	Text   string // the words of the line
	Keys   string // keys of the command
	Ticked bool   // the setting that it switches is on
}

// openItems opens a menu with its corner at (x, y) in pixels, or as near as it fits. If x or y is NaN, the menu opens
// in the middle of the screen. It replaces an open menu. It copies the slice.
func (m *menuPart) openItems(title string, items []MenuItem, x, y float32) {
	m.change(func() {
		m := m
		m.overlay.page = 0
		m.overlay.menu, m.title, m.items = menuItems, title, append(m.items[:0], items...)
		m.search = menuSearch{}
		m.at = canvas.At(x, y, !math.IsNaN(float64(x+y)))
		m.cursor = max(slices.IndexFunc(items, func(i MenuItem) bool { return i.Name != "" }), 0)
	})
}

// step moves the cursor by a number of lines. It skips lines that cannot be chosen.
func (m *menuPart) step(lines int) {
	at := max(min(m.cursor+lines, m.len()-1), 0)
	if m.overlay.menu == menuItems {
		way := 1
		if lines < 0 {
			way = -1
		}
		at = m.choosable(at, way)
		if m.items[at].Name == "" {
			at = m.choosable(at, -way)
		}
	}
	m.cursor = at
}

// choosable returns the first line from at on that can be chosen, in the direction way. Without one it returns the last
// line in that direction.
func (m *menuPart) choosable(at, way int) int {
	for at+way >= 0 && at+way < len(m.items) && m.items[at].Name == "" {
		at += way
	}
	return at
}

// box returns the place of a menu with a number of lines.
func (m *menuPart) box(c *canvas.Canvas, screen canvas.Rect, lines int) canvas.Rect {
	width := min(m.width(c), screen.Width())
	height := float32(lines)*menuLine*c.Em + 48*c.Em
	x, y := (screen.Width()-width)/2, (screen.Height()-height)/2
	if m.overlay.menu == menuItems && m.at.Here {
		x, y = min(max(m.at.X, 0), screen.Width()-width), min(max(m.at.Y, 0), max(screen.Height()-height, 0))
	}
	x, y = draw.Snap(x), draw.Snap(y)
	return canvas.Box(x, y, x+draw.Snap(width), y+draw.Snap(height))
}

// width returns the width that the lines need.
func (m *menuPart) width(c *canvas.Canvas) float32 {
	switch m.overlay.menu {
	case menuLanes:
		return lanesWidth * c.Em
	case menuColumns:
		return columnsWidth * c.Em
	}
	width := c.Width(draw.FaceBold, m.title) + 180*c.Em
	items := m.items
	if m.search.active { // a search does not change the width
		items = m.search.all
	}
	for _, i := range items {
		width = max(width, c.Width(draw.FaceText, i.Text)+c.Width(draw.FaceSmall, i.Keys)+90*c.Em)
	}
	return width
}

// drawItem draws a line in a menu of commands.
func (m *menuPart) drawItem(c *canvas.Canvas, row canvas.Rect, i *MenuItem) {
	x := row.X0 + 12*c.Em
	if i.Name == "" {
		c.Left(x, row.Width(), row, draw.FaceSmall, i.Text, c.TextFaint)
		c.Rect(x, row.Y1-c.Em, row.X1-12*c.Em, row.Y1-c.Em+draw.Hairline(c.Em), c.GridLine)
		return
	}
	if i.Ticked {
		check(c, x, row, true)
	}
	end := row.X1 - 10*c.Em
	if i.Keys != "" {
		end -= c.Width(draw.FaceSmall, i.Keys) + 12*c.Em
		c.Chip(end, row, i.Keys, c.Raised, c.TextDim)
	}
	c.Left(x+20*c.Em, end-x-26*c.Em, row, draw.FaceText, i.Text, c.TextNormal)
}

// mostQuery is the greatest length of the words that search a menu, in bytes.
const mostQuery = 60

// menuSearch is the part of a menu that typing searches.
type menuSearch struct {
	active bool
	all    []MenuItem
	lines  int // number of lines shown without a query
	query  string
}

// find shows only the lines with all words of the query, in any order and case, and the headings above them.
func (m *menuPart) find(query string) {
	m.search.query = query
	words := strings.Fields(strings.ToLower(query))
	m.items = m.items[:0]
	all := m.search.all
	if len(words) == 0 {
		all = all[:m.search.lines]
	}
	for i, heading := 0, -1; i < len(all); i++ {
		item := m.search.all[i]
		if item.Name == "" {
			heading = i
			continue
		}
		text := strings.ToLower(item.Text + " " + item.Name)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if heading >= 0 {
			m.items = append(m.items, m.search.all[heading])
			heading = -1
		}
		m.items = append(m.items, item)
	}
	if len(m.items) == 0 {
		m.items = append(m.items, MenuItem{Text: "no command, file, column, zone or package has these words"})
	}
	m.cursor = max(slices.IndexFunc(m.items, func(i MenuItem) bool { return i.Name != "" }), 0)
}

// editQuery changes the query, and reports whether the open menu can be searched.
func (m *menuPart) editQuery(change func() bool) (done bool) {
	m.change(func() { done = change() })
	return done
}

// addCharacter adds a character to the query. It reports whether the open menu can be searched.
func (m *menuPart) addCharacter(r rune) bool {
	if m.overlay.menu != menuItems || !m.search.active {
		return false
	}
	if utf8.ValidRune(r) && r >= ' ' && len(m.search.query) < mostQuery {
		m.find(m.search.query + string(r))
	}
	return true
}

// eraseCharacter removes the last character of the query. It reports whether the open menu can be searched.
func (m *menuPart) eraseCharacter() bool {
	if m.overlay.menu != menuItems || !m.search.active {
		return false
	}
	_, size := utf8.DecodeLastRuneInString(m.search.query)
	m.find(m.search.query[:len(m.search.query)-size])
	return true
}

// noPlace returns no place: a menu opened there opens in the middle of the screen.
func noPlace() (x, y float32) { return float32(math.NaN()), float32(math.NaN()) }

// These open the menus at a place of the screen, in pixels.
func allMenuAt(p *Panel, x, y float32)    { p.menu.openCommands(x, y) }
func rowMenuAt(p *Panel, x, y float32)    { p.menu.openRowMenu(p.State().CardOpen, x, y) }
func framesMenuAt(p *Panel, x, y float32) { p.menu.openFramesMenu(x, y) }

// laneMenuAt opens the menu of the goroutine at a place of the timeline.
func laneMenuAt(p *Panel, x, y float32) {
	p.mu.Lock()
	name := p.timeline.NameOf(p.hit(x, y))
	p.mu.Unlock()
	p.menu.openLaneMenu(name, x, y)
}

// nowhereOf returns the action that opens a menu in the middle of the screen.
func nowhereOf(at func(p *Panel, x, y float32)) action {
	return onPanel(func(p *Panel) {
		x, y := noPlace()
		at(p, x, y)
	})
}

// onMenu returns the action that is a method of the menus.
func onMenu(do func(*menuPart)) action { return onPanel(func(p *Panel) { do(&p.menu) }) }

// item returns the line of a menu for a command. If text is "", the line has the command's own words.
func (m *menuPart) item(name, text string, ticked bool) MenuItem {
	i := MenuItem{Name: name, Text: text, Keys: m.keyName(name), Ticked: ticked}
	m.mu.Lock()
	commands := m.allCommands()
	m.mu.Unlock()
	if at := commandOf(commands, name); at >= 0 && text == "" {
		i.Text = commands[at].Action
	}
	return i
}

// openRowMenu opens the menu of the cursor's row at a place on the screen, in pixels. If x or y is NaN, the menu opens
// in the middle. Without a cursor it does nothing. Any goroutine may call it.
func (m *menuPart) openRowMenu(card bool, x, y float32) {
	s := m.session
	r, ok := cursorRecord(m.view)
	if !ok {
		return
	}
	v := m.view.Get()
	m.openItems(r.Name, []MenuItem{
		m.item("select", "open its call graph", false),
		m.item("descendants-of", "", false),
		m.item("callers", "", v.CallersOnly),
		m.item("parent", "go to its largest caller", false),
		m.item("card", "", card),
		{},
		m.item("keep-zone", "", slices.Contains(m.Options().KeptZones, r.Name)),
		m.item("pin", "", false),
		m.item("unpin", "", len(v.Pin) == 0),
		m.item("own-lane", "", v.Lane != 0),
		m.item("filter-name", "", false),
		m.item("hidden", "", false),
		m.item("mute", "", s.Muted(r.Zone)),
		m.item("zone-budget", "", r.Budget > 0),
		{},
		m.item("copy-row", "", false),
		m.item("copy-site", "", false),
		m.item("open-site", "", false),
		m.item("copy", "", false),
		{},
		m.item("group", "", v.Grouping != report.GroupingNone),
		m.item("columns", "columns …", false),
		m.item("usual-columns", "", false),
		m.item("as-reported", "", false),
		m.item("menu", "more …", false),
	}, x, y)
}

// openFramesMenu opens the menu that chooses the frames of the report. The place is as for openRowMenu. Any goroutine
// may call it.
func (m *menuPart) openFramesMenu(x, y float32) {
	s := m.session
	kind := m.view.Get().Lens.Kind
	items := []MenuItem{
		m.item("one-frame", "", kind == report.LensOff),
		m.item("all-frames", "", kind == report.LensAll),
		m.item("over-frames", "", kind == report.LensOver),
		m.item("within-frames", "", kind == report.LensWithin),
		m.item("slow-frames", "", kind == report.LensSlowest),
		{Text: "or drag over the history: a range of frames"},
		m.item("live", "", m.view.Get().Age == 0 && !s.Paused()),
		m.item("slowest", "", false),
		m.item("previous-over", "frame over budget before", false),
		m.item("next-over", "frame over budget after", false),
		m.item("baseline", "compare with what is shown", false),
		m.item("compare", "", m.arrangement().Compare),
		m.item("budget", "", false),
	}
	if info := m.view.Info(); !info.Judges() {
		items = slices.DeleteFunc(items, func(i MenuItem) bool {
			return strings.HasSuffix(i.Name, "-over") || i.Name == "over-frames" || i.Name == "within-frames"
		})
	}
	m.openItems("Frames", items, x, y)
}

// openCommands opens the menu of all commands, in groups. Typing searches it, and the data of appendData. The place is
// as for openRowMenu. Any goroutine may call it.
func (m *menuPart) openCommands(x, y float32) {
	var items []MenuItem
	m.mu.Lock()
	commands := m.allCommands()
	m.mu.Unlock()
	for g := range CommandGroup(numGroups) {
		items = append(items, MenuItem{Text: g.String()})
		for i := range commands {
			if c := &commands[i]; c.Group == g && c.Do != nil && c.Name != "menu" {
				items = append(items, m.item(c.Name, c.Described(), false))
			}
		}
	}
	m.openItems("All commands", items, x, y)
	var others []Command
	if from := m.Options().Others; from != nil {
		others = from()
	}
	m.change(func() {
		m.otherCommands = others
		shown := len(items)
		m.search = menuSearch{active: true, all: m.appendData(items), lines: shown}
	})
}
