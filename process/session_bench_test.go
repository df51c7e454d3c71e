package process_test

import (
	"fmt"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// BenchmarkDigest is BenchmarkWriteFrame with a history that is full, so that each frame's records leave it and are
// added to averages, series and statistics.
func BenchmarkDigest(b *testing.B) {
	for _, nodes := range []int{100, 500, 1000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			b.ReportAllocs()
			s, f := process.NewSession(), busy(nodes)
			s.SetHistory(20, 20)
			f.TicksPerSecond = 1e6
			for i := range nodes {
				if i%10 != 0 {
					f.Lanes[0].Nodes[i+1].Parent = int32(i/10*10 + 1) // most zones call none
				}
			}
			frame := func() {
				uneven(f)
				f.Begin, f.End = f.End, f.End+16_000
				must.Do(b, s.WriteFrame(f))
			}
			for range 100 {
				frame()
			}
			for b.Loop() {
				frame()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}

func BenchmarkReport(b *testing.B) {
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallGraph, report.ReportCallTree} {
		b.Run(fmt.Sprintf("zones=500/mode=%d", mode), func(b *testing.B) {
			b.ReportAllocs()
			s, f := process.NewSession(), busy(500)
			for range 300 {
				must.Do(b, s.WriteFrame(f))
			}
			var r report.Report
			for range b.N {
				s.View().AppendReportOf(&r, report.View{Mode: mode, Focus: 3})
			}
		})
	}
}
