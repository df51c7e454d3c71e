package draw

import "example.com/iprof/process"

// lane is one column of the table, and where it lies.
type lane struct {
	column process.Column
	x0, x1 float32
}

// wish is a column that a wide table may have.
type wish struct {
	column process.Column
	width  float32 // nominal pixels
	rank   int     // where the table is narrow, the lowest are dropped first
}

// wishes are all columns from left to right.
var wishes = [...]wish{
	{process.ColumnSelf, 84, 100},
	{process.ColumnHier, 88, 90},
	{ColumnDelta, 92, 89},
	{ColumnDeltaPercent, 84, 88},
	{ColumnBar, 240, 50},
	{process.ColumnCount, 86, 80},
	{process.ColumnSelfPercent, 76, 79},
	{process.ColumnHierPercent, 76, 78},
	{process.ColumnSelfPerCall, 92, 77},
	{process.ColumnHierPerCall, 92, 76},
	{process.ColumnMean, 92, 60},
	{process.ColumnDeviation, 92, 75},
	{process.ColumnP50, 84, 74},
	{process.ColumnP90, 84, 73},
	{process.ColumnP99, 84, 72},
	{process.ColumnP999, 84, 71},
	{process.ColumnMax, 92, 70},
	{process.ColumnMaxSelf, 92, 69},
	{process.ColumnMaxHold, 92, 68},
	{process.ColumnTicks, 124, 67},
	{process.ColumnAllocs, 84, 66},
	{process.ColumnAllocBytes, 84, 65},
	{process.ColumnFrees, 84, 64},
	{process.ColumnFreeBytes, 84, 63},
	{process.ColumnErrors, 76, 62},
	{ColumnSpark, 222, 40},
}

// usual are the columns that a new table shows.
const usual columnSet = 1<<process.ColumnSelf | 1<<process.ColumnHier | 1<<process.ColumnCount | 1<<process.ColumnMean |
	1<<process.ColumnMax | 1<<ColumnBar | 1<<ColumnSpark

// columnSet has bit 1<<column set for each column in it. The empty set stands for the usual one.
type columnSet uint32

func (s columnSet) has(c process.Column) bool { return s.orUsual()&(1<<c) != 0 }

func (s columnSet) orUsual() columnSet {
	if s == 0 {
		return usual
	}
	return s
}

// nameRoom is the least width for names.
const nameRoom = 150

// arrange chooses the columns that fit, and where they lie: from the right, what is left being the names'.
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
		width := (w.width + extra) * c.em
		t.lanes = append(t.lanes, lane{w.column, x - width, x})
		x -= width
	}
}

// leastRank is the lowest rank of a column that still has room, in nominal pixels.
func (t *table) leastRank(room, extra float32) int {
	least := 0
	for {
		used, lowest := float32(0), 1000
		for i := range wishes {
			if w := &wishes[i]; w.rank >= least && t.has(w.column) {
				used += w.width + extra
				lowest = min(lowest, w.rank)
			}
		}
		if used <= room || lowest == 1000 {
			return least
		}
		least = lowest + 1
	}
}

// has reports whether a column is to be shown if there is room. Differences are, while there is something to compare with.
func (t *table) has(c process.Column) bool {
	if c == ColumnDelta || c == ColumnDeltaPercent {
		return t.rows.comparing
	}
	return t.chosen.has(c)
}

// namesEnd is where the names must end.
func (t *table) namesEnd(in rect) float32 {
	if n := len(t.lanes); n > 0 {
		return t.lanes[n-1].x0
	}
	return in.x1
}

// SetColumns chooses the table's columns: values of a report, ColumnBar and ColumnSpark. Their order is fixed, and those that
// do not fit are left out. None stands for the usual ones.
func (p *Panel) SetColumns(columns ...process.Column) {
	var set columnSet
	for _, c := range columns {
		if c < numColumns {
			set |= 1 << c
		}
	}
	p.change(func() { p.table.chosen = set })
}

// ToggleColumn shows a column of the table, or hides it. The last one stays.
func (p *Panel) ToggleColumn(c process.Column) {
	p.change(func() {
		if set := p.table.chosen.orUsual() ^ 1<<c; c < numColumns && set != 0 {
			p.table.chosen = set
		}
	})
}

// HasColumn reports whether a column is among those chosen.
func (p *Panel) HasColumn(c process.Column) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.chosen.has(c)
}
