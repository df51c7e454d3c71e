package scene_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/scene"
)

// Another program may have as many zones, or more.
func TestAnotherProgramsZonesHaveTheirOwnNames(t *testing.T) {
	s, d := process.NewSession(), new(scene.Scene)
	show := func(program uint64, names ...string) {
		t.Helper()
		f := gather.Frame{Origin: gather.Origin{Program: program}, End: 10, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}}
		nodes := []gather.Node{{Parent: -1}}
		for i, name := range names {
			f.Zones = append(f.Zones, gather.ZoneInfo{Name: name, Function: "example.com/of/" + name})
			nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: gather.ZoneID(i + 1), Count: 1, Self: 1})
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, End: 10, Nodes: nodes}}
		must.Do(t, s.WriteFrame(&f))
		d.Take(s.View(), process.SnapshotOptions{})
		d.LearnNames()
		fresh := new(scene.Scene)
		fresh.Take(s.View(), process.SnapshotOptions{})
		fresh.LearnNames()
		for i := range f.Zones {
			name := f.Zones[i].Name
			if got, want := d.Label(gather.ZoneID(i), name), fresh.Label(gather.ZoneID(i), name); got != want {
				t.Errorf("program %d, zone %d: got the label %q; want %q", program, i, got, want)
			}
		}
	}
	show(1, "game.step", "game.draw")
	show(2, "server.Serve", "server.Close")
	show(3, "a.b", "c.d", "e.f")
}
