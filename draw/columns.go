package draw

import "example.com/iprof/process"

// valueKind says how a column's values are written.
type valueKind uint8

const (
	kindTime  valueKind = iota // ms, with the decimals chosen
	kindCount                  // entries
	kindShare                  // percent
	kindWhole
	kindBytes
)

// columns are the headings of process's columns, and how their values are written.
var columns = [process.NumColumns]struct {
	heading string
	kind    valueKind
}{
	process.ColumnSelf:        {"self ms", kindTime},
	process.ColumnHier:        {"hier ms", kindTime},
	process.ColumnCount:       {"count", kindCount},
	process.ColumnSelfPercent: {"self %", kindShare},
	process.ColumnHierPercent: {"hier %", kindShare},
	process.ColumnSelfPerCall: {"self/call", kindTime},
	process.ColumnHierPerCall: {"hier/call", kindTime},
	process.ColumnMean:        {"mean", kindTime},
	process.ColumnMax:         {"max", kindTime},
	process.ColumnMaxSelf:     {"max self", kindTime},
	process.ColumnMaxHold:     {"max 5 s", kindTime},
	process.ColumnDeviation:   {"deviation", kindTime},
	process.ColumnP50:         {"p50", kindTime},
	process.ColumnP90:         {"p90", kindTime},
	process.ColumnP99:         {"p99", kindTime},
	process.ColumnP999:        {"p99.9", kindTime},
	process.ColumnTicks:       {"ticks", kindWhole},
	process.ColumnAllocs:      {"allocs", kindCount},
	process.ColumnAllocBytes:  {"alloc", kindBytes},
	process.ColumnFrees:       {"frees", kindCount},
	process.ColumnFreeBytes:   {"free", kindBytes},
	process.ColumnErrors:      {"errors", kindWhole},
}

// appendValue appends a record's value of a column; nothing where the record has none.
func appendValue(b []byte, r *process.Record, c process.Column, precision int) []byte {
	if r.Mask&(1<<c) == 0 {
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
