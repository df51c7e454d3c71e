//go:build !iprof_off

package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// BenchmarkDumpOfAMillionStacks is a Dump of zones, and one of trees. The frame in progress has all stacks, or the sums
// of ended frames have them. Bytes per operation include what the Dump returns.
func BenchmarkDumpOfAMillionStacks(b *testing.B) {
	longtest.Skip(b)
	b.Run("ended", func(b *testing.B) { dumpStacks(b, millionStacks(b)) })
	b.Run("in progress", func(b *testing.B) {
		enterMillion(newFrameless(b, gather.Limits{Bytes: 1 << 30}))
		dumpStacks(b, process.Default())
	})
}

func dumpStacks(b *testing.B, s *process.Session) {
	for name, o := range map[string]report.DumpOptions{
		"zones": {NoHistory: true, NoTrees: true},
		"trees": {NoHistory: true, Nodes: report.DumpNodes},
	} {
		b.Run(name, func(b *testing.B) {
			s.Dump(o) // what remains: sums of lanes, averages, memory of verdicts
			b.ReportAllocs()
			for b.Loop() {
				s.Dump(o)
			}
		})
	}
}
