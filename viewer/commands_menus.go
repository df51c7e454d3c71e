package viewer

import (
	"math"

	"example.com/iprof/process"
)

// nowhere is no place. A menu that opens there opens in the middle of the screen.
var nowhere = float32(math.NaN())

func openCommands(_ *process.Session, p *Panel)   { p.openCommands(nowhere, nowhere) }
func openRowMenu(_ *process.Session, p *Panel)    { p.openRowMenu(nowhere, nowhere) }
func openFramesMenu(_ *process.Session, p *Panel) { p.openFramesMenu(nowhere, nowhere) }

// item returns the line of a menu for a command. If text is "", the line has the command's own words.
func (p *Panel) item(name, text string, ticked bool) MenuItem {
	i := MenuItem{Name: name, Text: text, Keys: p.keyName(name), Ticked: ticked}
	commands := p.madeCommands()
	if at := commandOf(commands, name); at >= 0 && text == "" {
		i.Text = commands[at].Action
	}
	return i
}

// keyName returns the first key of a command, "" if it has no key.
func (p *Panel) keyName(command string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keyOf[command]
}

// openRowMenu opens the menu of the cursor's row at a place on the screen, in pixels. If x or y is NaN, the menu opens
// in the middle. Without a cursor it does nothing. Any goroutine may call it.
func (p *Panel) openRowMenu(x, y float32) {
	s := p.session
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	v := s.View()
	p.openItems(r.Name, []MenuItem{
		p.item("select", "open its call graph", false),
		p.item("descendants-of", "", false),
		p.item("callers", "", p.State().CallersOnly),
		p.item("parent", "go to its largest caller", false),
		p.item("card", "", p.State().CardOpen),
		{},
		p.item("pin", "", false),
		p.item("unpin", "", len(v.Pin) == 0),
		p.item("own-lane", "", v.Lane != 0),
		p.item("filter-name", "", false),
		p.item("hidden", "", false),
		p.item("mute", "", s.Muted(r.Zone)),
		p.item("zone-budget", "", r.Budget > 0),
		{},
		p.item("copy-row", "", false),
		p.item("copy-site", "", false),
		p.item("open-site", "", false),
		p.item("copy", "", false),
		{},
		p.item("group", "", p.State().Grouped),
		p.item("columns", "columns …", false),
		p.item("usual-columns", "", false),
		p.item("as-reported", "", false),
		p.item("menu", "more …", false),
	}, x, y)
}

// openFramesMenu opens the menu that chooses the frames of the report. The place is that of openRowMenu. Any goroutine
// may call it.
func (p *Panel) openFramesMenu(x, y float32) {
	s := p.session
	kind := s.View().Lens.Kind
	items := []MenuItem{
		p.item("one-frame", "", kind == process.LensOff),
		p.item("all-frames", "", kind == process.LensAll),
		p.item("over-frames", "", kind == process.LensOver),
		p.item("within-frames", "", kind == process.LensWithin),
		p.item("slow-frames", "", kind == process.LensSlowest),
		{Text: "or drag over the history: a range of frames"},
		p.item("live", "", s.View().Age == 0 && !s.Paused()),
		p.item("slowest", "", false),
		p.item("previous-over", "frame over budget before", false),
		p.item("next-over", "frame over budget after", false),
		p.item("baseline", "compare with what is shown", false),
		p.item("compare", "", p.State().Comparing),
		p.item("budget", "", false),
	}
	p.openItems("Frames", items, x, y)
}

// openCommands opens the menu of all commands, in groups. Typing searches it. The place is that of openRowMenu. Any
// goroutine may call it.
func (p *Panel) openCommands(x, y float32) {
	var items []MenuItem
	commands := p.madeCommands()
	for g := range Group(numGroups) {
		items = append(items, MenuItem{Text: g.String()})
		for i := range commands {
			if c := &commands[i]; c.Group == g && c.Do != nil && c.Name != "menu" {
				items = append(items, p.item(c.Name, c.Described(), false))
			}
		}
	}
	p.openItems("All commands", items, x, y)
	p.change(func() { p.menu.found = menuSearch{on: true, all: items} })
}
