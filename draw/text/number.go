package text

import (
	"math"
	"strconv"

	"example.com/iprof/process"
)

// unit is a unit of time and the milliseconds in it.
type unit struct {
	name, ascii string
	ms          float64
}

// units are those of fit, largest first.
var units = []unit{{"s", "s", 1000}, {"ms", "ms", 1}, {"µs", "us", 1e-3}, {"ns", "ns", 1e-6}}

// fit formats a time in the unit that fits, with four significant digits: "16.67 ms". Zero is "0 ms".
func fit(ms float64, ascii bool) string {
	if ms == 0 || math.IsNaN(ms) || math.IsInf(ms, 0) {
		return "0 ms"
	}
	u := units[len(units)-1]
	for _, larger := range units {
		if math.Abs(ms) >= larger.ms*0.99995 { // what would print as 1000 of the next smaller unit is 1 of this
			u = larger
			break
		}
	}
	v := ms / u.ms
	name := u.name
	if ascii {
		name = u.ascii
	}
	return strconv.FormatFloat(v, 'f', fourDigits(v), 64) + " " + name
}

// fourDigits returns the decimals that leave four significant digits of v.
func fourDigits(v float64) int {
	switch v = math.Abs(v); {
	case v >= 999.95:
		return 0
	case v >= 99.995:
		return 1
	case v >= 9.9995:
		return 2
	}
	return 3
}

// count formats a number of entries: whole when it is whole, else with two decimals.
func count(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// fixed formats v with so many decimals. A negative zero, which would print as "-0.00", is 0.
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if s[0] == '-' && math.Abs(v) < 0.5*math.Pow10(-decimals) {
		return s[1:]
	}
	return s
}

// percent formats a share with one decimal.
func percent(part, whole float64) string {
	if whole <= 0 {
		return "-"
	}
	return fixed(100*part/whole, 1) + "%"
}

// ticksOf converts milliseconds to the ticks they were made of.
func ticksOf(ms, perSecond float64) int64 { return int64(math.Round(ms * perSecond / 1000)) }

// kind says how a column's values are printed.
type kind uint8

const (
	milliseconds kind = iota
	number            // entries: two decimals when any in the column is a fraction
	percentage
	tenths
	whole
)

// columns describes process's columns: heading, stable name for machines with its unit, and how values print.
var columns = [process.NumColumns]struct {
	heading, name string
	kind          kind
}{
	process.ColumnSelf:              {"self ms", "self_ms", milliseconds},
	process.ColumnHier:              {"hier ms", "hier_ms", milliseconds},
	process.ColumnCount:             {"count", "count", number},
	process.ColumnSelfPercent:       {"self %", "self_percent", percentage},
	process.ColumnHierPercent:       {"hier %", "hier_percent", percentage},
	process.ColumnSelfPerCall:       {"self/call", "self_ms_per_call", milliseconds},
	process.ColumnHierPerCall:       {"hier/call", "hier_ms_per_call", milliseconds},
	process.ColumnMean:              {"mean", "hier_mean_ms", milliseconds},
	process.ColumnMax:               {"max", "hier_max_ms", milliseconds},
	process.ColumnMaxSelf:           {"max self", "self_max_ms", milliseconds},
	process.ColumnMaxHold:           {"max 5 s", "hier_max_5s_ms", milliseconds},
	process.ColumnDeviation:         {"deviation", "hier_deviation_ms", milliseconds},
	process.ColumnP50:               {"p50", "hier_p50_ms", milliseconds},
	process.ColumnP90:               {"p90", "hier_p90_ms", milliseconds},
	process.ColumnP99:               {"p99", "hier_p99_ms", milliseconds},
	process.ColumnP999:              {"p99.9", "hier_p999_ms", milliseconds},
	process.ColumnTicks:             {"ticks", "hier_ticks", whole},
	process.ColumnAllocs:            {"allocs", "allocs", number},
	process.ColumnAllocBytes:        {"alloc B", "alloc_bytes", whole},
	process.ColumnFrees:             {"frees", "frees", number},
	process.ColumnFreeBytes:         {"free B", "free_bytes", whole},
	process.ColumnErrors:            {"errors", "errors", whole},
	process.ColumnMin:               {"min", "hier_min_ms", milliseconds},
	process.ColumnMinSelf:           {"min self", "self_min_ms", milliseconds},
	process.ColumnMeanSelf:          {"mean self", "self_mean_ms", milliseconds},
	process.ColumnDeviationSelf:     {"dev self", "self_deviation_ms", milliseconds},
	process.ColumnP50Self:           {"p50 self", "self_p50_ms", milliseconds},
	process.ColumnP90Self:           {"p90 self", "self_p90_ms", milliseconds},
	process.ColumnP99Self:           {"p99 self", "self_p99_ms", milliseconds},
	process.ColumnP999Self:          {"p99.9 self", "self_p999_ms", milliseconds},
	process.ColumnEverMin:           {"ever min", "hier_min_ever_ms", milliseconds},
	process.ColumnEverMean:          {"ever mean", "hier_mean_ever_ms", milliseconds},
	process.ColumnEverMax:           {"ever max", "hier_max_ever_ms", milliseconds},
	process.ColumnEverDeviation:     {"ever dev", "hier_deviation_ever_ms", milliseconds},
	process.ColumnEverP50:           {"ever p50", "hier_p50_ever_ms", milliseconds},
	process.ColumnEverP90:           {"ever p90", "hier_p90_ever_ms", milliseconds},
	process.ColumnEverP99:           {"ever p99", "hier_p99_ever_ms", milliseconds},
	process.ColumnEverP999:          {"ever p99.9", "hier_p999_ever_ms", milliseconds},
	process.ColumnEverMinSelf:       {"ever min self", "self_min_ever_ms", milliseconds},
	process.ColumnEverMeanSelf:      {"ever mean self", "self_mean_ever_ms", milliseconds},
	process.ColumnEverMaxSelf:       {"ever max self", "self_max_ever_ms", milliseconds},
	process.ColumnEverDeviationSelf: {"ever dev self", "self_deviation_ever_ms", milliseconds},
	process.ColumnEverP50Self:       {"ever p50 self", "self_p50_ever_ms", milliseconds},
	process.ColumnEverP90Self:       {"ever p90 self", "self_p90_ever_ms", milliseconds},
	process.ColumnEverP99Self:       {"ever p99 self", "self_p99_ever_ms", milliseconds},
	process.ColumnEverP999Self:      {"ever p99.9 self", "self_p999_ever_ms", milliseconds},
	process.ColumnCallMin:           {"call min", "call_min_ms", milliseconds},
	process.ColumnCallMax:           {"call max", "call_max_ms", milliseconds},
	process.ColumnCallDeviation:     {"call dev", "call_deviation_ms", milliseconds},
	process.ColumnCallP50:           {"call p50", "call_p50_ms", milliseconds},
	process.ColumnCallP90:           {"call p90", "call_p90_ms", milliseconds},
	process.ColumnCallP99:           {"call p99", "call_p99_ms", milliseconds},
	process.ColumnCallP999:          {"call p99.9", "call_p999_ms", milliseconds},
	process.ColumnCallsCounted:      {"counted", "calls_counted", whole},
	process.ColumnCallsMissing:      {"missing", "calls_missing", whole},
	process.ColumnExtraSelf:         {"extra self", "extra_self_ms", milliseconds},
	process.ColumnExtraHier:         {"extra hier", "extra_hier_ms", milliseconds},
	process.ColumnExtraPercent:      {"extra %", "extra_percent", percentage},
	process.ColumnUnits:             {"units", "units", number},
	process.ColumnPerUnit:           {"ns/unit", "hier_ns_per_unit", tenths},
	process.ColumnHeapObjects:       {"heap", "heap_objects", number},
	process.ColumnHeapBytes:         {"heap B", "heap_bytes", whole},
}
