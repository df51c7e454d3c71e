package sampledump

import (
	"fmt"

	"example.com/iprof/process/report"
)

// times gives the frames with trees a timeline: the tree's lane, one loader, and a crowd of goroutines that wait most
// of the time.
func times(d *report.Dump) {
	for i := range d.FrameTrees {
		f := &d.FrameTrees[i]
		length := f.Nodes[0].Hier
		main := report.FrameLane{Name: "main"}
		place(&main, f.Nodes, 0, 0)
		loader := report.FrameLane{Name: "loader 1", From: float32(length / 5)}
		place(&loader, d.Lanes[1].Nodes, length/4, length/2/d.Lanes[1].Nodes[0].Hier)
		f.Timeline = report.FrameTimeline{Lanes: []report.FrameLane{main, loader}, Quiet: 1, Gone: 2}
		wait, solve := zoneNamed(d, "wait for work"), zoneNamed(d, "solve")
		for n := range 5 {
			at := float32(length) * float32(n+1) / 8
			f.Timeline.Lanes = append(f.Timeline.Lanes, report.FrameLane{
				Name: fmt.Sprintf("main.serve server.go:42 #%d", 20+n), Scopes: []report.FrameScope{
					{Zone: wait, End: at, Before: true}, {Zone: solve, Begin: at, End: at + 2},
					{Zone: wait, Begin: at + 2.2, End: float32(length), After: true},
				}})
		}
	}
}

// place appends the nodes below a root as scopes, one after the other from a time on. A scale of 0 is 1. What a node
// calls begins after half of its self time.
func place(l *report.FrameLane, nodes []report.TreeNode, from, scale float64) {
	if scale == 0 {
		scale = 1
	}
	next := make([]float64, len(nodes)) // where the next child of a node begins
	next[0] = from
	for i := 1; i < len(nodes); i++ {
		n := &nodes[i]
		begin := next[n.Parent]
		next[n.Parent] = begin + scale*n.Hier
		next[i] = begin + scale*n.Self/2
		l.Scopes = append(l.Scopes, report.FrameScope{Zone: n.Zone, Begin: float32(begin),
			End: float32(begin + scale*n.Hier), Level: uint16(n.Level - 1)})
	}
}

func zoneNamed(d *report.Dump, name string) report.ZoneID {
	for i := range d.Zones {
		if d.Zones[i].Name == name {
			return report.ZoneID(i)
		}
	}
	return 0
}
