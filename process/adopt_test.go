package process_test

import (
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A session that had only the newest frames shows what one with all frames shows. The record that the user chose and
// what is folded stay, though both sessions number their paths differently.
func TestAdopt(t *testing.T) {
	some, all, want := process.NewSession(), process.NewSession(), process.NewSession()
	p := world.NewRandom(7)
	for i := range 200 {
		f := p.Frame()
		if i >= 150 {
			steadyFrame(t, some, f)
		} else {
			slices.Reverse(f.Lanes) // their zones get other paths
		}
		steadyFrame(t, all, f)
		steadyFrame(t, want, f)
	}
	for _, s := range []*process.Session{some, want} {
		s.View().SetReportMode(report.ReportCallTree)
		var r report.Report
		s.View().AppendReport(&r)
		at := slices.IndexFunc(r.Records, func(r report.Record) bool { return r.Sign == '-' && r.Depth > 0 })
		if at < 0 {
			at = slices.IndexFunc(r.Records, func(r report.Record) bool { return r.Sign == '-' })
		}
		s.View().ToggleFold(at)
		s.View().SetCursor(at)
	}
	generation := some.View().Generation()
	some.Adopt(all)
	if some.View().Generation() == generation {
		t.Error("the generation has not changed")
	}
	var got, wanted report.Report
	some.View().AppendReport(&got)
	want.View().AppendReport(&wanted)
	if len(got.Records) != len(wanted.Records) || got.Cursor != wanted.Cursor || got.Title != wanted.Title {
		t.Fatalf("got %d rows, cursor %d, %q; want %d, %d, %q", len(got.Records), got.Cursor, got.Title,
			len(wanted.Records), wanted.Cursor, wanted.Title)
	}
	for i := range got.Records {
		a, b := &got.Records[i], &wanted.Records[i]
		if a.Name != b.Name || a.Sign != b.Sign || a.Values != b.Values {
			t.Errorf("row %d: got %+v; want %+v", i, a, b)
		}
	}
	if n := len(some.AppendFrames(nil, 1000)); n != 200 {
		t.Errorf("got %d frames; want 200", n)
	}
	if n := len(all.AppendFrames(nil, 1000)); n != 0 {
		t.Errorf("the other session still has %d frames", n)
	}
	for range 10 { // both take more frames
		f := p.Frame()
		steadyFrame(t, some, f)
		steadyFrame(t, all, f)
	}
	larger, smaller := len(some.AppendFrames(nil, 1000)), len(all.AppendFrames(nil, 1000))
	if larger != 210 || smaller != 10 {
		t.Errorf("got %d and %d frames; want 210 and 10", larger, smaller)
	}
}

func steadyFrame(t *testing.T, s *process.Session, f *gather.Frame) {
	t.Helper()
	must.Do(t, s.WriteFrame(f))
}
