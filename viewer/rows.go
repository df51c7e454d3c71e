package viewer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/table"
)

// tablePart is the table of rows.
type tablePart struct {
	*shared
	table.Table
}

// cursorRecord returns the record under the cursor.
func cursorRecord(v *process.View) (r report.Record, ok bool) {
	var shown report.Report
	v.AppendReport(&shown)
	if at := shown.CursorRecord(); at != nil {
		return *at, true
	}
	return r, false
}

// pinCursor restricts reports to the cursor's path. If the row sums several paths, it restricts them to its zone.
func pinCursor(_ *process.Session, p *Panel) {
	r, ok := cursorRecord(p.view)
	if !ok {
		return
	}
	v := p.view.Get()
	p.view.PinPath(pathTo(p.view.AppendTree(nil, v), r)...)
	p.Note("counting only below " + r.Name)
}

// pathTo returns the zones on the path to a record, outermost first.
func pathTo(tree []report.TreeNode, r report.Record) (zones []report.ZoneID) {
	at := slices.IndexFunc(tree, func(n report.TreeNode) bool { return r.Path >= 0 && n.Path == r.Path })
	if at < 0 {
		return []report.ZoneID{r.Zone}
	}
	for i := int32(at); i >= 0; i = tree[i].Parent {
		if tree[i].Zone != 0 {
			zones = append(zones, tree[i].Zone)
		}
	}
	slices.Reverse(zones)
	if len(zones) == 0 {
		return []report.ZoneID{r.Zone}
	}
	return zones
}

func unpin(_ *process.Session, p *Panel) { p.view.PinPath() }

// filterToCursor shows only rows with names that contain the name of the cursor's row.
func filterToCursor(_ *process.Session, p *Panel) {
	if r, ok := cursorRecord(p.view); ok {
		setFilter(p, r.Name)
	}
}

// callersOnly opens the cursor's zone in the call graph without its callees. A second time, it shows them again.
func callersOnly(s *process.Session, p *Panel) {
	if s != nil && !p.State().CallersOnly {
		p.view.Select()
	}
	p.table.toggleCallers()
}

// openAs opens the cursor's zone in one of the call graphs.
func openAs(m report.ReportMode) action {
	return func(_ *process.Session, p *Panel) {
		if r, ok := cursorRecord(p.view); ok {
			v := p.view.Get()
			v.Mode, v.Focus, v.FocusDepth = m, r.Zone, max(r.Depth-1, 0)
			p.view.Set(v)
			p.view.Select()
		}
	}
}

// muteCursor mutes the cursor's zone, or measures it again.
func muteCursor(s *process.Session, p *Panel) {
	r, ok := cursorRecord(p.view)
	if !ok || r.Zone <= 0 {
		return
	}
	muted := !s.Muted(r.Zone)
	s.SetMuted(r.Zone, muted)
	if muted {
		p.Note("muted: " + r.Name + " is counted, and timed at random")
		return
	}
	p.Note("measured again: " + r.Name)
}

// hideCursor hides the cursor's zone. The cursor goes to the next row.
func hideCursor(_ *process.Session, p *Panel) {
	r, ok := cursorRecord(p.view)
	if !ok {
		return
	}
	v := p.view.Get()
	next := p.table.step(v, 1)
	if next == v.Cursor {
		next = p.table.step(v, -1)
	}
	if next >= 0 {
		p.view.SetCursor(next)
	}
	p.view.Arrange(func(a *report.Arrangement) { a.Hide(r.Zone, true) })
	words := "hidden: " + r.Name
	if key := p.keyName("show-zones"); key != "" {
		words += ". " + key + " shows all again"
	}
	p.Note(words)
}

// showHidden shows all hidden zones again.
func showHidden(_ *process.Session, p *Panel) {
	none := true
	p.view.Arrange(func(a *report.Arrangement) { none, a.Hidden = len(a.Hidden) == 0, nil })
	if none {
		p.Note("no zone is hidden")
	}
}
func fold(_ *process.Session, p *Panel) { p.table.toggleFold(-1) }

// moveCursor moves the cursor in the order of the rows on the screen, which may be sorted and filtered.
func moveCursor(rows int) action {
	return func(_ *process.Session, p *Panel) {
		if p.listed.stepList(rows) {
			return
		}
		if record := p.table.step(p.view.Get(), rows); record >= 0 {
			p.view.SetCursor(record)
			return
		}
		p.view.MoveCursor(rows)
	}
}

// selectRecord opens the zone under the cursor. If a verdict blames that zone, the call structure and the timeline go
// to it, too. In the live view it goes to the verdict unless the user has chosen a row.
func selectRecord(s *process.Session, p *Panel) {
	if goToListed(p) {
		return
	}
	if p.State().CursorFolded {
		p.table.toggleFold(-1)
		return
	}
	var shown report.Report
	p.view.AppendReport(&shown)
	r, v := shown.CursorRecord(), &shown.Verdict
	switch {
	case r == nil || !v.Found():
	case shown.Frame.Live && !shown.Chosen:
		showVerdict(s, p)
		return
	case !shown.Frame.Live && r.Zone == v.Target().Zone:
		p.notices.showCause()
	}
	p.view.Select()
}

func selectParent(_ *process.Session, p *Panel) { p.view.SelectParent() }

// toggleColumn shows a column of the table, or hides it. It does not hide the last one. Unknown columns are ignored.
func toggleColumn(p *Panel, c report.Column) {
	if c >= table.NumColumns {
		return
	}
	keepLook(p)
	p.Change(func(o *Options) {
		if set := table.ColumnsOf(o.Columns).OrUsual(p.scene.Info.Kind).Toggled(c); set != (table.ColumnSet{}) {
			o.Columns = set.List()
		}
	})
}

// pinBaseline makes the shown frame or average the baseline, and compares rows with it: see
// process.Session.PinBaseline.
func (t *tablePart) pinBaseline() { t.change(t.source.PinBaseline) }

// toggleCompare shows or hides the differences from the baseline. Without a baseline nothing is shown.
func (t *tablePart) toggleCompare() {
	t.arrange(func(a *report.Arrangement) { a.Compare = !a.Compare })
}

// toggleCallers hides the callees in call graphs, or shows them again.
func (t *tablePart) toggleCallers() {
	t.arrange(func(a *report.Arrangement) { a.CallersOnly = !a.CallersOnly })
}

// openFilter begins typing a filter. It ends with CloseFilter, Dismiss or setFilter.
func (t *tablePart) openFilter() { t.change(func() { t.typing = true }) }

// closeFilter ends typing, keeps the filter, and moves the cursor to a row that the filter shows. Any goroutine may
// call it.
func (p *Panel) closeFilter() {
	inList := false
	p.change(func() { p.typing, inList = false, p.listed.Open })
	if s := p.session; s != nil && !inList {
		if record := p.table.step(p.view.Get(), 0); record >= 0 {
			p.view.SetCursor(record)
		}
	}
}

// setFilter ends typing and filters the session's reports: see process.View.Arrange. Any goroutine may call it.
func setFilter(p *Panel, text string) {
	p.change(func() { p.closeList(false) })
	p.arrange(func(a *report.Arrangement) { p.typing, a.Filter = false, report.FilterText(text) })
}

// typeRune appends a character to the query of the help or the open menu, or else to the filter.
func (p *Panel) typeRune(r rune) {
	if p.help.editQuery(func() bool { return p.help.addCharacter(r) }) ||
		p.menu.editQuery(func() bool { return p.menu.addCharacter(r) }) {
		return
	}
	if p.listed.typeList(func(text string) string { return text + string(r) }) {
		return
	}
	p.arrange(func(a *report.Arrangement) { a.Filter = report.FilterText(a.Filter + string(r)) })
}

// erase removes the last character of the query of the help or the open menu, or else of the filter. Any goroutine may
// call it.
func (p *Panel) erase() {
	if p.help.editQuery(p.help.eraseCharacter) || p.menu.editQuery(p.menu.eraseCharacter) {
		return
	}
	if p.listed.typeList(withoutLast) {
		return
	}
	p.arrange(func(a *report.Arrangement) { a.Filter = withoutLast(a.Filter) })
}

// withoutLast returns a text without its last character.
func withoutLast(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size]
}

// sortBy sorts the rows by a column: the greatest value first, or names from A to Z. A second time, it reverses the
// order. Child rows stay below their parent row. It ignores ColumnBar, ColumnSpark and unknown columns. Any goroutine
// may call it.
func (t *tablePart) sortBy(column report.Column) {
	if column >= table.NumColumns || column == ColumnBar || column == ColumnSpark {
		return
	}
	t.arrange(func(a *report.Arrangement) {
		if a.Order.Chosen && a.Order.By == column {
			a.Order.Ascending = !a.Order.Ascending
		} else {
			a.Order = report.Order{Chosen: true, By: column, Ascending: column == ColumnName}
		}
	})
}

// sortAsReported restores the report's own order of rows.
func (t *tablePart) sortAsReported() {
	t.arrange(func(a *report.Arrangement) { a.Order = report.Order{} })
}

// step returns the record a number of lines below the cursor of the view, in the order of the rows on the screen. It
// stops at the ends. Keys that move the cursor pass the result to View.SetCursor. It is -1 if the last Draw had no
// rows, or had another report mode. Any goroutine may call it.
func (t *tablePart) step(v report.View, lines int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v.Mode != t.scene.View.Mode {
		return -1
	}
	return t.scene.Report.Step(v.Cursor, lines)
}

// toggleGrouped groups the rows of the flat reports by package, or ends the grouping.
func (t *tablePart) toggleGrouped() {
	t.arrange(func(a *report.Arrangement) {
		if a.Grouping++; a.Grouping > report.GroupingPackage {
			a.Grouping = report.GroupingNone
		}
	})
}

// toggleFold folds or unfolds a package by its number in a hit of kind hit.Package. A number below 0 is the package of
// the cursor's zone. Any goroutine may call it.
func (t *tablePart) toggleFold(place int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.scene.Report.Packages) == 0 {
		return
	}
	if fold := t.scene.CursorFold(); place < 0 && fold != nil {
		place = fold.ID
	} else if place < 0 {
		place = t.Arranger.PackageOf(t.scene.CursorZone())
	}
	t.serial++
	t.Arranger.Fold(place)
}

func (t *Line) cursor() error {
	if t.Rest != "" {
		n, relative, err := number(t.Rest)
		switch {
		case err != nil:
			return err
		case relative:
			t.Panel.view.MoveCursor(n)
		default:
			t.Panel.view.SetCursor(recordOn(t.Panel.view, n))
		}
	}
	var r report.Report
	t.Panel.view.AppendReport(&r)
	row := r.CursorRecord()
	if row == nil {
		t.Printf("no records")
		return nil
	}
	t.Printf("cursor %d of %d: %s", r.LineOf(r.Cursor), r.Len(), text.Name(row.Name))
	return nil
}

// recordOn returns the index of the record on a line of the report.
func recordOn(v *process.View, line int) int {
	var r report.Report
	v.AppendReport(&r)
	if r.Lines == nil || r.Len() == 0 {
		return line
	}
	line = min(max(line, 0), r.Len()-1)
	if p := r.Package(line); p != nil {
		return p.First
	}
	_, record := r.Line(line)
	return record
}

// choose shows the call graph of a zone: the named one, or the highlighted one.
func (t *Line) choose() error {
	if t.Rest == "" {
		t.Panel.view.Select()
		return printFocus(t)
	}
	zone, err := t.zone(t.Rest)
	if err != nil {
		return err
	}
	view := t.Panel.view.Get().Opened(zone)
	view.Mode, view.Cursor = report.ReportCallGraph, 0
	t.Panel.view.Set(view)
	return printFocus(t)
}

func (t *Line) parent() {
	t.Panel.view.SelectParent()
	printFocus(t)
}

// printFocus prints the zone whose call graph is shown.
func printFocus(t *Line) error {
	if t.Panel.view.Get().Mode != report.ReportCallGraph &&
		t.Panel.view.Get().Mode != report.ReportCallGraphDescendants {
		t.Printf("no zone is open")
		return nil
	}
	t.Printf("call graph of %s", text.Name(t.Session.Zone(t.Panel.view.Get().Focus).Name))
	return nil
}

// pin restricts reports to the nodes below a path. Without an argument it prints the path.
func (t *Line) pin() error {
	if t.Rest != "" {
		var path []report.ZoneID
		if !strings.EqualFold(t.Rest, "off") {
			for _, name := range strings.Split(t.Rest, ">") {
				zone, err := t.zone(strings.TrimSpace(name))
				if err != nil {
					return err
				}
				path = append(path, zone)
			}
		}
		t.Panel.view.PinPath(path...)
	}
	var names []string
	for _, zone := range t.Panel.view.Get().Pin {
		names = append(names, text.Name(t.Session.Zone(zone).Name))
	}
	if names == nil {
		t.Printf("pin off: rows count everything")
		return nil
	}
	t.Printf("pin: rows count what is below %s", strings.Join(names, " > "))
	return nil
}

// mute mutes a zone or measures it again. Without an argument it does so with the cursor's zone.
func (t *Line) mute() error {
	if t.Rest == "" {
		t.act()
		return nil
	}
	zone, answer, err := t.zoneAndAnswer()
	if err != nil {
		return err
	}
	on := answer == "on" || answer == "" && !t.Session.Muted(zone)
	t.Session.SetMuted(zone, on)
	word := "measured"
	if t.Session.Muted(zone) {
		word = "muted"
	}
	t.Printf("%s: %s", text.Name(t.Session.Zone(zone).Name), word)
	return nil
}

// hideZone hides the rows of a zone or shows them again. Without an argument it lists the hidden zones.
func (t *Line) hideZone() error {
	if t.Rest != "" {
		zone, answer, err := t.zoneAndAnswer()
		if err != nil {
			return err
		}
		v := t.Panel.view.Get()
		t.Panel.view.Arrange(func(a *report.Arrangement) {
			a.Hide(zone, answer == "on" || answer == "" && !v.Hides(zone))
		})
	}
	hidden := t.Panel.view.Get().Hidden
	for _, zone := range hidden {
		t.Printf("hidden: %s", text.Name(t.Session.Zone(zone).Name))
	}
	if len(hidden) == 0 {
		t.Printf("no zone is hidden")
	}
	return nil
}
