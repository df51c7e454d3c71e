package changes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// call is a call path below the root, as "render/sprites", and what it takes itself in each frame, in ms.
type call struct {
	path string
	ms   float64
}

// times are those of so many frames with these calls.
func times(t *testing.T, frames int, calls ...call) *changes.Times {
	t.Helper()
	f := gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	nodes, zones, at := []gather.Node{{Parent: -1, Open: true}}, map[string]int{}, map[string]int{"": 0}
	length := platform.Ticks(0)
	for _, c := range calls {
		above, name := "", c.path
		if cut := strings.LastIndex(c.path, "/"); cut >= 0 {
			above, name = c.path[:cut], c.path[cut+1:]
		}
		if zones[name] == 0 {
			zones[name] = len(f.Zones)
			f.Zones = append(f.Zones, gather.ZoneInfo{Name: name, Function: "f"})
		}
		at[c.path] = len(nodes)
		nodes = append(nodes, gather.Node{ID: gather.NodeID(len(nodes)), Parent: int32(at[above]), Count: 1,
			Zone: gather.ZoneID(zones[name]), Self: platform.Ticks(1000 * c.ms)})
		length += nodes[len(nodes)-1].Self
	}
	s := process.NewSession()
	for range frames {
		f.Index, f.Begin, f.End = f.Index+1, f.End, f.End+length
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
		must.Do(t, s.WriteFrame(&f))
	}
	got := must.Get(changes.Take("run", s))(t)
	return got
}

// TestChangesNameTheCaller whose calls take longer or less, unless several do.
func TestChangesNameTheCaller(t *testing.T) {
	before := times(t, 20, call{"render", 1}, call{"render/sprites", 2}, call{"load", 1}, call{"load/sprites", 1},
		call{"load/fog", 1}, call{"load/fog/fog", 1})
	for _, test := range []struct {
		name  string
		after []call
		want  string
	}{
		{"one", []call{{"render", 1}, {"render/sprites", 4}, {"load", 1}, {"load/sprites", 1}, {"load/fog", 1},
			{"load/fog/fog", 1}}, "slower sprites, called by render"},
		{"most", []call{{"render", 1}, {"render/sprites", 4}, {"load", 1}, {"load/sprites", 1.4}, {"load/fog", 1},
			{"load/fog/fog", 1}}, "slower sprites, called by render"},
		{"several", []call{{"render", 1}, {"render/sprites", 4}, {"load", 1}, {"load/sprites", 2}, {"load/fog", 1},
			{"load/fog/fog", 1}}, "slower sprites"},
		{"against each other", []call{{"render", 1}, {"render/sprites", 5}, {"load", 1}, {"load/sprites", 0.5},
			{"load/fog", 1}, {"load/fog/fog", 1}}, "slower sprites, called by render"},
		{"gone", []call{{"render", 1}, {"render/sprites", 2}, {"load", 1}, {"load/sprites", 1}}, "gone fog"},
		{"new", []call{{"render", 1}, {"render/sprites", 2}, {"load", 1}, {"load/sprites", 1}, {"load/fog", 1},
			{"load/fog/fog", 1}, {"render/sky\n", 1}}, `new sky\x0a, called by render`},
		{"recursion", []call{{"render", 1}, {"render/sprites", 2}, {"load", 1}, {"load/sprites", 1}, {"load/fog", 1},
			{"load/fog/fog", 3}}, "slower fog, called by fog"},
		{"outside", []call{{"render", 5}, {"render/sprites", 2}, {"load", 1}, {"load/sprites", 1}, {"load/fog", 1},
			{"load/fog/fog", 1}}, "slower render"},
	} {
		t.Run(test.name, func(t *testing.T) {
			shown := changes.Between(before, times(t, 30, test.after...), changes.Percent).Shown()
			var got []string
			for _, c := range shown[1:] {
				got = append(got, fmt.Sprintf("%s %s", c.Verdict, c.Title()))
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("got %q; want %q", got, test.want)
			}
		})
	}
}

// TestFewFramesAreNotCompared: the error has the name and the number.
func TestFewFramesAreNotCompared(t *testing.T) {
	_, err := changes.Take("few.iprof", process.NewSession())
	if err == nil || err.Error() != "few.iprof: 0 frames are too few to compare" {
		t.Errorf("got %v; want the name and the number", err)
	}
	if err := changes.Enough("enough", 10); err != nil {
		t.Error(err)
	}
}

// TestPathsJoinBothStructures: each path stands below its caller, with its busy time in both runs, and says of its zone
// alone whether it has changed.
func TestPathsJoinBothStructures(t *testing.T) {
	before := times(t, 20, call{"render", 1}, call{"render/sprites", 2}, call{"load", 1}, call{"load/fog", 4})
	after := times(t, 20, call{"load", 1}, call{"render", 1}, call{"render/sprites", 9}, call{"render/glow", 0.5})
	var got []string
	d := changes.Between(before, after, changes.Percent)
	for _, p := range d.Paths {
		c := d.Changes[p.Change]
		got = append(got, fmt.Sprintf("%d %s %g %g %s", p.Parent, p.Name, p.Before, p.After, c.Verdict))
		if c.Name != p.Name && (c.Name != changes.WholeFrame || p.Parent >= 0) {
			t.Errorf("got the change of %s at %s", c.Name, p.Name)
		}
	}
	want := []string{"-1 (root) 8 11.5 slower", "0 render 3 10.5 same", "1 sprites 2 9 slower", "1 glow 0 0.5 new",
		"0 load 5 1 same", "4 fog 4 0 gone"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}
