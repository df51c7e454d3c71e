package viewer

import "example.com/iprof/process"

// lane is one column of the table and its place.
type lane struct {
	column process.Column
	x0, x1 float32
}

// wish is a column that a wide table may have.
type wish struct {
	column process.Column
	width  float32 // nominal pixels
	rank   int     // a narrow table drops the lowest ranks first
}

// wishes are all columns from left to right.
var wishes = [...]wish{
	{process.ColumnExtraPercent, 76, 1030},
	{process.ColumnExtraSelf, 92, 1020},
	{process.ColumnExtraHier, 136, 1010},
	{process.ColumnSelf, 84, 1000},
	{process.ColumnHier, 112, 900},
	{ColumnDelta, 92, 890},
	{ColumnDeltaPercent, 84, 880},
	{ColumnBar, 240, 500},
	{process.ColumnCount, 86, 800},
	{process.ColumnSelfPercent, 76, 790},
	{process.ColumnHierPercent, 116, 780},
	{process.ColumnWaiting, 84, 778},
	{process.ColumnRunnable, 84, 777},
	{process.ColumnAtOnce, 84, 775},
	{process.ColumnSelfPerCall, 92, 770},
	{process.ColumnHierPerCall, 132, 760},
	{process.ColumnMin, 84, 599},
	{process.ColumnMean, 92, 600},
	{process.ColumnDeviation, 92, 750},
	{process.ColumnP50, 84, 740},
	{process.ColumnP90, 84, 730},
	{process.ColumnP99, 84, 720},
	{process.ColumnP999, 84, 710},
	{process.ColumnMax, 92, 700},
	{process.ColumnMinSelf, 92, 598},
	{process.ColumnMeanSelf, 104, 597},
	{process.ColumnDeviationSelf, 92, 596},
	{process.ColumnP50Self, 92, 595},
	{process.ColumnP90Self, 92, 594},
	{process.ColumnP99Self, 92, 593},
	{process.ColumnP999Self, 100, 592},
	{process.ColumnMaxSelf, 92, 690},
	{process.ColumnMaxHold, 92, 680},
	{process.ColumnEverMin, 92, 591},
	{process.ColumnEverMean, 108, 590},
	{process.ColumnEverDeviation, 92, 589},
	{process.ColumnEverP50, 92, 588},
	{process.ColumnEverP90, 92, 587},
	{process.ColumnEverP99, 92, 586},
	{process.ColumnEverP999, 104, 585},
	{process.ColumnEverMax, 92, 584},
	{process.ColumnEverMinSelf, 116, 583},
	{process.ColumnEverMeanSelf, 136, 582},
	{process.ColumnEverDeviationSelf, 116, 581},
	{process.ColumnEverP50Self, 116, 580},
	{process.ColumnEverP90Self, 116, 579},
	{process.ColumnEverP99Self, 116, 578},
	{process.ColumnEverP999Self, 128, 577},
	{process.ColumnEverMaxSelf, 116, 576},
	{process.ColumnCallMin, 92, 575},
	{process.ColumnCallDeviation, 92, 574},
	{process.ColumnCallP50, 92, 573},
	{process.ColumnCallP90, 92, 572},
	{process.ColumnCallP99, 92, 571},
	{process.ColumnCallP999, 104, 570},
	{process.ColumnCallMax, 92, 569},
	{process.ColumnCallsCounted, 100, 568},
	{process.ColumnCallsMissing, 92, 567},
	{process.ColumnTicks, 124, 670},
	{process.ColumnAllocs, 84, 660},
	{process.ColumnAllocBytes, 84, 650},
	{process.ColumnFrees, 84, 640},
	{process.ColumnFreeBytes, 84, 630},
	{process.ColumnHeapObjects, 84, 628},
	{process.ColumnHeapBytes, 84, 626},
	{process.ColumnUnits, 84, 624},
	{process.ColumnPerUnit, 84, 622},
	{process.ColumnErrors, 76, 620},
	{ColumnSpark, 222, 400},
}

// usual are the columns of a new table.
var usual = columnSet{}.toggled(process.ColumnSelf).toggled(process.ColumnHier).toggled(process.ColumnCount).
	toggled(process.ColumnMean).toggled(process.ColumnMax).toggled(ColumnBar).toggled(ColumnSpark)

// columnSet is a set of columns: those of a report, and those that only the table has. The empty set stands for the
// usual columns.
type columnSet struct {
	values process.ColumnSet
	own    uint16 // bit 1<<(column-NumColumns)
}

func (s columnSet) has(c process.Column) bool {
	if s = s.orUsual(); c < process.NumColumns {
		return s.values.Has(c)
	}
	return s.own&(1<<(c-process.NumColumns)) != 0
}

// toggled returns the set without the column if it has it, and with the column if it does not.
func (s columnSet) toggled(c process.Column) columnSet {
	if c < process.NumColumns {
		if one := process.ColumnsOf(c); s.values.Has(c) {
			s.values = s.values.Without(one)
		} else {
			s.values = s.values.Or(one)
		}
	} else {
		s.own ^= 1 << (c - process.NumColumns)
	}
	return s
}

func (s columnSet) orUsual() columnSet {
	if s == (columnSet{}) {
		return usual
	}
	return s
}

// nameRoom is the least width for names in nominal pixels.
const nameRoom = 150

// arrange chooses the columns that fit, and places them from the right. The names have the rest.
func (t *table) arrange(c *canvas, in rect) {
	extra := 14 * float32(c.precision-2) // four decimals need more room
	least := t.leastRank(in.width()/c.em-nameRoom, extra)
	t.lanes = t.lanes[:0]
	x := in.x1 - 4*c.em
	for i := len(wishes) - 1; i >= 0; i-- {
		w := &wishes[i]
		if w.rank < least || !t.has(w.column) {
			continue
		}
		width := t.chosenWidth(w, extra) * c.em
		t.lanes = append(t.lanes, lane{w.column, x - width, x})
		x -= width
	}
}

// leastRank returns the lowest rank of a column that has room. The room is in nominal pixels.
func (t *table) leastRank(room, extra float32) int {
	least := 0
	for {
		used, lowest := float32(0), 1<<30
		for i := range wishes {
			if w := &wishes[i]; w.rank >= least && t.has(w.column) {
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
func (t *table) has(c process.Column) bool {
	if c == ColumnDelta || c == ColumnDeltaPercent {
		return t.comparing
	}
	if c >= process.ColumnExtraSelf && c <= process.ColumnExtraPercent {
		return t.extra
	}
	return t.chosen.has(c) || t.chosen == (columnSet{}) && (c == process.ColumnAtOnce && t.atOnce ||
		c == process.ColumnWaiting && t.waits || c == process.ColumnRunnable && t.runnable)
}

// namesEnd returns the x where the names end.
func (t *table) namesEnd(in rect) float32 {
	if n := len(t.lanes); n > 0 {
		return t.lanes[n-1].x0
	}
	return in.x1
}

// columnsOf returns the set of columns. It leaves out unknown ones.
func columnsOf(columns []process.Column) (set columnSet) {
	for _, c := range columns {
		if c < numColumns && (set == columnSet{} || !set.has(c)) {
			set = set.toggled(c)
		}
	}
	return set
}

// list returns the columns of the set. An empty set has none.
func (s columnSet) list() (columns []process.Column) {
	for c := process.Column(0); c < numColumns && s != (columnSet{}); c++ {
		if s.has(c) {
			columns = append(columns, c)
		}
	}
	return columns
}

// toggleColumn shows a column of the table, or hides it. It does not hide the last one. Unknown columns are ignored.
func (p *Panel) toggleColumn(c process.Column) {
	if c >= numColumns {
		return
	}
	p.Change(func(o *Options) {
		if set := columnsOf(o.Columns).orUsual().toggled(c); set != (columnSet{}) {
			o.Columns = set.list()
		}
	})
}
