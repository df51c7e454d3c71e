package history

import "example.com/iprof/process/report"

// Statistic is a statistic of a list of values.
type Statistic uint8

// The statistics.
const (
	StatMin Statistic = iota
	StatMean
	StatMax
	StatDeviation
	StatP50
	StatP90
	StatP99
	StatP999
	NumStatistics = iota
)

// Ranks are the ranks of the quantiles, as shares of the number of values.
var Ranks = [NumStatistics]float64{StatP50: 0.5, StatP90: 0.9, StatP99: 0.99, StatP999: 0.999}

// StatColumns are the columns with the statistics of one quantity.
type StatColumns [NumStatistics]report.Column

// The columns of each quantity: times of frames over the history and since Reset, and times of single calls.
var (
	HistoryHier = StatColumns{
		report.ColumnMin, report.ColumnMean, report.ColumnMax, report.ColumnDeviation,
		report.ColumnP50, report.ColumnP90, report.ColumnP99, report.ColumnP999,
	}
	HistorySelf = StatColumns{
		report.ColumnMinSelf, report.ColumnMeanSelf, report.ColumnMaxSelf, report.ColumnDeviationSelf,
		report.ColumnP50Self, report.ColumnP90Self, report.ColumnP99Self, report.ColumnP999Self,
	}
	EverHier = StatColumns{
		report.ColumnEverMin, report.ColumnEverMean, report.ColumnEverMax, report.ColumnEverDeviation,
		report.ColumnEverP50, report.ColumnEverP90, report.ColumnEverP99, report.ColumnEverP999,
	}
	EverSelf = StatColumns{
		report.ColumnEverMinSelf, report.ColumnEverMeanSelf, report.ColumnEverMaxSelf, report.ColumnEverDeviationSelf,
		report.ColumnEverP50Self, report.ColumnEverP90Self, report.ColumnEverP99Self, report.ColumnEverP999Self,
	}
	SingleCalls = StatColumns{
		report.ColumnCallMin, report.NumColumns, report.ColumnCallMax, report.ColumnCallDeviation,
		report.ColumnCallP50, report.ColumnCallP90, report.ColumnCallP99, report.ColumnCallP999,
	}
)

// Columns returns the set of the columns.
func (c *StatColumns) Columns() report.ColumnSet { return report.ColumnsOf(c[:]...) }

// Fill sets the wanted columns.
func (c *StatColumns) Fill(out *report.Record, want report.ColumnSet, of func(Statistic) float64) {
	for s := range Statistic(NumStatistics) {
		if want.Has(c[s]) {
			out.Put(c[s], of(s))
		}
	}
}

// The columns that are computed on request only. They are constants like those of package report.
var (
	DearHistory = report.ColumnSet{2<<report.ColumnP999 - 1<<report.ColumnDeviation |
		2<<report.ColumnP999Self - 1<<report.ColumnMin}
	DearEver  = report.ColumnSet{2<<report.ColumnEverP999Self - 1<<report.ColumnEverMin}
	DearCalls = report.ColumnSet{2<<report.ColumnCallsMissing - 1<<report.ColumnCallMin}
	Dear      = report.ColumnSet{2<<report.ColumnP999 - 1<<report.ColumnMaxHold |
		2<<report.ColumnCallsMissing - 1<<report.ColumnMin}
)
