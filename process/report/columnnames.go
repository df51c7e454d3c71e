package report

// ColumnKind is the way to format a column's values for people.
type ColumnKind uint8

// The kinds.
const (
	KindMilliseconds ColumnKind = iota // with the decimals of the reader's choice
	KindEntries                        // with two decimals if any value of the column is a fraction
	KindPercent                        // with one decimal
	KindTenths                         // with one decimal
	KindWhole                          // without decimals
)

// ColumnInfo names a column.
type ColumnInfo struct {
	Heading string // of a table: "self ms". Times are in ms
	Name    string // for machines, with the unit: "self_ms"; it never changes
	Kind    ColumnKind
}

// Info returns the names of a column, or of another key of an Order. Columns out of range have the zero ColumnInfo.
func (c Column) Info() ColumnInfo {
	if int(c) >= len(columnInfos) {
		return ColumnInfo{}
	}
	return columnInfos[c]
}

var columnInfos = [ColumnDeltaPercent + 1]ColumnInfo{
	ColumnSelf:              {"self ms", "self_ms", KindMilliseconds},
	ColumnHier:              {"with callees", "hier_ms", KindMilliseconds},
	ColumnCount:             {"calls", "count", KindEntries},
	ColumnSelfPercent:       {"self %", "self_percent", KindPercent},
	ColumnHierPercent:       {"with callees %", "hier_percent", KindPercent},
	ColumnSelfPerCall:       {"self/call", "self_ms_per_call", KindMilliseconds},
	ColumnHierPerCall:       {"with callees/call", "hier_ms_per_call", KindMilliseconds},
	ColumnMean:              {"average", "hier_mean_ms", KindMilliseconds},
	ColumnMax:               {"max", "hier_max_ms", KindMilliseconds},
	ColumnMaxSelf:           {"max self", "self_max_ms", KindMilliseconds},
	ColumnMaxHold:           {"max 5 s", "hier_max_5s_ms", KindMilliseconds},
	ColumnDeviation:         {"deviation", "hier_deviation_ms", KindMilliseconds},
	ColumnP50:               {"p50", "hier_p50_ms", KindMilliseconds},
	ColumnP90:               {"p90", "hier_p90_ms", KindMilliseconds},
	ColumnP99:               {"p99", "hier_p99_ms", KindMilliseconds},
	ColumnP999:              {"p99.9", "hier_p999_ms", KindMilliseconds},
	ColumnTicks:             {"ticks", "hier_ticks", KindWhole},
	ColumnAllocs:            {"allocs", "allocs", KindEntries},
	ColumnAllocBytes:        {"alloc B", "alloc_bytes", KindWhole},
	ColumnFrees:             {"frees", "frees", KindEntries},
	ColumnFreeBytes:         {"free B", "free_bytes", KindWhole},
	ColumnErrors:            {"errors", "errors", KindWhole},
	ColumnMin:               {"min", "hier_min_ms", KindMilliseconds},
	ColumnMinSelf:           {"min self", "self_min_ms", KindMilliseconds},
	ColumnMeanSelf:          {"average self", "self_mean_ms", KindMilliseconds},
	ColumnDeviationSelf:     {"dev self", "self_deviation_ms", KindMilliseconds},
	ColumnP50Self:           {"p50 self", "self_p50_ms", KindMilliseconds},
	ColumnP90Self:           {"p90 self", "self_p90_ms", KindMilliseconds},
	ColumnP99Self:           {"p99 self", "self_p99_ms", KindMilliseconds},
	ColumnP999Self:          {"p99.9 self", "self_p999_ms", KindMilliseconds},
	ColumnEverMin:           {"ever min", "hier_min_ever_ms", KindMilliseconds},
	ColumnEverMean:          {"ever average", "hier_mean_ever_ms", KindMilliseconds},
	ColumnEverMax:           {"ever max", "hier_max_ever_ms", KindMilliseconds},
	ColumnEverDeviation:     {"ever dev", "hier_deviation_ever_ms", KindMilliseconds},
	ColumnEverP50:           {"ever p50", "hier_p50_ever_ms", KindMilliseconds},
	ColumnEverP90:           {"ever p90", "hier_p90_ever_ms", KindMilliseconds},
	ColumnEverP99:           {"ever p99", "hier_p99_ever_ms", KindMilliseconds},
	ColumnEverP999:          {"ever p99.9", "hier_p999_ever_ms", KindMilliseconds},
	ColumnEverMinSelf:       {"ever min self", "self_min_ever_ms", KindMilliseconds},
	ColumnEverMeanSelf:      {"ever average self", "self_mean_ever_ms", KindMilliseconds},
	ColumnEverMaxSelf:       {"ever max self", "self_max_ever_ms", KindMilliseconds},
	ColumnEverDeviationSelf: {"ever dev self", "self_deviation_ever_ms", KindMilliseconds},
	ColumnEverP50Self:       {"ever p50 self", "self_p50_ever_ms", KindMilliseconds},
	ColumnEverP90Self:       {"ever p90 self", "self_p90_ever_ms", KindMilliseconds},
	ColumnEverP99Self:       {"ever p99 self", "self_p99_ever_ms", KindMilliseconds},
	ColumnEverP999Self:      {"ever p99.9 self", "self_p999_ever_ms", KindMilliseconds},
	ColumnCallMin:           {"call min", "call_min_ms", KindMilliseconds},
	ColumnCallMax:           {"call max", "call_max_ms", KindMilliseconds},
	ColumnCallDeviation:     {"call dev", "call_deviation_ms", KindMilliseconds},
	ColumnCallP50:           {"call p50", "call_p50_ms", KindMilliseconds},
	ColumnCallP90:           {"call p90", "call_p90_ms", KindMilliseconds},
	ColumnCallP99:           {"call p99", "call_p99_ms", KindMilliseconds},
	ColumnCallP999:          {"call p99.9", "call_p999_ms", KindMilliseconds},
	ColumnCallsCounted:      {"counted", "calls_counted", KindWhole},
	ColumnCallsMissing:      {"missing", "calls_missing", KindWhole},
	ColumnExtraSelf:         {"extra self", "extra_self_ms", KindMilliseconds},
	ColumnExtraHier:         {"extra with callees", "extra_hier_ms", KindMilliseconds},
	ColumnExtraPercent:      {"extra %", "extra_percent", KindPercent},
	ColumnUnits:             {"units", "units", KindEntries},
	ColumnPerUnit:           {"ns/unit", "hier_ns_per_unit", KindTenths},
	ColumnHeapObjects:       {"~heap", "heap_objects", KindEntries},
	ColumnHeapBytes:         {"~heap B", "heap_bytes", KindWhole},
	ColumnAtOnce:            {"at once", "lanes_at_once", KindTenths},
	ColumnWaiting:           {"waiting", "waiting_ms", KindMilliseconds},
	ColumnRunnable:          {"runnable", "runnable_ms", KindMilliseconds},
	ColumnWaited:            {"waited %", "waited_percent", KindPercent},
	ColumnName:              {"zone", "zone", KindWhole},
	ColumnDelta:             {"delta ms", "delta_ms", KindMilliseconds},
	ColumnDeltaPercent:      {"delta %", "delta_percent", KindPercent},
}
