package capture_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestLensesChooseAmongAllFrames: whatever part of a file a session holds, its lenses choose, and its statistics count,
// as in a session with all frames. Quantiles are to 0.8 %.
func TestLensesChooseAmongAllFrames(t *testing.T) {
	const frames = 1500
	b, read := longCapture(t, frames)
	all, few, newest := withHistory(frames), withHistory(40), withHistory(frames)
	for _, s := range []*process.Session{all, few} {
		if _, err := framefile.Load(s, bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
	}
	if reaches, err := framefile.Reach(few, bytes.NewReader(b), int64(len(b))); !reaches || err != nil {
		t.Fatalf("got %v, %v", reaches, err)
	}
	if _, _, _, err := framefile.NewestOf(newest, bytes.NewReader(b), int64(len(b)), 100); err != nil {
		t.Fatal(err)
	}
	budget := time.Duration(all.View().Info().Busy * float64(time.Millisecond))
	for _, s := range []*process.Session{all, few, newest} {
		s.SetFrameBudget(budget)
	}
	lenses := []report.Lens{{Kind: report.LensAll}, {Kind: report.LensOver}, {Kind: report.LensWithin},
		{Kind: report.LensSlowest, Slowest: 5}, {Kind: report.LensSlowest},
		{Kind: report.LensRange, From: read[100].Index, To: read[900].Index}}
	for _, lens := range lenses {
		for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportHierarchicalTime,
			report.ReportCallTree, report.ReportExtra} {
			t.Run(fmt.Sprint(lens.Kind, "/", mode), func(t *testing.T) {
				v := report.View{Lens: lens, Mode: mode}
				want := statisticsOf(all, v)
				if mode != report.ReportExtra && len(want) == 0 {
					t.Fatal("got no rows of all frames")
				}
				for name, s := range map[string]*process.Session{"few": few, "newest": newest} {
					compareStatistics(t, name, statisticsOf(s, v), want)
				}
			})
		}
	}
	few.View().SetLens(report.Lens{Kind: report.LensSlowest, Slowest: 7})
	if got := few.View().Info(); got.LensFrames != 7 || got.LensLost != 0 {
		t.Errorf("got a lens of %d frames, %d lost; want 7", got.LensFrames, got.LensLost)
	}
}

// columnsOfAll are the columns that are compared.
var columnsOfAll = []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnMean,
	report.ColumnMax, report.ColumnMaxSelf, report.ColumnMin, report.ColumnMinSelf, report.ColumnMeanSelf,
	report.ColumnDeviation, report.ColumnDeviationSelf, report.ColumnP50, report.ColumnP99, report.ColumnP50Self,
	report.ColumnP99Self, report.ColumnExtraSelf}

// statisticsOf returns the values of a report's rows, by name and site. Rows that have both alike are left out.
func statisticsOf(s *process.Session, v report.View) map[string][]float64 {
	r := report.Report{Want: report.ColumnsOf(columnsOfAll...)}
	s.View().AppendReportOf(&r, v)
	rows, twice := map[string][]float64{}, map[string]bool{}
	for i := range r.Records {
		k := &r.Records[i]
		name := fmt.Sprint(k.Name, "|", k.Site, "|", k.Indent)
		twice[name] = rows[name] != nil
		for _, c := range columnsOfAll {
			value := math.NaN()
			if k.Mask.Has(c) {
				value = k.Values[c]
			}
			rows[name] = append(rows[name], value)
		}
	}
	for name := range rows {
		if twice[name] {
			delete(rows, name)
		}
	}
	return rows
}

// compareStatistics compares rows of a session with those of one that has all frames.
func compareStatistics(t *testing.T, session string, got, want map[string][]float64) {
	t.Helper()
	for name, values := range want {
		for i, w := range values {
			if got[name] == nil {
				t.Errorf("%s: got no row %s", session, name)
				break
			}
			if g := got[name][i]; math.Abs(g-w) > 0.009*math.Abs(w)+1e-5 || (g == g) != (w == w) {
				t.Errorf("%s: %s: column %v: got %v; want %v", session, name, columnsOfAll[i], g, w)
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: got %d rows; want %d", session, len(got), len(want))
	}
}
