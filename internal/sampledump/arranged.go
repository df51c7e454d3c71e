package sampledump

import (
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// packagedZones are zones of three packages, and one without a known position.
var packagedZones = []gather.ZoneInfo{
	{Name: "(root)"},
	{Name: "draw", Function: "example.com/game/render.Draw", File: "/game/render/draw.go", Line: 10},
	{Name: "shadows", Function: "example.com/game/render.(*Scene).shadows", File: "/game/render/shadow.go", Line: 40},
	{Name: "physics", Function: "example.com/game/world.Step", File: "/game/world/step.go", Line: 7},
	{Name: "collide", Function: "example.com/game/world.collide", File: "/game/world/collide.go", Line: 70},
	{Name: "\x1b[31mnetwork", File: "/game/net/poll.go", Line: 3},
	{Name: "somewhere"},
	{Name: "added later", Function: "example.com/game/world.Added", File: "/game/world/added.go", Line: 1},
}

// packaged writes a frame. If late is set, draw takes more time, physics takes less, and one zone is new.
func packaged(s *process.Session, index uint64, late bool) {
	nodes := []gather.Node{
		{Zone: 0, Parent: -1, Self: 1000},
		{ID: 1, Zone: 1, Parent: 0, Count: 1, Self: 2000},
		{ID: 2, Zone: 2, Parent: 1, Count: 4, Self: 1500},
		{ID: 3, Zone: 4, Parent: 2, Count: 9, Self: 200}, // the renderer calls the world
		{ID: 4, Zone: 3, Parent: 0, Count: 2, Self: 3000},
		{ID: 5, Zone: 4, Parent: 4, Count: 30, Self: 700},
		{ID: 6, Zone: 5, Parent: 0, Count: 1, Self: 400},
		{ID: 7, Zone: 6, Parent: 0, Count: 3, Self: 100},
	}
	if late {
		nodes[1].Self, nodes[4].Self = nodes[1].Self+600, nodes[4].Self-600
		nodes = append(nodes, gather.Node{ID: 8, Zone: 7, Parent: 4, Count: 1, Self: 250})
	}
	f := gather.Frame{Index: index, TicksPerSecond: 1e6, Zones: packagedZones}
	f.End = f.Begin
	for i := range nodes {
		f.End += nodes[i].Self
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
	write(s, &f)
}

// Arranged returns a session with a baseline and a later frame, in a mode and an arrangement.
func Arranged(mode report.ReportMode, a report.Arrangement) *process.Session {
	s := process.NewSession()
	packaged(s, 41, false)
	s.View().Set(report.View{Mode: report.ReportSelfTime, Average: report.AverageInstant})
	s.View().PinBaseline()
	packaged(s, 42, true)
	s.View().Set(report.View{Mode: mode, Average: report.AverageInstant, Focus: 3, Arrangement: a})
	return s
}
