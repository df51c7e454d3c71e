package draw

import (
	"cmp"

	"example.com/iprof/process/report"
)

// ValueKind is the way the values of a column are written.
type ValueKind uint8

const (
	KindTime  ValueKind = iota // milliseconds, with the chosen decimals
	KindCount                  // calls: whole, or with two decimals for fractions of averages
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
var words = [report.NumColumns]string{
	report.ColumnSelf:              "self time",
	report.ColumnHier:              "time with callees",
	report.ColumnCount:             "calls in a frame",
	report.ColumnSelfPercent:       "self time, % of the frame",
	report.ColumnHierPercent:       "time with callees, % of the frame",
	report.ColumnSelfPerCall:       "self time per call",
	report.ColumnHierPerCall:       "time with callees, per call",
	report.ColumnMean:              "average over the history",
	report.ColumnMax:               "greatest in the history",
	report.ColumnMaxSelf:           "greatest self time",
	report.ColumnMaxHold:           "greatest of the last 5 s",
	report.ColumnDeviation:         "standard deviation",
	report.ColumnP50:               "median of frames",
	report.ColumnP90:               "90 % of frames are below",
	report.ColumnP99:               "99 % of frames are below",
	report.ColumnP999:              "99.9 % of frames are below",
	report.ColumnTicks:             "raw ticks",
	report.ColumnAllocs:            "calls of Alloc",
	report.ColumnAllocBytes:        "bytes of Alloc",
	report.ColumnFrees:             "calls of Free",
	report.ColumnFreeBytes:         "bytes of Free",
	report.ColumnErrors:            "clock steps and repairs",
	report.ColumnMin:               "least of the frames",
	report.ColumnMinSelf:           "self time: least",
	report.ColumnMeanSelf:          "self time: average",
	report.ColumnDeviationSelf:     "self time: standard deviation",
	report.ColumnP50Self:           "self time: median",
	report.ColumnP90Self:           "self time: 90 % are below",
	report.ColumnP99Self:           "self time: 99 % are below",
	report.ColumnP999Self:          "self time: 99.9 % are below",
	report.ColumnEverMin:           "least since reset",
	report.ColumnEverMean:          "average since reset",
	report.ColumnEverMax:           "greatest since reset",
	report.ColumnEverDeviation:     "deviation since reset",
	report.ColumnEverP50:           "median, since reset",
	report.ColumnEverP90:           "90 % are below, since reset",
	report.ColumnEverP99:           "99 % are below, since reset",
	report.ColumnEverP999:          "99.9 % are below, since reset",
	report.ColumnEverMinSelf:       "least self time since reset",
	report.ColumnEverMeanSelf:      "average self time since reset",
	report.ColumnEverMaxSelf:       "greatest self time since reset",
	report.ColumnEverDeviationSelf: "deviation self time since reset",
	report.ColumnEverP50Self:       "self time: median, since reset",
	report.ColumnEverP90Self:       "self time: 90 % are below, since reset",
	report.ColumnEverP99Self:       "self time: 99 % are below, since reset",
	report.ColumnEverP999Self:      "self time: 99.9 % are below, since reset",
	report.ColumnCallMin:           "shortest single call",
	report.ColumnCallMax:           "longest single call",
	report.ColumnCallDeviation:     "deviation of single calls",
	report.ColumnCallP50:           "single calls: median",
	report.ColumnCallP90:           "single calls: 90 % are below",
	report.ColumnCallP99:           "single calls: 99 % are below",
	report.ColumnCallP999:          "single calls: 99.9 % are below",
	report.ColumnCallsCounted:      "single calls that those are of",
	report.ColumnCallsMissing:      "calls that were not counted",
	report.ColumnExtraSelf:         "self time beyond other frames",
	report.ColumnExtraHier:         "with callees, beyond other frames",
	report.ColumnExtraPercent:      "part of what slow frames take longer",
	report.ColumnUnits:             "units of work",
	report.ColumnPerUnit:           "time with callees, per unit",
	report.ColumnHeapObjects:       "objects on the Go heap, about",
	report.ColumnHeapBytes:         "bytes on the Go heap, about",
	report.ColumnAtOnce:            "goroutines in it at once, average",
	report.ColumnWaiting:           "waited instead of running",
	report.ColumnRunnable:          "had no processor",
	report.ColumnWaited:            "self time without a processor",
}

// headings has the headings that differ from the columns' own, because values in bytes have their unit beside them.
var headings = [report.NumColumns]string{
	report.ColumnAllocBytes:  "alloc",
	report.ColumnFreeBytes:   "free",
	report.ColumnHeapObjects: "~heap n",
	report.ColumnHeapBytes:   "~heap",
}

// kinds converts the kinds of package report.
var kinds = [...]ValueKind{
	report.KindMilliseconds: KindTime,
	report.KindEntries:      KindCount,
	report.KindPercent:      KindShare,
	report.KindTenths:       KindShare,
	report.KindWhole:        KindWhole,
}

func kindOf(c report.Column) ValueKind {
	switch c {
	case report.ColumnAllocBytes, report.ColumnFreeBytes, report.ColumnHeapBytes:
		return KindBytes
	}
	return kinds[c.Info().Kind]
}

// Describe returns the words for a column. It returns the zero value for unknown columns.
func Describe(c report.Column) ColumnWords {
	if c >= report.NumColumns {
		return ColumnWords{}
	}
	return ColumnWords{cmp.Or(headings[c], c.Info().Heading), words[c], kindOf(c)}
}

// AppendValue appends a record's value in a column. If the record has no such value, it appends nothing, or a dash in
// columns that only some rows fill. A time is in the unit of its column, see [report.Report.UnitOf]. Precision is the
// number of decimals of milliseconds, see [ClampPrecision].
func AppendValue(b []byte, r *report.Record, c report.Column, unit report.TimeUnit, precision int) []byte {
	if !r.Mask.Has(c) {
		if report.Statistics.Has(c) {
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
	return unit.Append(b, v, precision)
}

// ClampPrecision limits a number of decimals to 1..4. Zero means the default, 2.
func ClampPrecision(decimals int) int {
	if decimals == 0 {
		return 2
	}
	return min(max(decimals, 1), 4)
}
