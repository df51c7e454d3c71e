package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process"
)

// TestLensOracle compares reports through lenses with the sums of the frames that they choose, one by one.
func TestLensOracle(t *testing.T) {
	var report process.Report
	for seed := range uint64(400) {
		p := newProgram(seed, 1+int(seed%3), 1+int32(seed%5))
		s := process.NewSession()
		var lengths []float64
		for range 6 + seed%9 {
			for range 10 + seed%20 {
				p.step()
			}
			f := p.end()
			lengths = append(lengths, float64(f.End-f.Begin))
			s.SetFrameBudget(100e6) // 100 ms, that is 100 ticks
			write(t, s, f)
		}
		lens := lensOf(p, len(p.frames))
		frames := chosen(lens, lengths)
		lane := p.random.IntN(len(p.stacks)+1) - 1
		v := process.View{Lens: lens, Lane: process.LaneID(lane + 1), Mode: process.ReportMode(p.random.IntN(2)),
			Age: p.random.IntN(9)}
		var events []event
		for _, at := range frames {
			events = append(events, seen(p.frames[at], lane)...)
		}
		want := flat(events)
		delete(want, 0)
		for zone, w := range want {
			n := float64(len(frames))
			want[zone] = figures{w.self / n, w.hier / n, w.count / n}
			if w.count/n < 0.25 && w.hier == 0 {
				delete(want, zone) // not worth a row
			}
		}
		s.AppendReportOf(&report, v)
		report.Records = slices.DeleteFunc(report.Records, func(r process.Record) bool { return r.Zone == 0 })
		check(t, func() string {
			return fmt.Sprintf("program %d, %+v", seed, v)
		}, &report, map[process.Group]map[process.ZoneID]figures{process.GroupFocus: want})
		if got := report.Frame.LensFrames; got != len(frames) {
			t.Fatalf("program %d, %+v: got %d frames; want %d", seed, v, got, len(frames))
		}
	}
}

func lensOf(p *program, frames int) process.Lens {
	a, b := uint64(p.random.IntN(frames)), uint64(p.random.IntN(frames))
	return []process.Lens{{Kind: process.LensAll}, {Kind: process.LensOver}, {Kind: process.LensWithin},
		{Kind: process.LensSlowest, Slowest: 1 + int(a)}, {Kind: process.LensRange, From: a, To: b}}[p.random.IntN(5)]
}

// chosen are the frames that a lens is to choose, by the lengths of all.
func chosen(l process.Lens, lengths []float64) (frames []int) {
	order := make([]int, len(lengths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if lengths[a] != lengths[b] {
			return int(lengths[b] - lengths[a])
		}
		return b - a
	})
	for rank, i := range order {
		takes := map[process.LensKind]bool{
			process.LensAll: true, process.LensOver: lengths[i] > 102, process.LensWithin: lengths[i] <= 102,
			process.LensSlowest: rank < l.Slowest,
			process.LensRange:   uint64(i) >= min(l.From, l.To) && uint64(i) <= max(l.From, l.To),
		}[l.Kind]
		if takes {
			frames = append(frames, i)
		}
	}
	return frames
}

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
	var r process.Report
	for want, lens := range map[string]process.Lens{
		"average of 2 frames over budget":    {Kind: process.LensOver},
		"average of 8 frames within budget":  {Kind: process.LensWithin},
		"average of 10 frames":               {Kind: process.LensAll},
		"average of 1 frame, the slowest":    {Kind: process.LensSlowest, Slowest: 1},
		"average of 3 frames, 4 to 6":        {Kind: process.LensRange, From: 6, To: 4},
		"average of 10 frames, the slowest ": {Kind: process.LensSlowest}, // of which 16 were asked for
	} {
		t.Run(want, func(t *testing.T) {
			s.SetLens(lens)
			if s.AppendReport(&r); !strings.Contains(r.Title+" ", want) {
				t.Errorf("%+v: got title %q; want %q in it", lens, r.Title, want)
			}
		})
	}
	s.SetLens(process.Lens{Kind: process.LensOver})
	i := s.Info()
	if i.Length != 32.75+0 && i.Length < 32 || i.LensFrames != 2 || i.Gone {
		t.Errorf("got %+v; want the mean of the two slow frames", i)
	}
	s.SetFrame(1)
	if v := s.View(); v.Lens.Kind != process.LensOff || v.Age != 1 {
		t.Errorf("got view %+v; want a chosen frame to take the lens away", v)
	}
}

func TestLensWithoutFrames(t *testing.T) {
	s := process.NewSession()
	s.SetLens(process.Lens{Kind: process.LensOver})
	var r process.Report
	s.AppendReport(&r) // without any frame at all
	pulse(t, s, 1, 2, 3)
	s.AppendReport(&r)
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
	s.SetLens(process.Lens{Kind: process.LensAll})
	var r process.Report
	s.AppendReport(&r)
	if i := r.Frame; i.LensFrames != 5 || i.LensLost != 15 {
		t.Errorf("got %d frames, %d lost; want 5, 15", i.LensFrames, i.LensLost)
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "15 frames") }) {
		t.Errorf("got warnings %q; want one of 15 frames", r.Warnings)
	}
	if got := r.Records[0].Values[process.ColumnHier]; got != 3 { // (2+2+2+2+7)/5
		t.Errorf("got a average of %v; want 3", got)
	}
}

func TestStatisticsThroughALens(t *testing.T) {
	s := process.NewSession()
	pulse(t, s, 1, 30, 2, 20, 3, 40)
	r := process.Report{Want: process.AllColumns}
	s.AppendReportOf(&r, process.View{Lens: process.Lens{Kind: process.LensOver}})
	v := &r.Records[0].Values
	if v[process.ColumnMin] != 20 || v[process.ColumnP50] != 30 || v[process.ColumnMax] != 40 ||
		v[process.ColumnMean] != 30 || v[process.ColumnMaxSelf] != 40 {
		t.Errorf("got min %v, median %v, max %v, mean %v; want those of the three frames over budget: 20, 30, 40, 30",
			v[process.ColumnMin], v[process.ColumnP50], v[process.ColumnMax], v[process.ColumnMean])
	}
}

func TestExtraInSlowFrames(t *testing.T) {
	s := bumpy(t)
	var r process.Report
	s.AppendReportOf(&r, process.View{Mode: process.ReportExtra})
	var got []string
	for _, rec := range r.Records {
		got = append(got, fmt.Sprintf("%d %s %s %.2f %.2f %.1f%%", rec.Indent, rec.Name, rec.Site,
			rec.Values[process.ColumnExtraSelf],
			rec.Values[process.ColumnExtraHier], rec.Values[process.ColumnExtraPercent]))
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
	s.AppendReportOf(&r, process.View{Mode: process.ReportExtra,
		Lens: process.Lens{Kind: process.LensSlowest, Slowest: 1}})
	if r.Records[0].Name != "load" || r.Frame.LensFrames != 1 {
		t.Errorf("got %q of %d frames; want load, of the slowest", r.Records[0].Name, r.Frame.LensFrames)
	}
	s.AppendReportOf(&r, process.View{Mode: process.ReportExtra, Lens: process.Lens{Kind: process.LensRange, To: 100}})
	if len(r.Records) != 0 || len(r.Warnings) == 0 {
		t.Errorf("all frames chosen: got %d records and warnings %q; want none, and why", len(r.Records), r.Warnings)
	}
}

func TestLanesThroughALens(t *testing.T) {
	p := newProgram(5, 3, 4)
	s := process.NewSession()
	for range 4 {
		for range 40 {
			p.step()
		}
		write(t, s, p.end())
	}
	want := map[process.LaneID]float64{}
	for age := range 4 {
		s.SetFrame(age)
		for _, l := range s.AppendLanes(nil) {
			want[l.ID] += l.Self / 4
		}
	}
	s.SetLens(process.Lens{Kind: process.LensAll})
	for _, l := range s.AppendLanes(nil) {
		if d := l.Self - want[l.ID]; d > 1e-9 || d < -1e-9 {
			t.Errorf("lane %d: got %v; want %v", l.ID, l.Self, want[l.ID])
		}
		delete(want, l.ID)
	}
	if len(want) > 0 {
		t.Errorf("got no lanes %v", want)
	}
}
