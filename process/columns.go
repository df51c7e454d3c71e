package process

import "math/bits"

// Statistics are the columns that only some rows have: rows of whole zones and of paths. Tables show "-" for a row
// without a value.
var Statistics = dear.With(ColumnExtraSelf, ColumnExtraHier, ColumnExtraPercent, ColumnWaiting, ColumnRunnable)

// readingOrder is the order of columns in tables. It differs from their numbers, which never change.
var readingOrder = [NumColumns]Column{
	ColumnExtraPercent, ColumnExtraSelf, ColumnExtraHier,
	ColumnSelf, ColumnHier, ColumnCount, ColumnSelfPercent, ColumnHierPercent, ColumnWaiting, ColumnRunnable,
	ColumnAtOnce, ColumnSelfPerCall, ColumnHierPerCall,
	ColumnMin, ColumnMean, ColumnDeviation, ColumnP50, ColumnP90, ColumnP99, ColumnP999, ColumnMax, ColumnMaxHold,
	ColumnMinSelf, ColumnMeanSelf, ColumnDeviationSelf,
	ColumnP50Self, ColumnP90Self, ColumnP99Self, ColumnP999Self, ColumnMaxSelf,
	ColumnEverMin, ColumnEverMean, ColumnEverDeviation,
	ColumnEverP50, ColumnEverP90, ColumnEverP99, ColumnEverP999, ColumnEverMax,
	ColumnEverMinSelf, ColumnEverMeanSelf, ColumnEverDeviationSelf,
	ColumnEverP50Self, ColumnEverP90Self, ColumnEverP99Self, ColumnEverP999Self, ColumnEverMaxSelf,
	ColumnCallMin, ColumnCallDeviation, ColumnCallP50, ColumnCallP90, ColumnCallP99, ColumnCallP999, ColumnCallMax,
	ColumnCallsCounted, ColumnCallsMissing,
	ColumnTicks, ColumnAllocs, ColumnAllocBytes, ColumnFrees, ColumnFreeBytes, ColumnHeapObjects, ColumnHeapBytes,
	ColumnUnits, ColumnPerUnit, ColumnErrors,
}

// statistic is a statistic of a list of values.
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

// ranks are the ranks of the quantiles, as shares of the number of values.
var ranks = [numStatistics]float64{statP50: 0.5, statP90: 0.9, statP99: 0.99, statP999: 0.999}

// statColumns are the columns with the statistics of one quantity.
type statColumns [numStatistics]Column

var (
	historyHier = statColumns{
		ColumnMin, ColumnMean, ColumnMax, ColumnDeviation,
		ColumnP50, ColumnP90, ColumnP99, ColumnP999,
	}
	historySelf = statColumns{
		ColumnMinSelf, ColumnMeanSelf, ColumnMaxSelf, ColumnDeviationSelf,
		ColumnP50Self, ColumnP90Self, ColumnP99Self, ColumnP999Self,
	}
	everHier = statColumns{
		ColumnEverMin, ColumnEverMean, ColumnEverMax, ColumnEverDeviation,
		ColumnEverP50, ColumnEverP90, ColumnEverP99, ColumnEverP999,
	}
	everSelf = statColumns{
		ColumnEverMinSelf, ColumnEverMeanSelf, ColumnEverMaxSelf, ColumnEverDeviationSelf,
		ColumnEverP50Self, ColumnEverP90Self, ColumnEverP99Self, ColumnEverP999Self,
	}
	singleCalls = statColumns{
		ColumnCallMin, NumColumns, ColumnCallMax, ColumnCallDeviation,
		ColumnCallP50, ColumnCallP90, ColumnCallP99, ColumnCallP999,
	}
)

func (c *statColumns) set() ColumnSet { return ColumnsOf(c[:]...) }

// The columns that are computed on request only.
var (
	dearHistory = historyHier.set().Or(historySelf.set()).Without(ColumnsOf(ColumnMean, ColumnMax, ColumnMaxSelf))
	dearEver    = everHier.set().Or(everSelf.set())
	dearCalls   = singleCalls.set().With(ColumnCallsCounted, ColumnCallsMissing)
	dear        = dearHistory.Or(dearEver).Or(dearCalls).With(ColumnMaxHold)
)

// chooseColumns sets the columns that the view or its mode chooses.
func (r *Report) chooseColumns(v *View) {
	switch {
	case !v.Columns.Empty():
		r.chosen = v.Columns.AppendColumns(r.chosen[:0])
		r.Columns = r.chosen
	case v.Mode == ReportExtra:
		r.Columns = extraColumns
	}
	if v.Mode == ReportExtra {
		r.Sorted = ColumnExtraSelf
	}
}

// extraColumns are the columns of ReportExtra.
var extraColumns = []Column{ColumnExtraPercent, ColumnExtraSelf, ColumnExtraHier, ColumnSelf, ColumnHier, ColumnCount}

// clear sets the values of the last report to 0. It visits only values that were set: most never are.
func (out *Record) clear() {
	v := &out.Values // one by one: to clear a slice the compiler would call a function
	v[ColumnSelfPerCall], v[ColumnHierPerCall], v[ColumnMean], v[ColumnMax], v[ColumnMaxSelf] = 0, 0, 0, 0, 0
	for i, mask := range out.Mask.Without(cheap) {
		for ; mask != 0; mask &= mask - 1 {
			out.Values[64*i+bits.TrailingZeros64(mask)] = 0
		}
	}
}

// cheap are the columns that fill and addHistory set. All records have the columns of shownBasic; the others are
// adjacent.
var cheap = shownBasic.With(ColumnSelfPerCall, ColumnHierPerCall, ColumnMean, ColumnMax, ColumnMaxSelf)

// put sets a value of a record.
func (out *Record) put(c Column, v float64) {
	out.Values[c] = v
	out.Mask.add(c)
}

// fill sets the wanted columns.
func (c *statColumns) fill(out *Record, want ColumnSet, of func(statistic) float64) {
	for s := range statistic(numStatistics) {
		if want.Has(c[s]) {
			out.put(c[s], of(s))
		}
	}
}

// SetColumns chooses the columns of text reports. Without columns, they are those of the report mode. Columns of single
// calls have values for zones with SetPerCall, and for all zones while SetEvents keeps events; other rows show "-". The
// table of the viewer has its own choice. Any goroutine may call it.
func (s *Session) SetColumns(columns ...Column) {
	s.adjust(func(v *View) { v.Columns = ColumnsOf(columns...) })
}
