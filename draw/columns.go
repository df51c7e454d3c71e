package draw

import (
	"cmp"

	"example.com/iprof/process"
)

// ValueKind is the way the values of a column are written.
type ValueKind uint8

const (
	KindTime  ValueKind = iota // milliseconds, with the chosen decimals
	KindCount                  // calls: whole, or two decimals where an average made a fraction
	KindShare                  // percent and ratios, with one decimal
	KindWhole                  // a whole number
	KindBytes                  // bytes with a unit
)

// ColumnWords describes a column: its heading, a short description, and how its values are written.
type ColumnWords struct {
	Heading, Words string
	Kind           ValueKind
}

// words describes the columns of a report.
var words = [process.NumColumns]string{
	process.ColumnSelf:              "self time",
	process.ColumnHier:              "time with callees",
	process.ColumnCount:             "calls in a frame",
	process.ColumnSelfPercent:       "self time, % of the frame",
	process.ColumnHierPercent:       "time with callees, % of the frame",
	process.ColumnSelfPerCall:       "self time per call",
	process.ColumnHierPerCall:       "time with callees, per call",
	process.ColumnMean:              "average over the history",
	process.ColumnMax:               "greatest in the history",
	process.ColumnMaxSelf:           "greatest self time",
	process.ColumnMaxHold:           "greatest of the last 5 s",
	process.ColumnDeviation:         "standard deviation",
	process.ColumnP50:               "median of frames",
	process.ColumnP90:               "90 % of frames are below",
	process.ColumnP99:               "99 % of frames are below",
	process.ColumnP999:              "99.9 % of frames are below",
	process.ColumnTicks:             "raw ticks",
	process.ColumnAllocs:            "calls of Alloc",
	process.ColumnAllocBytes:        "bytes of Alloc",
	process.ColumnFrees:             "calls of Free",
	process.ColumnFreeBytes:         "bytes of Free",
	process.ColumnErrors:            "clock steps and repairs",
	process.ColumnMin:               "least of the frames",
	process.ColumnMinSelf:           "self time: least",
	process.ColumnMeanSelf:          "self time: average",
	process.ColumnDeviationSelf:     "self time: standard deviation",
	process.ColumnP50Self:           "self time: median",
	process.ColumnP90Self:           "self time: 90 % are below",
	process.ColumnP99Self:           "self time: 99 % are below",
	process.ColumnP999Self:          "self time: 99.9 % are below",
	process.ColumnEverMin:           "least since reset",
	process.ColumnEverMean:          "average since reset",
	process.ColumnEverMax:           "greatest since reset",
	process.ColumnEverDeviation:     "deviation since reset",
	process.ColumnEverP50:           "median, since reset",
	process.ColumnEverP90:           "90 % are below, since reset",
	process.ColumnEverP99:           "99 % are below, since reset",
	process.ColumnEverP999:          "99.9 % are below, since reset",
	process.ColumnEverMinSelf:       "least self time since reset",
	process.ColumnEverMeanSelf:      "average self time since reset",
	process.ColumnEverMaxSelf:       "greatest self time since reset",
	process.ColumnEverDeviationSelf: "deviation self time since reset",
	process.ColumnEverP50Self:       "self time: median, since reset",
	process.ColumnEverP90Self:       "self time: 90 % are below, since reset",
	process.ColumnEverP99Self:       "self time: 99 % are below, since reset",
	process.ColumnEverP999Self:      "self time: 99.9 % are below, since reset",
	process.ColumnCallMin:           "shortest single call",
	process.ColumnCallMax:           "longest single call",
	process.ColumnCallDeviation:     "deviation of single calls",
	process.ColumnCallP50:           "single calls: median",
	process.ColumnCallP90:           "single calls: 90 % are below",
	process.ColumnCallP99:           "single calls: 99 % are below",
	process.ColumnCallP999:          "single calls: 99.9 % are below",
	process.ColumnCallsCounted:      "single calls that those are of",
	process.ColumnCallsMissing:      "calls that were not counted",
	process.ColumnExtraSelf:         "self time beyond other frames",
	process.ColumnExtraHier:         "with callees, beyond other frames",
	process.ColumnExtraPercent:      "part of what slow frames take longer",
	process.ColumnUnits:             "units of work",
	process.ColumnPerUnit:           "time with callees, per unit",
	process.ColumnHeapObjects:       "objects on the Go heap",
	process.ColumnHeapBytes:         "bytes on the Go heap",
	process.ColumnAtOnce:            "goroutines in it at once, average",
	process.ColumnWaiting:           "waited instead of running",
	process.ColumnRunnable:          "had no processor",
}

// headings are those that differ from the columns' own, because values in bytes have their unit beside them.
var headings = [process.NumColumns]string{
	process.ColumnAllocBytes:  "alloc",
	process.ColumnFreeBytes:   "free",
	process.ColumnHeapObjects: "heap n",
	process.ColumnHeapBytes:   "heap",
}

// kinds are those of the kinds of package process.
var kinds = [...]ValueKind{
	process.KindMilliseconds: KindTime,
	process.KindEntries:      KindCount,
	process.KindPercent:      KindShare,
	process.KindTenths:       KindShare,
	process.KindWhole:        KindWhole,
}

func kindOf(c process.Column) ValueKind {
	switch c {
	case process.ColumnAllocBytes, process.ColumnFreeBytes, process.ColumnHeapBytes:
		return KindBytes
	}
	return kinds[c.Info().Kind]
}

// Describe returns the words for a column. It returns the zero value for a column that reports do not have.
func Describe(c process.Column) ColumnWords {
	if c >= process.NumColumns {
		return ColumnWords{}
	}
	return ColumnWords{cmp.Or(headings[c], c.Info().Heading), words[c], kindOf(c)}
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
	switch kindOf(c) {
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
