package process

import "math/bits"

// ColumnSet is a set of columns: bit 1<<Column is set for each column in it. The zero set is empty.
type ColumnSet uint64

// A ColumnSet has a bit for each column, or this does not compile.
const _ = uint(64 - NumColumns)

// AllColumns has every column.
const AllColumns ColumnSet = 1<<NumColumns - 1

// Statistics are the columns that only some rows have: those of zones and of whole paths. Where a row has none, faces for
// people show "-".
var Statistics = dear | ColumnsOf(ColumnExtraSelf, ColumnExtraHier, ColumnExtraPercent)

// ColumnsOf returns the set of the columns given; those that do not exist are left out.
func ColumnsOf(columns ...Column) (s ColumnSet) {
	for _, c := range columns {
		if c < NumColumns {
			s |= 1 << c
		}
	}
	return s
}

// Has reports whether a column is in the set.
func (s ColumnSet) Has(c Column) bool { return s&(1<<c) != 0 }

// AppendColumns appends the columns of the set in the order of readingOrder.
func (s ColumnSet) AppendColumns(dst []Column) []Column {
	for _, c := range readingOrder {
		if s.Has(c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// readingOrder is the order of columns for people: what belongs together stands together, whenever its number was given.
var readingOrder = [NumColumns]Column{
	ColumnExtraPercent, ColumnExtraSelf, ColumnExtraHier,
	ColumnSelf, ColumnHier, ColumnCount, ColumnSelfPercent, ColumnHierPercent, ColumnSelfPerCall, ColumnHierPerCall,
	ColumnMin, ColumnMean, ColumnDeviation, ColumnP50, ColumnP90, ColumnP99, ColumnP999, ColumnMax, ColumnMaxHold,
	ColumnMinSelf, ColumnMeanSelf, ColumnDeviationSelf, ColumnP50Self, ColumnP90Self, ColumnP99Self, ColumnP999Self, ColumnMaxSelf,
	ColumnEverMin, ColumnEverMean, ColumnEverDeviation, ColumnEverP50, ColumnEverP90, ColumnEverP99, ColumnEverP999, ColumnEverMax,
	ColumnEverMinSelf, ColumnEverMeanSelf, ColumnEverDeviationSelf, ColumnEverP50Self, ColumnEverP90Self, ColumnEverP99Self,
	ColumnEverP999Self, ColumnEverMaxSelf,
	ColumnCallMin, ColumnCallDeviation, ColumnCallP50, ColumnCallP90, ColumnCallP99, ColumnCallP999, ColumnCallMax,
	ColumnCallsCounted, ColumnCallsMissing,
	ColumnTicks, ColumnAllocs, ColumnAllocBytes, ColumnFrees, ColumnFreeBytes, ColumnHeapObjects, ColumnHeapBytes,
	ColumnUnits, ColumnPerUnit, ColumnErrors,
}

// statistic is what can be said of many values.
type statistic uint8

const (
	statMin statistic = iota
	statMean
	statMax
	statDeviation
	statP50
	statP90
	statP99
	statP999
	numStatistics = iota
)

// ranks are the shares of the values that the quantiles are not below.
var ranks = [numStatistics]float64{statP50: 0.5, statP90: 0.9, statP99: 0.99, statP999: 0.999}

// statColumns are the columns of the same statistics of something.
type statColumns [numStatistics]Column

var (
	historyHier = statColumns{ColumnMin, ColumnMean, ColumnMax, ColumnDeviation, ColumnP50, ColumnP90, ColumnP99, ColumnP999}
	historySelf = statColumns{ColumnMinSelf, ColumnMeanSelf, ColumnMaxSelf, ColumnDeviationSelf, ColumnP50Self, ColumnP90Self, ColumnP99Self, ColumnP999Self}
	everHier    = statColumns{ColumnEverMin, ColumnEverMean, ColumnEverMax, ColumnEverDeviation, ColumnEverP50, ColumnEverP90, ColumnEverP99, ColumnEverP999}
	everSelf    = statColumns{ColumnEverMinSelf, ColumnEverMeanSelf, ColumnEverMaxSelf, ColumnEverDeviationSelf, ColumnEverP50Self, ColumnEverP90Self, ColumnEverP99Self, ColumnEverP999Self}
	singleCalls = statColumns{ColumnCallMin, NumColumns, ColumnCallMax, ColumnCallDeviation, ColumnCallP50, ColumnCallP90, ColumnCallP99, ColumnCallP999}
)

func (c *statColumns) set() ColumnSet { return ColumnsOf(c[:]...) }

// The columns that are worked out only when asked for.
var (
	dearHistory = (historyHier.set() | historySelf.set()) &^ ColumnsOf(ColumnMean, ColumnMax, ColumnMaxSelf)
	dearEver    = everHier.set() | everSelf.set()
	dearCalls   = singleCalls.set() | ColumnsOf(ColumnCallsCounted, ColumnCallsMissing)
	dear        = dearHistory | dearEver | dearCalls | 1<<ColumnMaxHold
)

// chooseColumns takes the columns that the view asks for.
func (r *Report) chooseColumns(v *View) {
	switch {
	case v.Columns != 0:
		r.chosen = v.Columns.AppendColumns(r.chosen[:0])
		r.Columns = r.chosen
	case v.Mode == Extra:
		r.Columns = extraColumns
	}
	if v.Mode == Extra {
		r.Sorted = ColumnExtraSelf
	}
}

// extraColumns are those of the mode Extra.
var extraColumns = []Column{ColumnExtraPercent, ColumnExtraSelf, ColumnExtraHier, ColumnSelf, ColumnHier, ColumnCount}

// clear takes away the values of the report before. Those that were not set are zero: most are never asked for.
func (out *Record) clear() {
	v := &out.Values // one by one: the compiler would call a function for a slice
	v[ColumnSelfPerCall], v[ColumnHierPerCall], v[ColumnMean], v[ColumnMax], v[ColumnMaxSelf] = 0, 0, 0, 0, 0
	for mask := uint64(out.Mask &^ cheap); mask != 0; mask &= mask - 1 {
		out.Values[bits.TrailingZeros64(mask)] = 0
	}
}

// cheap are the columns that fill and addHistory set. The first of them every record has; the others lie side by side.
var cheap = shownBasic | ColumnsOf(ColumnSelfPerCall, ColumnHierPerCall, ColumnMean, ColumnMax, ColumnMaxSelf)

// put sets a value of a record.
func (out *Record) put(c Column, v float64) {
	out.Values[c] = v
	out.Mask |= 1 << c
}

// fill sets those of the columns that are wanted.
func (c *statColumns) fill(out *Record, want ColumnSet, of func(statistic) float64) {
	for s := range statistic(numStatistics) {
		if want.Has(c[s]) {
			out.put(c[s], of(s))
		}
	}
}

// SetColumns chooses the columns of words: reports as text and tables of a terminal. None: those of the report mode. Columns
// of single calls have values for zones that SetPerCall was called for, and for all while SetEvents keeps events; elsewhere
// they show "-". The panel's table has its own choice.
func (s *Session) SetColumns(columns ...Column) {
	s.adjust(func(v *View) { v.Columns = ColumnsOf(columns...) })
}
