package viewer

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/table"
)

// mostFound is the greatest number of zones that the menu of all commands can find.
const mostFound = 10_000

// These prefixes mark lines in the menu of all commands that are no commands.
const (
	columnLine = "column:" // and a number: toggles the column
	findLine   = "find:"   // and a filter
	otherLine  = "other:"  // and a number: see Options.Others
)

// appendData appends the menu's lines besides commands: files, columns, packages and zones. Choosing a zone or a
// package puts its name into the filter.
func (m *menuPart) appendData(items []MenuItem) []MenuItem {
	items = slices.Clip(items)
	if len(m.otherCommands) > 0 {
		items = append(items, MenuItem{Text: "files and tabs"})
	}
	for i := range m.otherCommands {
		items = append(items, MenuItem{Name: otherLine + strconv.Itoa(i), Text: m.otherCommands[i].Described()})
	}
	items = append(items, MenuItem{Text: "columns"})
	shown := table.ColumnsOf(m.options.Columns).OrUsual(m.scene.Info.Kind)
	for _, c := range table.Choices() {
		w := table.Describe(c)
		items = append(items, MenuItem{Name: columnLine + strconv.Itoa(int(c)), Ticked: shown.Has(c),
			Text: fmt.Sprintf("column %s: %s", w.Heading, w.Words)})
	}
	var zones, packages []MenuItem
	for i := range m.scene.Zones[:min(len(m.scene.Zones), mostFound)] {
		z := &m.scene.Zones[i]
		zones = append(zones, MenuItem{Name: findLine + z.Name, Text: z.Name})
		if pkg := z.Package(); pkg != "" {
			packages = append(packages, MenuItem{Name: findLine + "pkg:" + pkg, Text: "package " + pkg})
		}
	}
	for _, group := range [...]struct {
		heading string
		lines   []MenuItem
	}{{"packages", packages}, {"zones", zones}} {
		sort.SliceStable(group.lines, func(i, k int) bool { return group.lines[i].Text < group.lines[k].Text })
		items = append(items, MenuItem{Text: group.heading})
		items = append(items, slices.CompactFunc(group.lines, func(a, b MenuItem) bool { return a == b })...)
	}
	return items
}

// runLine runs a line of appendData. It reports whether name is one.
func runLine(p *Panel, name string) bool {
	if filter, ok := strings.CutPrefix(name, findLine); ok {
		setFilter(p, filter)
		return true
	}
	if number, ok := strings.CutPrefix(name, otherLine); ok {
		if do := p.menu.otherCommand(number); do != nil {
			do(p.session, p)
		}
		return true
	}
	number, ok := strings.CutPrefix(name, columnLine)
	if at, err := strconv.Atoi(number); ok && err == nil {
		toggleColumn(p, report.Column(at))
	}
	return ok
}

// otherCommand returns the effect of a line of Options.Others, or nil.
func (m *menuPart) otherCommand(number string) action {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at, err := strconv.Atoi(number); err == nil && at >= 0 && at < len(m.otherCommands) {
		return m.otherCommands[at].Do
	}
	return nil
}
