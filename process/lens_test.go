package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// bumpy is a session of ten frames in which "load" makes the third and the eighth slow, below "update" only.
func bumpy(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	for i := range 10 {
		load, draw := "0.5 1", "8"
		if i == 2 || i == 7 {
			load, draw = "20.5 3", "7"
		}
		write(t, s, tree(uint64(i), []string{"update", "load", "draw", "vsync*"},
			"update 2 1\n  load "+load+"\ndraw "+draw+" 1\n  load 0.25 1\nvsync 3 1\n"))
	}
	return s
}

func TestTitleSaysTheLens(t *testing.T) {
	s := bumpy(t)
	var r report.Report
	for want, lens := range map[string]report.Lens{
		"average of 2 frames over budget":    {Kind: report.LensOver},
		"average of 8 frames within budget":  {Kind: report.LensWithin},
		"average of 10 frames":               {Kind: report.LensAll},
		"average of 1 frame, the slowest":    {Kind: report.LensSlowest, Slowest: 1},
		"average of 3 frames, 4 to 6":        {Kind: report.LensRange, From: 6, To: 4},
		"average of 10 frames, the slowest ": {Kind: report.LensSlowest}, // of which 16 were asked for
	} {
		t.Run(want, func(t *testing.T) {
			s.View().SetLens(lens)
			if s.View().AppendReport(&r); !strings.Contains(r.Title+" ", want) {
				t.Errorf("%+v: got title %q; want %q in it", lens, r.Title, want)
			}
		})
	}
	s.View().SetLens(report.Lens{Kind: report.LensOver})
	i := s.View().Info()
	if i.Length != 32.75+0 && i.Length < 32 || i.LensFrames != 2 || i.Gone {
		t.Errorf("got %+v; want the mean of the two slow frames", i)
	}
	s.View().SetFrame(1)
	if v := s.View().Get(); v.Lens.Kind != report.LensOff || v.Age != 1 {
		t.Errorf("got view %+v; want a chosen frame to take the lens away", v)
	}
}

func TestLensWithoutFrames(t *testing.T) {
	s := process.NewSession()
	s.View().SetLens(report.Lens{Kind: report.LensOver})
	var r report.Report
	s.View().AppendReport(&r) // without any frame at all
	pulse(t, s, 1, 2, 3)
	s.View().AppendReport(&r)
	if len(r.Records) != 0 || r.Frame.Gone || !slices.ContainsFunc(r.Warnings,
		func(w string) bool { return strings.Contains(w, "no frame") }) {
		t.Errorf("got %d records, gone %v, warnings %q; want none, false, and that there is no such frame",
			len(r.Records), r.Frame.Gone, r.Warnings)
	}
}

func TestLensTellsOfLostFrames(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(20, 5)
	for range 20 {
		pulse(t, s, 2)
	}
	pulse(t, s, 7)
	s.View().SetLens(report.Lens{Kind: report.LensAll})
	var r report.Report
	s.View().AppendReport(&r)
	if i := r.Frame; i.LensFrames != 5 || i.LensLost != 15 {
		t.Errorf("got %d frames, %d lost; want 5, 15", i.LensFrames, i.LensLost)
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "without 15 frames") }) {
		t.Errorf("got warnings %q; want one about 15 frames", r.Warnings)
	}
	if got := r.Records[0].Values[report.ColumnHier]; got != 3 { // (2+2+2+2+7)/5
		t.Errorf("got a average of %v; want 3", got)
	}
}

func TestStatisticsThroughALens(t *testing.T) {
	s := process.NewSession()
	pulse(t, s, 1, 30, 2, 20, 3, 40)
	r := report.Report{Want: report.AllColumns}
	s.View().AppendReportOf(&r, report.View{Lens: report.Lens{Kind: report.LensOver}})
	v := &r.Records[0].Values
	if v[report.ColumnMin] != 20 || v[report.ColumnP50] != 30 || v[report.ColumnMax] != 40 ||
		v[report.ColumnMean] != 30 || v[report.ColumnMaxSelf] != 40 {
		t.Errorf("got min %v, median %v, max %v, mean %v; want those of the three frames over budget: 20, 30, 40, 30",
			v[report.ColumnMin], v[report.ColumnP50], v[report.ColumnMax], v[report.ColumnMean])
	}
}

func TestExtraInSlowFrames(t *testing.T) {
	s := bumpy(t)
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportExtra})
	var got []string
	for _, rec := range r.Records {
		got = append(got, fmt.Sprintf("%d %s %s %.2f %.2f %.1f%%", rec.Indent, rec.Name, rec.Site,
			rec.Values[report.ColumnExtraSelf],
			rec.Values[report.ColumnExtraHier], rec.Values[report.ColumnExtraPercent]))
	}
	want := []string{
		"0 load  20.00 20.00 105.3%",
		"1 load in update 20.00 20.00 105.3%",
		"0 update  0.00 20.00 0.0%",
		"0 (root)  0.00 19.00 0.0%",
		"0 draw  -1.00 -1.00 -5.3%",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(r.Title, "slow frames") || !strings.Contains(r.Title, "2 frames over budget") {
		t.Errorf("got title %q; want what it is of", r.Title)
	}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportExtra,
		Lens: report.Lens{Kind: report.LensSlowest, Slowest: 1}})
	if r.Records[0].Name != "load" || r.Frame.LensFrames != 1 {
		t.Errorf("got %q of %d frames; want load, of the slowest", r.Records[0].Name, r.Frame.LensFrames)
	}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportExtra,
		Lens: report.Lens{Kind: report.LensRange, To: 100}})
	if len(r.Records) != 0 || len(r.Warnings) == 0 {
		t.Errorf("all frames chosen: got %d records and warnings %q; want none, and why", len(r.Records), r.Warnings)
	}
}

func TestLanesThroughALens(t *testing.T) {
	p, s := world.NewRandom(5), process.NewSession()
	for range 4 {
		write(t, s, p.Frame())
	}
	want := map[report.LaneID]float64{}
	for age := range 4 {
		s.View().SetFrame(age)
		for _, l := range s.View().AppendLanes(nil) {
			want[l.ID] += l.Self / 4
		}
	}
	s.View().SetLens(report.Lens{Kind: report.LensAll})
	for _, l := range s.View().AppendLanes(nil) {
		if d := l.Self - want[l.ID]; d > 1e-9 || d < -1e-9 {
			t.Errorf("lane %d: got %v; want %v", l.ID, l.Self, want[l.ID])
		}
		delete(want, l.ID)
	}
	if len(want) > 0 {
		t.Errorf("got no lanes %v", want)
	}
}

// The call graph beside the slow frames, and a baseline of them, are of the slow frames, too.
func TestReportsBesideSlowFramesAreOfThem(t *testing.T) {
	s := bumpy(t)
	v := s.View()
	v.SetReportMode(report.ReportExtra)
	if p := pictured(v); p.Report.Frame.LensFrames != 2 || p.Around.Report.Frame.LensFrames != 2 {
		t.Errorf("got %d frames, and %d around the cursor; want 2, 2", p.Report.Frame.LensFrames,
			p.Around.Report.Frame.LensFrames)
	}
	v.PinBaseline()
	v.SetReportMode(report.ReportSelfTime)
	v.SetLens(report.Lens{Kind: report.LensOver})
	var r report.Report
	v.AppendReport(&r)
	for i := range r.Records {
		if d := r.Records[i].Delta; !d.Known || d.MS != 0 {
			t.Errorf("%s: got %+v from the baseline of the same frames; want no difference", r.Records[i].Name, d)
		}
	}
}
