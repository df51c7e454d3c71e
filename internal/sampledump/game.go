package sampledump

import (
	"fmt"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/replay"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Game returns the dump of a session with 300 frames of package replay, from 1000 on, with charges, counters, and a
// crowd of five goroutines that wait most of the time.
func Game() *report.Dump {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Spawns = func() []report.Spawn { return gameSpawns } })
	r := replay.New(3, s)
	for range 300 {
		f := *r.Frame()
		f.Index += 1000
		people(&f)
		measured(&f)
		write(s, &f)
	}
	return dumpOf(s, "voxel-engine")
}

// gameSpawns are its go statements.
var gameSpawns = []report.Spawn{
	{Crowd: "main.serve server.go:42", Path: []string{"simulate"}, Goroutines: 96, Paths: 1},
	{Crowd: "main.newLoader chunk.go:17", Goroutines: 2},
}

// people adds the crowd. Each goroutine works in one zone, and waits before and after.
func people(f *gather.Frame) {
	serve := gather.ZoneID(len(f.Zones))
	wait := gather.ZoneID(slices.IndexFunc(f.Zones, func(z gather.ZoneInfo) bool { return z.Idle }))
	f.Zones = append(f.Zones[:serve:serve], gather.ZoneInfo{Name: "serve", Function: "main.serve",
		File: "/src/server.go", Line: 42})
	f.Lanes = f.Lanes[:2:2]
	const work = platform.Ticks(1e5)
	for i := range 5 {
		id := gather.NodeID(1000 + 3*i)
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(20 + i), Begin: f.Begin, End: f.End,
			Name: fmt.Sprintf("main.serve server.go:42 #%d", 20+i), Nodes: []gather.Node{
				{ID: id, Parent: -1, Open: true},
				{ID: id + 1, Zone: serve, Parent: 0, Count: 1, Self: work},
				{ID: id + 2, Zone: wait, Parent: 0, Count: 2, Self: f.End - f.Begin - work}}})
	}
}
