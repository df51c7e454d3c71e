package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

var serverZones = []gather.ZoneInfo{{Name: "(root)"}, {Name: "receive", Function: "main.serve", Idle: true},
	{Name: "physics", Function: "main.step"}, {Name: "path finding", Function: "main.step"}}

// servers writes captures of so many servers, half of them with a second version, whose physics takes a tenth longer.
// One server in twenty is three times as slow as the others. Their times come from a random source.
func servers(t *testing.T, number int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range number {
		version := 1 + i%2
		path := filepath.Join(dir, fmt.Sprintf("v%d", version), fmt.Sprintf("server%d.iprof", i))
		must.Do(t, writeServer(path, version, r))
	}
	return dir
}

// writeServer writes the work of a server in 200 ticks, in microseconds.
func writeServer(path string, version int, r *rand.Rand) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := framefile.NewWriter(file, framefile.Info{Program: fmt.Sprintf("server, version %d", version)})
	load := 0.8 + 0.4*r.Float64()
	if r.IntN(20) == 0 {
		load *= 3
	}
	f := gather.Frame{TicksPerSecond: 1e6, Zones: serverZones}
	for range 200 {
		serverTick(&f, load, version, r)
		if err := w.WriteFrame(&f); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return file.Close()
}

// serverTick fills in the next frame.
func serverTick(f *gather.Frame, load float64, version int, r *rand.Rand) {
	physics := 2000 * load * (0.9 + 0.2*r.Float64())
	if version == 2 {
		physics *= 1.1
	}
	paths := 3000 * load * (0.5 + r.Float64())
	node := func(zone gather.ZoneID, ticks float64) gather.Node {
		return gather.Node{ID: gather.NodeID(zone), Zone: zone, Count: 1, Self: platform.Ticks(ticks)}
	}
	nodes := []gather.Node{{Parent: -1, Open: true}, node(1, max(50_000-physics-paths, 0)), node(2, physics),
		node(3, paths)}
	f.Index, f.Begin = f.Index+1, f.End
	for i := range nodes {
		f.End += nodes[i].Self
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
}
