package history

import (
	"testing"

	"example.com/iprof/process/report"
)

// The constant sets of columns are those of the statistics that they are named for.
func TestColumnSets(t *testing.T) {
	cheap := report.ColumnsOf(report.ColumnMean, report.ColumnMax, report.ColumnMaxSelf)
	ever := EverHier.Columns().Or(EverSelf.Columns())
	past := HistoryHier.Columns().Or(HistorySelf.Columns()).Without(cheap)
	calls := SingleCalls.Columns().With(report.ColumnCallsCounted, report.ColumnCallsMissing)
	dear := past.Or(ever).Or(calls).With(report.ColumnMaxHold)
	basic := report.ColumnsOf(report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnSelfPercent,
		report.ColumnHierPercent, report.ColumnTicks, report.ColumnErrors, report.ColumnAtOnce)
	statistics := dear.With(report.ColumnExtraSelf, report.ColumnExtraHier, report.ColumnExtraPercent,
		report.ColumnWaiting, report.ColumnRunnable, report.ColumnWaited)
	measured := report.ColumnsOf(report.ColumnSelf, report.ColumnHier, report.ColumnMaxHold, report.ColumnWaiting,
		report.ColumnRunnable)
	for _, c := range []*StatColumns{&HistoryHier, &HistorySelf} {
		measured = measured.With(c[StatMin], c[StatMax]).With(c[StatP50:]...)
	}
	for _, c := range []*StatColumns{&EverHier, &EverSelf} {
		measured = measured.With(c[StatMin], c[StatMax])
	}
	all := report.ColumnSet{}
	for c := range report.Column(report.NumColumns) {
		all.Add(c)
	}
	for name, test := range map[string]struct{ got, want report.ColumnSet }{
		"DearHistory": {DearHistory, past}, "DearEver": {DearEver, ever}, "DearCalls": {DearCalls, calls},
		"Dear": {Dear, dear}, "BasicColumns": {report.BasicColumns, basic}, "AllColumns": {report.AllColumns, all},
		"Statistics": {report.Statistics, statistics}, "MeasuredColumns": {report.MeasuredColumns, measured},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %v; want %v", name, test.got.AppendColumns(nil), test.want.AppendColumns(nil))
		}
	}
}
