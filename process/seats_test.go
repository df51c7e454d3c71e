package process_test

import (
	"reflect"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/synth"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestIDsOfNodesDoNotMatter: a program whose nodes have large ids has the reports and sums of one that counts them from
// 0. The tables by id have room for them after some thousand frames only.
func TestIDsOfNodesDoNotMatter(t *testing.T) {
	small, large, p := process.NewSession(), process.NewSession(), synth.New(1)
	for i := range 6000 {
		f := p.Frame()
		write(t, small, f)
		write(t, large, withLargeIDs(f))
		if i%1000 != 1 {
			continue
		}
		for mode := report.ReportSelfTime; mode <= report.ReportCallTree; mode++ {
			var got, want report.Report
			large.View().AppendReportOf(&got, report.View{Mode: mode})
			small.View().AppendReportOf(&want, report.View{Mode: mode})
			if len(want.Records) < 5 || !reflect.DeepEqual(got.Records, want.Records) {
				t.Fatalf("frame %d, mode %v: got\n%+v\nwant\n%+v", i, mode, got.Records, want.Records)
			}
		}
		got, want := large.Dump(report.DumpOptions{}), small.Dump(report.DumpOptions{})
		if !reflect.DeepEqual(got.Merged, want.Merged) || !reflect.DeepEqual(got.Lanes, want.Lanes) {
			t.Fatalf("frame %d: got other sums", i)
		}
	}
}

// withLargeIDs is a frame with other ids.
func withLargeIDs(f *gather.Frame) *gather.Frame {
	large := *f
	large.Lanes = slices.Clone(f.Lanes)
	for i := range large.Lanes {
		nodes := slices.Clone(large.Lanes[i].Nodes)
		for k := range nodes {
			nodes[k].ID += 1 << 21
		}
		large.Lanes[i].Nodes = nodes
	}
	return &large
}
