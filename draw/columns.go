package draw

import "example.com/iprof/process"

// valueKind says how a column's values are written.
type valueKind uint8

const (
	kindTime  valueKind = iota // ms, with the decimals chosen
	kindCount                  // entries
	kindShare                  // percent, and what else has one decimal
	kindWhole
	kindBytes
)

// What the table can show besides the values of a report.
const (
	ColumnName         process.Column = process.NumColumns + iota // the zone's name: always shown, and can be sorted by
	ColumnBar                                                     // self time within hierarchical time, as a bar
	ColumnSpark                                                   // the last 60 frames, as a line
	ColumnDelta                                                   // the difference from the baseline, ms
	ColumnDeltaPercent                                            // the same in percent
	numColumns         = iota + process.NumColumns
)

// columnWords are the heading of a column, what the chooser says of it, and how its values are written.
type columnWords struct {
	heading, words string
	kind           valueKind
}

// columns are the words of the columns.
var columns = [numColumns]columnWords{
	process.ColumnSelf:              {"self ms", "self time", kindTime},
	process.ColumnHier:              {"hier ms", "hierarchical time", kindTime},
	process.ColumnCount:             {"count", "entries", kindCount},
	process.ColumnSelfPercent:       {"self %", "self time, % of the frame", kindShare},
	process.ColumnHierPercent:       {"hier %", "hierarchical time, % of the frame", kindShare},
	process.ColumnSelfPerCall:       {"self/call", "self time per entry", kindTime},
	process.ColumnHierPerCall:       {"hier/call", "hierarchical time per entry", kindTime},
	process.ColumnMean:              {"mean", "mean over the history", kindTime},
	process.ColumnMax:               {"max", "greatest in the history", kindTime},
	process.ColumnMaxSelf:           {"max self", "greatest self time", kindTime},
	process.ColumnMaxHold:           {"max 5 s", "greatest of the last 5 s", kindTime},
	process.ColumnDeviation:         {"deviation", "standard deviation", kindTime},
	process.ColumnP50:               {"p50", "median of frames", kindTime},
	process.ColumnP90:               {"p90", "90 % of frames are below", kindTime},
	process.ColumnP99:               {"p99", "99 % of frames are below", kindTime},
	process.ColumnP999:              {"p99.9", "99.9 % of frames are below", kindTime},
	process.ColumnTicks:             {"ticks", "raw ticks", kindWhole},
	process.ColumnAllocs:            {"allocs", "calls of Alloc", kindCount},
	process.ColumnAllocBytes:        {"alloc", "bytes of Alloc", kindBytes},
	process.ColumnFrees:             {"frees", "calls of Free", kindCount},
	process.ColumnFreeBytes:         {"free", "bytes of Free", kindBytes},
	process.ColumnErrors:            {"errors", "clock steps and repairs", kindWhole},
	process.ColumnMin:               {"min", "least of the frames", kindTime},
	process.ColumnMinSelf:           {"min self", "self time: least", kindTime},
	process.ColumnMeanSelf:          {"mean self", "self time: mean", kindTime},
	process.ColumnDeviationSelf:     {"dev self", "self time: standard deviation", kindTime},
	process.ColumnP50Self:           {"p50 self", "self time: median", kindTime},
	process.ColumnP90Self:           {"p90 self", "self time: 90 % are below", kindTime},
	process.ColumnP99Self:           {"p99 self", "self time: 99 % are below", kindTime},
	process.ColumnP999Self:          {"p99.9 self", "self time: 99.9 % are below", kindTime},
	process.ColumnEverMin:           {"ever min", "least since reset", kindTime},
	process.ColumnEverMean:          {"ever mean", "mean since reset", kindTime},
	process.ColumnEverMax:           {"ever max", "greatest since reset", kindTime},
	process.ColumnEverDeviation:     {"ever dev", "deviation since reset", kindTime},
	process.ColumnEverP50:           {"ever p50", "median, since reset", kindTime},
	process.ColumnEverP90:           {"ever p90", "90 % are below, since reset", kindTime},
	process.ColumnEverP99:           {"ever p99", "99 % are below, since reset", kindTime},
	process.ColumnEverP999:          {"ever p99.9", "99.9 % are below, since reset", kindTime},
	process.ColumnEverMinSelf:       {"ever min self", "least self time since reset", kindTime},
	process.ColumnEverMeanSelf:      {"ever mean self", "mean self time since reset", kindTime},
	process.ColumnEverMaxSelf:       {"ever max self", "greatest self time since reset", kindTime},
	process.ColumnEverDeviationSelf: {"ever dev self", "deviation self time since reset", kindTime},
	process.ColumnEverP50Self:       {"ever p50 self", "self time: median, since reset", kindTime},
	process.ColumnEverP90Self:       {"ever p90 self", "self time: 90 % are below, since reset", kindTime},
	process.ColumnEverP99Self:       {"ever p99 self", "self time: 99 % are below, since reset", kindTime},
	process.ColumnEverP999Self:      {"ever p99.9 self", "self time: 99.9 % are below, since reset", kindTime},
	process.ColumnCallMin:           {"call min", "shortest single call", kindTime},
	process.ColumnCallMax:           {"call max", "longest single call", kindTime},
	process.ColumnCallDeviation:     {"call dev", "deviation of single calls", kindTime},
	process.ColumnCallP50:           {"call p50", "single calls: median", kindTime},
	process.ColumnCallP90:           {"call p90", "single calls: 90 % are below", kindTime},
	process.ColumnCallP99:           {"call p99", "single calls: 99 % are below", kindTime},
	process.ColumnCallP999:          {"call p99.9", "single calls: 99.9 % are below", kindTime},
	process.ColumnCallsCounted:      {"counted", "single calls that those are of", kindWhole},
	process.ColumnCallsMissing:      {"missing", "calls that were not counted", kindWhole},
	process.ColumnExtraSelf:         {"extra self", "self time beyond other frames", kindTime},
	process.ColumnExtraHier:         {"extra hier", "hier time beyond other frames", kindTime},
	process.ColumnExtraPercent:      {"extra %", "part of what slow frames take longer", kindShare},
	process.ColumnUnits:             {"units", "units of work", kindCount},
	process.ColumnPerUnit:           {"ns/unit", "hierarchical time per unit", kindShare},
	process.ColumnHeapObjects:       {"heap n", "objects on the Go heap", kindCount},
	process.ColumnHeapBytes:         {"heap", "bytes on the Go heap", kindBytes},
	ColumnName:                      {"zone", "name", kindWhole},
	ColumnBar:                       {"", "bar of self in hierarchical time", kindTime},
	ColumnDelta:                     {"Δ ms", "difference from the baseline", kindTime},
	ColumnDeltaPercent:              {"Δ %", "difference from the baseline, %", kindShare},
	ColumnSpark:                     {"last 60 frames", "line of the last 60 frames", kindTime},
}

// appendValue appends a record's value of a column. Where the record has none it is nothing, or a dash in the columns that
// only some rows have.
func appendValue(b []byte, r *process.Record, c process.Column, precision int) []byte {
	if !r.Mask.Has(c) {
		if process.Statistics.Has(c) {
			return append(b, '-')
		}
		return b
	}
	v := r.Values[c]
	switch columns[c].kind {
	case kindCount:
		return appendCount(b, v)
	case kindShare:
		return appendFixed(b, v, 1)
	case kindWhole:
		return appendFixed(b, v, 0)
	case kindBytes:
		return appendBytes(b, v)
	}
	return appendFixed(b, v, precision)
}

// clampPrecision makes decimals 1..4; 0 is 2.
func clampPrecision(decimals int) int {
	if decimals == 0 {
		return 2
	}
	return min(max(decimals, 1), 4)
}
