package table

import (
	"slices"
	"sync"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Choices returns the columns that the user can choose. Columns of a baseline and of the extra report are not among
// them: they come and go with these. Callers must not write to it.
func Choices() []report.Column { return lists().choices }

// columnLists are the lists of columns. The first use makes them, so that a program without a screen does not.
type columnLists struct {
	wishes  []wish // all columns from left to right
	choices []report.Column
}

var (
	listing sync.Once
	listed  columnLists
)

func lists() *columnLists {
	listing.Do(func() {
		listed.wishes = withOthers(slices.Clone(wished[:]))
		for _, w := range listed.wishes {
			extra := w.column >= report.ColumnExtraSelf && w.column <= report.ColumnExtraPercent
			if w.column != ColumnDelta && w.column != ColumnDeltaPercent && !extra {
				listed.choices = append(listed.choices, w.column)
			}
		}
	})
	return &listed
}

// column is one column of the table and its place.
type column struct {
	column report.Column
	x0, x1 float32
}

// wish is a column that a wide table may have.
type wish struct {
	column report.Column
	width  float32 // nominal pixels
	rank   int     // a narrow table drops the lowest ranks first
}

// wished are the columns with a fixed place and width.
var wished = [...]wish{
	{report.ColumnExtraPercent, 76, 1030},
	{report.ColumnExtraSelf, 92, 1020},
	{report.ColumnExtraHier, 136, 1010},
	{report.ColumnSelf, 76, 1000},
	{report.ColumnWaited, 84, 895},
	{report.ColumnHier, 104, 900},
	{ColumnDelta, 92, 890},
	{ColumnDeltaPercent, 84, 880},
	{ColumnBar, 240, 500},
	{report.ColumnCount, 76, 800},
	{report.ColumnSelfPercent, 76, 790},
	{report.ColumnHierPercent, 116, 780},
	{report.ColumnWaiting, 84, 778},
	{report.ColumnRunnable, 84, 777},
	{report.ColumnAtOnce, 76, 775},
	{report.ColumnSelfPerCall, 92, 770},
	{report.ColumnHierPerCall, 132, 760},
	{report.ColumnMin, 84, 599},
	{report.ColumnMean, 84, 600},
	{report.ColumnDeviation, 92, 750},
	{report.ColumnP50, 84, 740},
	{report.ColumnP90, 84, 730},
	{report.ColumnP99, 84, 720},
	{report.ColumnP999, 84, 710},
	{report.ColumnMax, 80, 700},
	{report.ColumnMinSelf, 92, 598},
	{report.ColumnMeanSelf, 104, 597},
	{report.ColumnDeviationSelf, 92, 596},
	{report.ColumnP50Self, 92, 595},
	{report.ColumnP90Self, 92, 594},
	{report.ColumnP99Self, 92, 593},
	{report.ColumnP999Self, 100, 592},
	{report.ColumnMaxSelf, 92, 690},
	{report.ColumnMaxHold, 92, 680},
	{report.ColumnEverMin, 92, 591},
	{report.ColumnEverMean, 108, 590},
	{report.ColumnEverDeviation, 92, 589},
	{report.ColumnEverP50, 92, 588},
	{report.ColumnEverP90, 92, 587},
	{report.ColumnEverP99, 92, 586},
	{report.ColumnEverP999, 104, 585},
	{report.ColumnEverMax, 92, 584},
	{report.ColumnEverMinSelf, 116, 583},
	{report.ColumnEverMeanSelf, 136, 582},
	{report.ColumnEverDeviationSelf, 116, 581},
	{report.ColumnEverP50Self, 116, 580},
	{report.ColumnEverP90Self, 116, 579},
	{report.ColumnEverP99Self, 116, 578},
	{report.ColumnEverP999Self, 128, 577},
	{report.ColumnEverMaxSelf, 116, 576},
	{report.ColumnCallMin, 92, 575},
	{report.ColumnCallDeviation, 92, 574},
	{report.ColumnCallP50, 92, 573},
	{report.ColumnCallP90, 92, 572},
	{report.ColumnCallP99, 92, 571},
	{report.ColumnCallP999, 104, 570},
	{report.ColumnCallMax, 92, 569},
	{report.ColumnCallsCounted, 100, 568},
	{report.ColumnCallsMissing, 92, 567},
	{report.ColumnTicks, 124, 670},
	{report.ColumnAllocs, 84, 660},
	{report.ColumnAllocBytes, 84, 650},
	{report.ColumnFrees, 84, 640},
	{report.ColumnFreeBytes, 84, 630},
	{report.ColumnHeapObjects, 84, 628},
	{report.ColumnHeapBytes, 84, 626},
	{report.ColumnUnits, 84, 624},
	{report.ColumnPerUnit, 84, 622},
	{report.ColumnErrors, 76, 620},
	{ColumnSpark, 190, 400},
}

// withOthers adds the columns that the list does not have. They go before the last one, the sparkline. They are as wide
// as their headings, and narrow tables drop them early.
func withOthers(list []wish) []wish {
	for c := range report.Column(report.NumColumns) {
		if !slices.ContainsFunc(list, func(w wish) bool { return w.column == c }) {
			width := float32(max(84, 36+7*utf8.RuneCountInString(c.Info().Heading)))
			list = slices.Insert(list, len(list)-1, wish{c, width, 500 - int(c)})
		}
	}
	return list
}

// usual returns the columns of a new table for a kind of program. Times per frame and the line of the last frames are
// only for frames that the user waits for.
func usual(of report.Kind) ColumnSet {
	set := ColumnSet{}.Toggled(report.ColumnSelf).Toggled(report.ColumnHier).Toggled(ColumnBar)
	switch of {
	case report.KindProfile: // its stacks have no calls
		return set.Toggled(report.ColumnSelfPercent).Toggled(report.ColumnHierPercent)
	case report.KindServer:
		set = set.Toggled(report.ColumnCallP50).Toggled(report.ColumnCallP99).Toggled(report.ColumnCallMax)
	case report.KindCommand, report.KindTrace:
		set = set.Toggled(report.ColumnHierPercent).Toggled(report.ColumnHierPerCall)
	default:
		set = set.Toggled(report.ColumnMean).Toggled(report.ColumnMax).Toggled(ColumnSpark)
	}
	return set.Toggled(report.ColumnCount)
}

// ColumnSet is a set of columns: a report's columns and the table's own. The empty set stands for the usual columns.
type ColumnSet struct {
	Values       report.ColumnSet
	tableColumns uint16 // bit 1<<(column-NumColumns)
}

// Has reports whether the set has a column.
func (s ColumnSet) Has(c report.Column) bool {
	if c < report.NumColumns {
		return s.Values.Has(c)
	}
	return s.tableColumns&(1<<(c-report.NumColumns)) != 0
}

// Toggled returns the set with the column added or removed.
func (s ColumnSet) Toggled(c report.Column) ColumnSet {
	if c < report.NumColumns {
		if one := report.ColumnsOf(c); s.Values.Has(c) {
			s.Values = s.Values.Without(one)
		} else {
			s.Values = s.Values.Or(one)
		}
	} else {
		s.tableColumns ^= 1 << (c - report.NumColumns)
	}
	return s
}

// OrUsual returns the usual columns of a kind of program for the empty set, else the set.
func (s ColumnSet) OrUsual(of report.Kind) ColumnSet {
	if s == (ColumnSet{}) {
		return usual(of)
	}
	return s
}

// nameRoom is the least width for names in nominal pixels.
const nameRoom = 150

// arrange chooses the columns that fit, and places them from the right. The names have the rest.
func (t *Table) arrange(c *canvas.Canvas, in canvas.Rect) {
	extra := 14 * float32(c.Averages-2) // four decimals need more room
	t.shownColumns = t.Chosen.OrUsual(t.kind)
	least := t.leastRank(in.Width()/c.Em-nameRoom, extra)
	t.placedColumns = t.placedColumns[:0]
	x := in.X1 - 4*c.Em
	wishes := lists().wishes
	for i := len(wishes) - 1; i >= 0; i-- {
		w := &wishes[i]
		if w.rank < least && w.column != t.sorted || !t.has(w.column) {
			continue
		}
		width := t.chosenWidth(w, extra) * c.Em
		t.placedColumns = append(t.placedColumns, column{w.column, x - width, x})
		x -= width
	}
}

// chooseUnits chooses the unit of each column of times.
func (t *Table) chooseUnits(r *report.Report) {
	was, named := t.units, t.unitsNamed
	t.units, t.unitsNamed = [NumColumns]report.TimeUnit{}, false
	for _, l := range t.placedColumns {
		switch {
		case l.column < report.NumColumns:
			t.units[l.column] = r.UnitOf(l.column)
		case l.column == ColumnDelta:
			t.units[l.column] = r.UnitOf(report.ColumnDelta)
		}
		t.unitsNamed = t.unitsNamed || t.units[l.column].MS > 0 && t.units[l.column] != report.Milliseconds
	}
	for _, l := range t.placedColumns {
		if c := l.column; t.heads[c] == "" || t.units[c] != was[c] || t.unitsNamed != named {
			t.heads[c] = t.units[c].Heading(Describe(c).Heading, t.unitsNamed)
		}
	}
}

// unitOf returns the unit of a column, the usual one before it was placed.
func (t *Table) unitOf(c report.Column) report.TimeUnit {
	if u := t.units[c]; u.MS > 0 {
		return u
	}
	return report.Milliseconds
}

// appendDelta appends a difference from the baseline, in the unit of its column or in percent.
func (t *Table) appendDelta(b []byte, v *report.Delta, of report.Column, decimals int) []byte {
	return draw.AppendDelta(b, v, of == ColumnDeltaPercent, t.unitOf(of), decimals)
}

// leastRank returns the lowest rank of a column that fits. The room is in nominal pixels.
func (t *Table) leastRank(room, extra float32) int {
	least := 0
	for {
		used, lowest := float32(0), 1<<30
		for i := range lists().wishes {
			w := &lists().wishes[i]
			switch {
			case !t.has(w.column):
			case w.column == t.sorted: // the order of the rows would have no reason
				used += t.chosenWidth(w, extra)
			case w.rank >= least:
				used += t.chosenWidth(w, extra)
				lowest = min(lowest, w.rank)
			}
		}
		if used <= room || lowest == 1<<30 {
			return least
		}
		least = lowest + 1
	}
}

// has reports whether the table wants a column. The differences need a baseline, and the extra columns need the extra
// report. Other columns are the user's choice.
func (t *Table) has(c report.Column) bool {
	if c == ColumnDelta || c == ColumnDeltaPercent {
		return t.comparing
	}
	if c >= report.ColumnExtraSelf && c <= report.ColumnExtraPercent {
		return t.extra
	}
	return t.shownColumns.Has(c) || t.Chosen == (ColumnSet{}) && (c == report.ColumnAtOnce && t.atOnce ||
		c == report.ColumnWaited && t.waited ||
		c == report.ColumnWaiting && t.hasWaiting || c == report.ColumnRunnable && t.runnable)
}

// namesEnd returns the x at which the names end.
func (t *Table) namesEnd(in canvas.Rect) float32 {
	if n := len(t.placedColumns); n > 0 {
		return t.placedColumns[n-1].x0
	}
	return in.X1
}

// ColumnsOf returns the set of columns. It leaves out unknown ones.
func ColumnsOf(columns []report.Column) (set ColumnSet) {
	for _, c := range columns {
		if c < NumColumns && !set.Has(c) {
			set = set.Toggled(c)
		}
	}
	return set
}

// List returns the columns of the set. For an empty set it returns none.
func (s ColumnSet) List() (columns []report.Column) {
	for c := report.Column(0); c < NumColumns && s != (ColumnSet{}); c++ {
		if s.Has(c) {
			columns = append(columns, c)
		}
	}
	return columns
}

// Columns of the table, besides the columns of reports.
const (
	ColumnName                       = report.ColumnName         // the zone's name, which is always shown; for SortBy
	ColumnDelta                      = report.ColumnDelta        // difference from the baseline, ms
	ColumnDeltaPercent               = report.ColumnDeltaPercent // difference from the baseline, percent
	ColumnBar          report.Column = iota + report.NumColumns  // self time within hierarchical time, as a bar
	ColumnSpark                                                  // the last 60 frames, as a line
	NumColumns         = iota + report.NumColumns
)

// ownColumns are the words for the table's own columns.
var ownColumns = [NumColumns - report.NumColumns]draw.ColumnWords{
	ColumnName - report.NumColumns:  {Heading: "zone", Words: "name", Kind: draw.KindWhole},
	ColumnBar - report.NumColumns:   {Words: "bar of self in time with callees"},
	ColumnSpark - report.NumColumns: {Heading: "last 60 frames", Words: "line of the last 60 frames"},
	ColumnDelta - report.NumColumns: {Heading: "Δ ms", Words: "difference from the baseline"},
	ColumnDeltaPercent - report.NumColumns: {
		Heading: "Δ %", Words: "difference from the baseline, %", Kind: draw.KindShare},
}

// Describe returns the words for a column of the table.
func Describe(c report.Column) draw.ColumnWords {
	if c < report.NumColumns {
		return draw.Describe(c)
	}
	return ownColumns[c-report.NumColumns]
}

// HeadingOf returns the name of a column. The bar has a name but no heading.
func HeadingOf(w draw.ColumnWords) string {
	if w.Heading == "" {
		return "bar"
	}
	return w.Heading
}

// nameWidth is the least width for names with spare room, in nominal pixels.
const nameWidth = 220

// spare gives spare room of the names to the bar and to the line of the last frames. The names of the rows in sight
// keep the room that they need. The widths change only when longer names appear.
func (t *Table) spare(c *canvas.Canvas, d *scene.Scene, in canvas.Rect) {
	if mode := d.View.Mode; mode != t.widthOf || in != t.columnsAt {
		t.widthOf, t.columnsAt, t.named = mode, in, 0
	}
	for line := t.top; line < min(t.top+t.visible, d.Report.Len()); line++ {
		r, _ := d.Report.Line(line)
		width := c.Width(draw.FaceText, d.Label(r.Zone, r.Name)) + (70+16*float32(min(r.Indent, 24)))*c.Em
		t.named = max(t.named, width)
	}
	room := t.namesEnd(in) - in.X0 - max(t.named, nameWidth*c.Em)
	if room <= 0 {
		t.shrinkBar(c, in.X0+t.named-t.namesEnd(in))
		return
	}
	moved := float32(0)
	for i := range t.placedColumns {
		l := &t.placedColumns[i]
		l.x1 -= moved
		if own := t.widths.of[l.column] > 0; !own && (l.column == ColumnBar || l.column == ColumnSpark) {
			moved += draw.Snap(min(0.6*room, room-moved))
		}
		l.x0 -= moved
	}
}

// shrinkBar gives names that are cut a part of the room of the bar, which says nothing that numbers do not say.
func (t *Table) shrinkBar(c *canvas.Canvas, missing float32) {
	moved := float32(0)
	for i := range t.placedColumns {
		l := &t.placedColumns[i]
		l.x1 += moved
		if l.column == ColumnBar && t.widths.of[l.column] == 0 {
			moved += draw.Snap(max(min(missing, l.x1-l.x0-t.leastWidth(ColumnBar)*c.Em), 0))
		}
		l.x0 += moved
	}
}

// widths are the widths of columns that the user has dragged, in nominal pixels. They last as long as the panel.
type widths struct {
	of     [NumColumns]float32 // 0: the usual width
	byUser [NumColumns]bool    // dragged; others with a width only keep it

	headed [NumColumns]float32 // widths of headings

	column report.Column // the dragged column
	offset float32       // of its border from the mouse, pixels
}

// chosenWidth returns the width of a column in nominal pixels. more is the extra room for numbers with more decimals.
func (t *Table) chosenWidth(w *wish, more float32) float32 {
	if own := t.widths.of[w.column]; own > 0 {
		return own
	}
	return w.width + more
}

// columnAt returns the column in the last Draw, or nil.
func (t *Table) columnAt(column report.Column) *column {
	for i := range t.placedColumns {
		if t.placedColumns[i].column == column {
			return &t.placedColumns[i]
		}
	}
	return nil
}

// LeadsToCalls reports whether a number at x in the last Draw leads to the slow calls of its zone.
func (t *Table) LeadsToCalls(x float32) bool {
	for i := range t.placedColumns {
		if l := &t.placedColumns[i]; l.x0 <= x && x < l.x1 {
			return leadsToCalls(l.column)
		}
	}
	return false
}

// leadsToCalls reports whether a column has the greatest times of single calls.
func leadsToCalls(c report.Column) bool {
	return c >= report.ColumnCallP90 && c <= report.ColumnCallP999
}

// borders draws the borders between the headings while the mouse is over them. A drag on one changes the width of the
// column at its right.
func (t *Table) borders(c *canvas.Canvas, r canvas.Rect) {
	near := c.Hovers(r)
	for i := range t.placedColumns {
		l := &t.placedColumns[i]
		x := draw.Snap(l.x0 + borderAt*c.Em)
		box := canvas.Box(x-4*c.Em, r.Y0, x+4*c.Em, r.Y1)
		if c.Hovers(box) {
			c.Rect(x-c.Em, r.Y0+3*c.Em, x+c.Em, r.Y1-2*c.Em, c.Accent)
		} else if near {
			c.Rect(x, r.Y0+5*c.Em, x+draw.Hairline(c.Em), r.Y1-4*c.Em, c.TextFaint)
		}
		c.Add(box, hit.Of(hit.Border, int(l.column)))
	}
}

// borderAt is the distance of a border from the left end of its column, in nominal pixels. Numbers end at the right.
const borderAt = 8

// StartColumn begins to drag the border at the left of a column.
func (t *Table) StartColumn(column report.Column, x float32) {
	if l := t.columnAt(column); l != nil && canvas.Finite(x) {
		t.widths.column, t.widths.offset = column, l.x0-x
	}
}

// DragColumn moves the border of StartColumn to x.
func (t *Table) DragColumn(x, em float32) {
	w := &t.widths
	l := t.columnAt(w.column)
	if l == nil || !canvas.Finite(x) || em <= 0 {
		return
	}
	most := l.x1 - l.x0 + max(t.namesEnd(t.columnsAt)-t.columnsAt.X0-nameRoom*em, 0)
	width := min(max(l.x1-x-w.offset, t.leastWidth(w.column)*em), most)
	for i := range t.placedColumns {
		own := &t.placedColumns[i]
		w.of[own.column] = (own.x1 - own.x0) / em
	}
	w.of[w.column], w.byUser[w.column] = width/em, true
}

// ResetColumn gives a column its usual width again.
func (t *Table) ResetColumn(column report.Column) {
	w := &t.widths
	if column >= NumColumns {
		return
	}
	w.of[column], w.byUser[column] = 0, false
	if w.byUser == ([NumColumns]bool{}) {
		w.of = [NumColumns]float32{}
	}
}

// leastWidth returns the least width of a column in nominal pixels: room for its heading and an ordinary number.
func (t *Table) leastWidth(column report.Column) float32 {
	switch column {
	case ColumnBar:
		return 60
	case ColumnSpark:
		return 110
	}
	return max(60, t.widths.headed[column]+30)
}
