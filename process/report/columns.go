package report

import "math/bits"

// UsualColumns are the columns of most reports.
var UsualColumns = []Column{ColumnSelf, ColumnHier, ColumnCount}

// Each set below is a constant, because every program would have the code that computes it: 2<<b - 1<<a are the columns
// from a to b, and the second number has those from 64 on.
var (
	// AllColumns is the set of all columns.
	AllColumns = ColumnSet{1<<64 - 1, 1<<(NumColumns-64) - 1}

	// BasicColumns are the values that every record has.
	BasicColumns = ColumnSet{2<<ColumnHierPercent - 1<<ColumnSelf | 1<<ColumnTicks | 1<<ColumnErrors | 1<<ColumnAtOnce}

	// Statistics are the columns that only some rows have: rows of whole zones and of paths. Tables show "-" for a row
	// without a value.
	Statistics = ColumnSet{2<<ColumnP999 - 1<<ColumnMaxHold | 2<<ColumnExtraPercent - 1<<ColumnMin | 1<<ColumnWaiting,
		1<<(ColumnRunnable-64) | 1<<(ColumnWaited-64)}

	// MeasuredColumns are the columns whose times are measured in one frame, unless the report shows averages: see
	// Report.Averages. The other times are quotients, which have more decimals than the clock.
	MeasuredColumns = ColumnSet{1<<ColumnSelf | 1<<ColumnHier | 2<<ColumnMaxHold - 1<<ColumnMax |
		2<<ColumnP999 - 1<<ColumnP50 | 2<<ColumnMinSelf - 1<<ColumnMin | 2<<ColumnP999Self - 1<<ColumnP50Self |
		1<<ColumnEverMin | 1<<ColumnEverMax | 1<<ColumnEverMinSelf | 1<<ColumnEverMaxSelf | 1<<ColumnWaiting,
		1 << (ColumnRunnable - 64)}
)

// readingOrder is the order of columns in tables. It differs from their numbers, which never change.
var readingOrder = [NumColumns]Column{
	ColumnExtraPercent, ColumnExtraSelf, ColumnExtraHier,
	ColumnSelf, ColumnWaited, ColumnHier, ColumnCount, ColumnSelfPercent, ColumnHierPercent,
	ColumnWaiting, ColumnRunnable, ColumnAtOnce, ColumnSelfPerCall, ColumnHierPerCall,
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

// ChooseColumns sets the columns that the view or its mode chooses.
func (r *Report) ChooseColumns(v *View) {
	switch {
	case !v.Columns.Empty():
		r.Memory.Chosen = v.Columns.AppendColumns(r.Memory.Chosen[:0])
		r.Columns = r.Memory.Chosen
	case v.Mode == ReportExtra:
		r.Columns = extraColumns
	case r.Frame.Kind == KindProfile:
		r.Columns = profileColumns
	}
	if v.Mode == ReportExtra {
		r.Sorted = ColumnExtraSelf
	}
}

// profileColumns are the columns of a profile. Its stacks have no calls.
var profileColumns = []Column{ColumnSelf, ColumnHier, ColumnSelfPercent, ColumnHierPercent}

// extraColumns are the columns of ReportExtra.
var extraColumns = []Column{ColumnExtraPercent, ColumnExtraSelf, ColumnExtraHier, ColumnSelf, ColumnHier, ColumnCount}

// Clear sets the values of the last report to 0. It visits only values that were set, because most never are.
func (out *Record) Clear() {
	v := &out.Values // one by one: to clear a slice the compiler would call a function
	v[ColumnSelfPerCall] = 0
	v[ColumnHierPerCall] = 0
	v[ColumnMean] = 0
	v[ColumnMax] = 0
	v[ColumnMaxSelf] = 0
	for i, mask := range out.Mask.Without(cheap) {
		for ; mask != 0; mask &= mask - 1 {
			out.Values[64*i+bits.TrailingZeros64(mask)] = 0
		}
	}
}

// cheap are the columns that Fill and addHistory set. All records have the columns of shown. The other columns are
// adjacent.
var cheap = ColumnSet{2<<ColumnMaxSelf - 1<<ColumnSelf | 1<<ColumnTicks | 1<<ColumnErrors | 1<<ColumnAtOnce}

// Put sets a value of a record.
func (out *Record) Put(c Column, v float64) {
	out.Values[c] = v
	out.Mask.Add(c)
}

// ColumnSet is a set of columns. The zero set is empty, and sets can be compared with ==.
type ColumnSet [2]uint64

// This does not compile if a ColumnSet has too few bits.
const _ = uint(128 - NumColumns)

// ColumnsOf returns a set of columns. Columns out of range are left out.
func ColumnsOf(columns ...Column) ColumnSet { return ColumnSet{}.With(columns...) }

// Has reports whether a column is in the set.
func (s ColumnSet) Has(c Column) bool { return c < NumColumns && s[c/64]&(1<<(c%64)) != 0 }

// Empty reports whether the set has no column.
func (s ColumnSet) Empty() bool { return s == ColumnSet{} }

// With returns the set and more columns. Columns out of range are left out.
func (s ColumnSet) With(columns ...Column) ColumnSet {
	for _, c := range columns {
		if c < NumColumns {
			s.Add(c)
		}
	}
	return s
}

// Add adds a column in range.
func (s *ColumnSet) Add(c Column) { s[c/64] |= 1 << (c % 64) }

// Or returns the columns that are in either set.
func (s ColumnSet) Or(t ColumnSet) ColumnSet { return ColumnSet{s[0] | t[0], s[1] | t[1]} }

// And returns the columns that are in both sets.
func (s ColumnSet) And(t ColumnSet) ColumnSet { return ColumnSet{s[0] & t[0], s[1] & t[1]} }

// Without returns the set without the columns of another.
func (s ColumnSet) Without(t ColumnSet) ColumnSet { return ColumnSet{s[0] &^ t[0], s[1] &^ t[1]} }

// AppendColumns appends the columns of the set in reading order: related columns stand together.
func (s ColumnSet) AppendColumns(dst []Column) []Column {
	for _, c := range readingOrder {
		if s.Has(c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// Column is a value of a record, or a column of a table.
type Column uint8

// The columns a report can have. Times are milliseconds per frame, or per call in the columns of calls.
//
// Statistics of frames, over the history and since Reset, exist for all lanes merged, for a zone as a whole or a path
// of the call tree. Rows without statistics show "-" (see Record.Mask): rows of one depth of recursion, of a parent or
// child in a call graph, or below a pinned path, and the root of a tree. Rows of a single lane have only the statistics
// of calls, ColumnMean and ColumnMax.
const (
	ColumnSelf        Column = iota // self time, ms
	ColumnHier                      // hierarchical time, ms
	ColumnCount                     // entries
	ColumnSelfPercent               // self time in percent of the frame
	ColumnHierPercent               // hierarchical time in percent of the frame
	ColumnSelfPerCall               // self time per entry, ms
	ColumnHierPerCall               // hierarchical time per entry, ms
	ColumnMean                      // mean hierarchical time per frame over the history, ms
	ColumnMax                       // greatest hierarchical time of a frame in the history, ms
	ColumnMaxSelf                   // greatest self time of a frame in the history, ms
	ColumnMaxHold                   // greatest hierarchical time of a frame in the last 5 s, ms
	ColumnDeviation                 // standard deviation of hierarchical time over the history, ms
	ColumnP50                       // quantiles of hierarchical time per frame over the history, ms
	ColumnP90
	ColumnP99
	ColumnP999
	ColumnTicks  // hierarchical time in raw ticks
	ColumnAllocs // calls of Alloc
	ColumnAllocBytes
	ColumnFrees
	ColumnFreeBytes
	ColumnErrors // clock steps and repairs

	ColumnMin           // least hierarchical time of a frame in the history, ms
	ColumnMinSelf       // self time per frame over the history, ms: least,
	ColumnMeanSelf      // mean,
	ColumnDeviationSelf // standard deviation,
	ColumnP50Self       // and quantiles
	ColumnP90Self
	ColumnP99Self
	ColumnP999Self

	ColumnEverMin // hierarchical time per frame since start or Reset, ms; deviation and quantiles to 1 %
	ColumnEverMean
	ColumnEverMax
	ColumnEverDeviation
	ColumnEverP50
	ColumnEverP90
	ColumnEverP99
	ColumnEverP999
	ColumnEverMinSelf // self time per frame since start or Reset, ms
	ColumnEverMeanSelf
	ColumnEverMaxSelf
	ColumnEverDeviationSelf
	ColumnEverP50Self
	ColumnEverP90Self
	ColumnEverP99Self
	ColumnEverP999Self

	ColumnCallMin // duration of single calls, ms: View.SetColumns says when they are known
	ColumnCallMax
	ColumnCallDeviation
	ColumnCallP50
	ColumnCallP90
	ColumnCallP99
	ColumnCallP999
	ColumnCallsCounted // calls that the seven statistics above cover
	ColumnCallsMissing // calls missing there: still open, overwritten in the ring buffer, or beyond the limit of memory

	ColumnExtraSelf    // self time in slow frames less self time in the others, ms: see ReportExtra
	ColumnExtraHier    // the same for hierarchical time, ms
	ColumnExtraPercent // ColumnExtraSelf in percent of the difference in busy time

	ColumnUnits       // units of work: see iprof.Units
	ColumnPerUnit     // hierarchical time per unit, ns
	ColumnHeapObjects // allocated on the Go heap, about; never of one frame: see gather.MemoryHeapPerZone
	ColumnHeapBytes
	ColumnAtOnce   // lanes that were in the zone at the same time, on average: hierarchical time by the frame's length
	ColumnWaiting  // part of hierarchical time in a single frame in which the goroutine waited, ms. See Record.States
	ColumnRunnable // part in which the goroutine waited for a processor, ms
	ColumnWaited   // share of the zone's self time in the whole run without a processor, percent: see HotZones.Waited
	NumColumns     = iota
)
