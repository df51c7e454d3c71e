package draw

import "example.com/iprof/process"

// ValueKind is the way the values of a column are written.
type ValueKind uint8

const (
	KindTime  ValueKind = iota // milliseconds, with the chosen decimals
	KindCount                  // entries: whole, or two decimals where an average made a fraction
	KindShare                  // percent and ratios, with one decimal
	KindWhole                  // a whole number
	KindBytes                  // bytes with a unit
)

// ColumnWords describes a column: its heading, a short description, and how its values are written.
type ColumnWords struct {
	Heading, Words string
	Kind           ValueKind
}

// columns describes the columns of a report.
var columns = [process.NumColumns]ColumnWords{
	process.ColumnSelf:              {"self ms", "self time", KindTime},
	process.ColumnHier:              {"hier ms", "hierarchical time", KindTime},
	process.ColumnCount:             {"count", "entries", KindCount},
	process.ColumnSelfPercent:       {"self %", "self time, % of the frame", KindShare},
	process.ColumnHierPercent:       {"hier %", "hierarchical time, % of the frame", KindShare},
	process.ColumnSelfPerCall:       {"self/call", "self time per entry", KindTime},
	process.ColumnHierPerCall:       {"hier/call", "hierarchical time per entry", KindTime},
	process.ColumnMean:              {"mean", "mean over the history", KindTime},
	process.ColumnMax:               {"max", "greatest in the history", KindTime},
	process.ColumnMaxSelf:           {"max self", "greatest self time", KindTime},
	process.ColumnMaxHold:           {"max 5 s", "greatest of the last 5 s", KindTime},
	process.ColumnDeviation:         {"deviation", "standard deviation", KindTime},
	process.ColumnP50:               {"p50", "median of frames", KindTime},
	process.ColumnP90:               {"p90", "90 % of frames are below", KindTime},
	process.ColumnP99:               {"p99", "99 % of frames are below", KindTime},
	process.ColumnP999:              {"p99.9", "99.9 % of frames are below", KindTime},
	process.ColumnTicks:             {"ticks", "raw ticks", KindWhole},
	process.ColumnAllocs:            {"allocs", "calls of Alloc", KindCount},
	process.ColumnAllocBytes:        {"alloc", "bytes of Alloc", KindBytes},
	process.ColumnFrees:             {"frees", "calls of Free", KindCount},
	process.ColumnFreeBytes:         {"free", "bytes of Free", KindBytes},
	process.ColumnErrors:            {"errors", "clock steps and repairs", KindWhole},
	process.ColumnMin:               {"min", "least of the frames", KindTime},
	process.ColumnMinSelf:           {"min self", "self time: least", KindTime},
	process.ColumnMeanSelf:          {"mean self", "self time: mean", KindTime},
	process.ColumnDeviationSelf:     {"dev self", "self time: standard deviation", KindTime},
	process.ColumnP50Self:           {"p50 self", "self time: median", KindTime},
	process.ColumnP90Self:           {"p90 self", "self time: 90 % are below", KindTime},
	process.ColumnP99Self:           {"p99 self", "self time: 99 % are below", KindTime},
	process.ColumnP999Self:          {"p99.9 self", "self time: 99.9 % are below", KindTime},
	process.ColumnEverMin:           {"ever min", "least since reset", KindTime},
	process.ColumnEverMean:          {"ever mean", "mean since reset", KindTime},
	process.ColumnEverMax:           {"ever max", "greatest since reset", KindTime},
	process.ColumnEverDeviation:     {"ever dev", "deviation since reset", KindTime},
	process.ColumnEverP50:           {"ever p50", "median, since reset", KindTime},
	process.ColumnEverP90:           {"ever p90", "90 % are below, since reset", KindTime},
	process.ColumnEverP99:           {"ever p99", "99 % are below, since reset", KindTime},
	process.ColumnEverP999:          {"ever p99.9", "99.9 % are below, since reset", KindTime},
	process.ColumnEverMinSelf:       {"ever min self", "least self time since reset", KindTime},
	process.ColumnEverMeanSelf:      {"ever mean self", "mean self time since reset", KindTime},
	process.ColumnEverMaxSelf:       {"ever max self", "greatest self time since reset", KindTime},
	process.ColumnEverDeviationSelf: {"ever dev self", "deviation self time since reset", KindTime},
	process.ColumnEverP50Self:       {"ever p50 self", "self time: median, since reset", KindTime},
	process.ColumnEverP90Self:       {"ever p90 self", "self time: 90 % are below, since reset", KindTime},
	process.ColumnEverP99Self:       {"ever p99 self", "self time: 99 % are below, since reset", KindTime},
	process.ColumnEverP999Self:      {"ever p99.9 self", "self time: 99.9 % are below, since reset", KindTime},
	process.ColumnCallMin:           {"call min", "shortest single call", KindTime},
	process.ColumnCallMax:           {"call max", "longest single call", KindTime},
	process.ColumnCallDeviation:     {"call dev", "deviation of single calls", KindTime},
	process.ColumnCallP50:           {"call p50", "single calls: median", KindTime},
	process.ColumnCallP90:           {"call p90", "single calls: 90 % are below", KindTime},
	process.ColumnCallP99:           {"call p99", "single calls: 99 % are below", KindTime},
	process.ColumnCallP999:          {"call p99.9", "single calls: 99.9 % are below", KindTime},
	process.ColumnCallsCounted:      {"counted", "single calls that those are of", KindWhole},
	process.ColumnCallsMissing:      {"missing", "calls that were not counted", KindWhole},
	process.ColumnExtraSelf:         {"extra self", "self time beyond other frames", KindTime},
	process.ColumnExtraHier:         {"extra hier", "hier time beyond other frames", KindTime},
	process.ColumnExtraPercent:      {"extra %", "part of what slow frames take longer", KindShare},
	process.ColumnUnits:             {"units", "units of work", KindCount},
	process.ColumnPerUnit:           {"ns/unit", "hierarchical time per unit", KindShare},
	process.ColumnHeapObjects:       {"heap n", "objects on the Go heap", KindCount},
	process.ColumnHeapBytes:         {"heap", "bytes on the Go heap", KindBytes},
	process.ColumnAtOnce:            {"at once", "lanes in the zone at once, on average", KindShare},
}

// Describe returns the words for a column. It returns the zero value for a column that reports do not have.
func Describe(c process.Column) ColumnWords {
	if c >= process.NumColumns {
		return ColumnWords{}
	}
	return columns[c]
}

// AppendValue appends a record's value in a column. If the record has no such value, it appends nothing, or a dash in
// columns that only some rows fill. Precision is the number of decimals of milliseconds, see ClampPrecision.
func AppendValue(b []byte, r *process.Record, c process.Column, precision int) []byte {
	if !r.Mask.Has(c) {
		if process.Statistics.Has(c) {
			return append(b, '-')
		}
		return b
	}
	v := r.Values[c]
	switch columns[c].Kind {
	case KindCount:
		return AppendCount(b, v)
	case KindShare:
		return AppendFixed(b, v, 1)
	case KindWhole:
		return AppendFixed(b, v, 0)
	case KindBytes:
		return AppendBytes(b, v)
	}
	return AppendFixed(b, v, precision)
}

// ClampPrecision limits a number of decimals to 1..4. Zero means the default, 2.
func ClampPrecision(decimals int) int {
	if decimals == 0 {
		return 2
	}
	return min(max(decimals, 1), 4)
}
