package sampledump

import (
	"fmt"

	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Game returns the dump of a session with 300 frames of package world's game, from 1000 on, with charges, counters,
// and a crowd of five goroutines that wait most of the time.
func Game() *report.Dump {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Spawns = func() []report.Spawn { return gameSpawns } })
	g := world.NewGame(3, s)
	parts := g.Lanes[0].Inner
	present := parts[len(parts)-1].Info
	for i := range 5 { // each works in one zone, and waits before and after
		wait := &world.Part{Info: present, Count: 2, Rest: true}
		g.Lanes = append(g.Lanes, world.Lane(fmt.Sprintf("main.serve server.go:42 #%d", 20+i),
			world.Zone("serve", 0.1).At("main.serve", "/src/server.go", 42), wait))
	}
	for i := range uint64(300) {
		f := *g.Frame()
		f.Index = 1000 + i
		write(s, measured(&f))
	}
	return dumpOf(s, "voxel-engine")
}

// gameSpawns are its go statements.
var gameSpawns = []report.Spawn{
	{Crowd: "main.serve server.go:42", Path: []string{"simulate"}, Goroutines: 96, Paths: 1},
	{Crowd: "main.newLoader chunk.go:17", Goroutines: 2},
}
