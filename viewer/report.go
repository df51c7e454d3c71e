package viewer

import (
	"fmt"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// ownLane shows only the lane with the most time in the cursor's zone. A second time, it shows all lanes.
func ownLane(_ *process.Session, p *Panel) {
	v := p.view.Get()
	if v.Lane != 0 {
		p.view.SetLane(0)
		return
	}
	r, ok := cursorRecord(p.view)
	if !ok {
		return
	}
	best, most := report.LaneInfo{}, 0.0
	var shown report.Report
	for _, lane := range p.view.AppendLanes(nil) {
		of := v
		of.Lane, of.Mode = lane.ID, report.ReportHierarchicalTime
		p.view.AppendReportOf(&shown, of)
		for i := range shown.Records {
			if rec := &shown.Records[i]; rec.Zone == r.Zone && rec.Values[report.ColumnHier] > most {
				best, most = lane, rec.Values[report.ColumnHier]
			}
		}
	}
	if most > 0 {
		p.view.SetLane(best.ID)
		p.Note("only " + best.Name)
	}
}

func usualColumns(_ *process.Session, p *Panel) {
	keepLook(p)
	p.Change(func(o *Options) { o.Columns = nil })
	p.table.resort(report.UsualColumns)
}

func setMode(m report.ReportMode) action {
	return func(_ *process.Session, p *Panel) { p.view.SetReportMode(m) }
}

func toggleSort(_ *process.Session, p *Panel) {
	if p.view.Get().Mode == report.ReportSelfTime {
		p.view.SetReportMode(report.ReportHierarchicalTime)
		return
	}
	p.view.SetReportMode(report.ReportSelfTime)
}

func cycleAverage(_ *process.Session, p *Panel) {
	next := map[report.Average]report.Average{
		report.AverageInstant: report.AverageShort,
		report.AverageShort:   report.AverageLong,
		report.AverageLong:    report.AverageInstant,
	}
	p.view.SetAverage(next[p.view.Get().Average])
}

func toggleRecursion(_ *process.Session, p *Panel) {
	if p.view.Get().Recursion == report.RecursionFlattened {
		p.view.SetRecursion(report.RecursionSpread)
		return
	}
	p.view.SetRecursion(report.RecursionFlattened)
}

// cycleLane cycles through the lanes; the first choice is all lanes merged.
func cycleLane(step int) action {
	return func(_ *process.Session, p *Panel) {
		ids := []report.LaneID{0}
		at := 0
		for _, lane := range p.view.AppendLanes(nil) {
			if lane.ID == p.view.Get().Lane {
				at = len(ids)
			}
			ids = append(ids, lane.ID)
		}
		p.view.SetLane(ids[(at+step+len(ids))%len(ids)])
	}
}

// columns chooses the columns of reports. Without an argument it prints them.
func (t *Line) columns() error {
	switch t.Rest {
	case "list":
		for _, column := range report.AllColumns.AppendColumns(nil) {
			t.Printf("%s", column.Info().Name)
		}
		return nil
	case "usual":
		t.Panel.view.SetColumns()
	case "":
	default:
		chosen, err := columnsOrPreset(strings.Fields(t.Rest))
		if err != nil {
			return err
		}
		t.Panel.view.SetColumns(chosen...)
	}
	var names []string
	for _, column := range t.Panel.view.Get().Columns.AppendColumns(nil) {
		names = append(names, column.Info().Name)
	}
	if names == nil {
		names = []string{"usual"}
	}
	t.Printf("columns %s", strings.Join(names, " "))
	return nil
}

// columnsOrPreset parses "for" and the name of a choice of columns, or the names of columns.
func columnsOrPreset(typed []string) (list []report.Column, err error) {
	if len(typed) != 2 || typed[0] != "for" {
		return columnsOf(typed)
	}
	if list, ok := presetOf(typed[1]); ok {
		return list, nil
	}
	return nil, fmt.Errorf("no columns for %q; there are those for time, calls, memory, waiting", typed[1])
}

// columnsOf parses the names of columns. Names may be shortened.
func columnsOf(typed []string) (list []report.Column, err error) {
	names := columnNames(report.NumColumns)
	for _, word := range typed {
		c, err := columnOf(word, names)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// columnOf returns the column of a name, which may be shortened, or of a heading.
func columnOf(typed string, names []string) (report.Column, error) {
	for c := range report.Column(len(names)) {
		if strings.EqualFold(c.Info().Heading, typed) {
			return c, nil
		}
	}
	at, err := Choose("column", typed, names)
	return report.Column(max(at, 0)), err
}

// columnNames returns the names of the first n columns.
func columnNames(n report.Column) (names []string) {
	for c := range n {
		names = append(names, c.Info().Name)
	}
	return names
}

// The names of the modes, recursions and averages, in the order of their constants in package process.
var (
	modeNames   = []string{"self", "callees", "callgraph", "descendants", "calltree", "slow"}
	modeAliases = [...]struct {
		alias string
		mode  report.ReportMode
	}{{"tree", report.ReportCallTree}, {"hierarchical", report.ReportHierarchicalTime},
		{"with callees", report.ReportHierarchicalTime}, {"extra", report.ReportExtra},
		{"slow frames", report.ReportExtra}}
	recursionNames = []string{"flattened", "spread"}
	averageNames   = []string{"short", "long", "instant"}
)

// ModeOf returns the report mode of a name, which may be shortened, or of a digit from 1 to 6. The error lists the
// names. Any goroutine may call it.
func ModeOf(typed string) (report.ReportMode, error) {
	if len(typed) == 1 && typed[0] >= '1' && int(typed[0]-'1') < len(modeNames) {
		return report.ReportMode(typed[0] - '1'), nil
	}
	for _, of := range modeAliases {
		if len(typed) >= 4 && len(typed) <= len(of.alias) && strings.EqualFold(of.alias[:len(typed)], typed) {
			return of.mode, nil
		}
	}
	at, err := Choose("mode", typed, modeNames)
	return report.ReportMode(max(at, 0)), err
}

func (t *Line) mode() error {
	if t.Rest != "" {
		mode, err := ModeOf(t.Rest)
		if err != nil {
			return err
		}
		t.Panel.view.SetReportMode(mode)
	}
	t.Printf("mode %s", modeNames[t.Panel.view.Get().Mode])
	return nil
}

func (t *Line) average() error {
	set := func(at int) { t.Panel.view.SetAverage(report.Average(at)) }
	if err := t.option("average", averageNames, set); err != nil {
		return err
	}
	t.Printf("average %s", averageNames[t.Panel.view.Get().Average])
	return nil
}

func (t *Line) recursion() error {
	set := func(at int) { t.Panel.view.SetRecursion(report.Recursion(at)) }
	if err := t.option("recursion", recursionNames, set); err != nil {
		return err
	}
	t.Printf("recursion %s", recursionNames[t.Panel.view.Get().Recursion])
	return nil
}

func (t *Line) lane() error {
	lanes := t.Panel.view.AppendLanes(nil)
	if t.Rest == "" {
		printLanes(t, lanes)
		return nil
	}
	var id report.LaneID
	if !strings.EqualFold(t.Rest, "all") {
		at, err := laneOf(lanes, t.Rest)
		if err != nil {
			return err
		}
		id = lanes[at].ID
	}
	t.Panel.view.SetLane(id)
	t.Printf("shows %s", laneName(lanes, id))
	return nil
}

// printLanes lists the lanes and marks the shown one.
func printLanes(t *Line, lanes []report.LaneInfo) {
	shown, info := t.Panel.view.Get().Lane, t.Panel.view.Info()
	decimals := info.Decimals(2)
	t.Printf("%s all  every goroutine, merged", mark(shown == 0))
	for _, lane := range lanes {
		line := fmt.Sprintf("%s %3d  %s, %s", mark(shown == lane.ID), lane.ID, text.Name(lane.Name),
			draw.AppendTime(nil, lane.Self, decimals))
		if lane.CPU > 0 {
			line += fmt.Sprintf(", CPU %s", draw.AppendTime(nil, lane.CPU, 2))
		}
		t.Printf("%s", line)
	}
}

// mark returns the sign before the lane shown, and a space for the others.
func mark(shown bool) string {
	if shown {
		return "*"
	}
	return " "
}

// laneOf finds a lane by number or name.
func laneOf(lanes []report.LaneInfo, typed string) (int, error) {
	list := make([]string, len(lanes))
	for i := range lanes {
		if fmt.Sprint(lanes[i].ID) == typed {
			return i, nil
		}
		list[i] = text.Name(lanes[i].Name)
	}
	return Choose("goroutine", typed, list)
}

func laneName(lanes []report.LaneInfo, id report.LaneID) string {
	for i := range lanes {
		if lanes[i].ID == id {
			return text.Name(lanes[i].Name)
		}
	}
	return "all goroutines"
}

// arrange changes the arrangement of the session's reports.
func (t *Line) arrange(change func(a *report.Arrangement)) { t.Panel.view.Arrange(change) }

// group sets whether rows are grouped under headings. Without an argument it prints the grouping.
func (t *Line) group() error {
	names := []string{"off", "package", "line"} // in the order of the constants of type report.Grouping
	group := func(at int) { t.arrange(func(a *report.Arrangement) { a.Grouping = report.Grouping(at) }) }
	if err := t.option("grouping", names, group); err != nil {
		return err
	}
	t.Printf("group %s", names[t.Panel.view.Get().Grouping])
	return nil
}

// filter shows only rows with names that contain a text. Without an argument it prints the filter.
func (t *Line) filter() error {
	switch t.Rest {
	case "":
	case "off":
		t.arrange(func(a *report.Arrangement) { a.Filter = "" })
	default:
		t.arrange(func(a *report.Arrangement) { a.Filter = t.Rest })
	}
	filter := t.Panel.view.Get().Filter
	if filter == "" {
		t.Printf("filter off")
		return nil
	}
	var r report.Report
	t.Panel.view.AppendReport(&r)
	t.Printf("filter %q: %d of %s", filter, r.Found, printed.Count(len(r.Records), "row"))
	return nil
}

// waiting sets whether waiting zones are listed one by one. Without an argument it prints the setting.
func (t *Line) waiting() error {
	show := func(at int) { t.arrange(func(a *report.Arrangement) { a.ShowIdle = at == 1 }) }
	if err := t.option("answer", onOff, show); err != nil {
		return err
	}
	t.Printf("waiting %s", onOff[index(t.Panel.view.Get().ShowIdle)])
	return nil
}

// baseline pins the shown report as the baseline for later ones.
func (t *Line) baseline() {
	t.Panel.view.PinBaseline()
	printComparison(t)
}

// compare switches the comparison with the baseline on or off. Without an argument it prints the state.
func (t *Line) compare() error {
	if t.Rest != "" {
		at, err := Choose("answer", t.Rest, onOff)
		if err != nil {
			return err
		}
		t.arrange(func(a *report.Arrangement) { a.Compare = at == 1 })
		if at == 1 && !t.Panel.view.Get().Compare {
			return fmt.Errorf("there is no baseline: the word baseline pins what is shown")
		}
	}
	printComparison(t)
	return nil
}

func printComparison(t *Line) {
	var r report.Report
	t.Panel.view.AppendReport(&r)
	switch {
	case r.Baseline.Pinned:
		t.Printf("compare on: %s", r.Baseline.Label)
	case r.Frame.Frames == 0:
		t.Printf("no frame yet to compare with")
	default:
		t.Printf("compare off")
	}
}

// sort sorts the report. Self and hierarchical time each have a report mode; sort switches to it. Any other column
// keeps the mode. Without an argument sort toggles between the two modes.
func (t *Line) sort() error {
	mode := report.ReportSelfTime
	if t.Panel.view.Get().Mode == mode {
		mode = report.ReportHierarchicalTime
	}
	if t.Rest != "" {
		at, err := Choose("order", t.Rest, []string{"self", "callees", "hierarchical", "with callees"})
		if err != nil {
			return sortLine(t, strings.Fields(t.Rest))
		}
		mode = report.ReportMode(min(at, 1))
	}
	t.arrange(func(a *report.Arrangement) { a.Order = report.Order{} })
	t.Panel.view.SetReportMode(mode)
	t.Printf("sorted by %s", [...]string{"self time", "time with callees"}[mode])
	return nil
}

// sortLine sorts by a column and an optional direction. By default numbers go down and names go from A to Z.
func sortLine(t *Line, typed []string) error {
	if len(typed) == 1 && typed[0] == "usual" {
		t.arrange(func(a *report.Arrangement) { a.Order = report.Order{} })
		t.Printf("sorted as usual")
		return nil
	}
	by, err := sortColumn(typed[0])
	if err != nil {
		return err
	}
	o := report.Order{Chosen: true, By: by, Ascending: by == report.ColumnName}
	if len(typed) > 1 {
		at, err := Choose("direction", strings.Join(typed[1:], " "), []string{"down", "up"})
		if err != nil {
			return err
		}
		o.Ascending = at == 1
	}
	if by >= report.ColumnDelta && !t.Panel.view.Get().Compare {
		return fmt.Errorf("nothing is compared: the word baseline pins what is shown")
	}
	t.arrange(func(a *report.Arrangement) { a.Order = o })
	t.Printf("sorted by %s, %s", by.Info().Name, map[bool]string{true: "up", false: "down"}[o.Ascending])
	return nil
}

// sortColumn returns the column of a name. The name may be shortened.
func sortColumn(typed string) (report.Column, error) {
	return columnOf(typed, columnNames(report.ColumnDeltaPercent+1))
}
