package html

import (
	"fmt"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestPageOf10000NamesIsSmall has 10,000 names at one place, as a program has that names its zones while it runs. The
// history is full.
func TestPageOf10000NamesIsSmall(t *testing.T) {
	longtest.Skip(t)
	const names = 10_000
	frame := gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	nodes := []gather.Node{{Parent: -1}}
	for i := range names {
		frame.Zones = append(frame.Zones, gather.ZoneInfo{
			Name:     fmt.Sprintf("package/some.function of a service %d", 7919*i),
			Function: "example.com/program/internal/task.Do",
			File:     "/home/user/program/internal/task/task.go", Line: 123})
		nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: gather.ZoneID(i + 1)})
	}
	s := process.NewSession()
	for n := range 300 {
		frame.Index, frame.Begin = uint64(n), frame.End
		for i := range nodes[1:] {
			nodes[1+i].Count, nodes[1+i].Self = 1, platform.Ticks(40+i*(n+1)%97)
			frame.End += nodes[1+i].Self
		}
		frame.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Nodes: nodes, Updater: true}}
		if err := s.WriteFrame(&frame); err != nil {
			t.Fatal(err)
		}
	}
	if got := page(t, s.Dump(report.DumpOptions{}), Options{}); len(got) > 2e6 {
		t.Errorf("got %d bytes; want at most 2 MB", len(got))
	}
}
