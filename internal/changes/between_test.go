package changes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

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

// The error has the name and the number.
func TestFewFramesAreNotCompared(t *testing.T) {
	_, err := changes.Take("few.iprof", process.NewSession())
	if err == nil || err.Error() != "few.iprof: too few frames to compare: 0" {
		t.Errorf("got %v; want the name and the number", err)
	}
	if err := changes.Enough("enough", 10); err != nil {
		t.Error(err)
	}
}

// Each path stands below its caller, with its busy time in both runs, and says of its zone alone whether it has
// changed.
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

// Of two samples of one distribution, fewer than one in a thousand seem to differ; of clearly different ones, all do.
func TestNoiseIsBeyondChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sample := func(mean float64) (s changes.Sample) {
		var values []float64
		for range 200 {
			values = append(values, mean+r.NormFloat64())
			s.Mean += values[len(values)-1] / 200
		}
		for _, v := range values {
			s.Deviation += (v - s.Mean) * (v - s.Mean) / 199
		}
		s.Frames, s.Deviation = 200, 1
		return s
	}
	wrong := 0
	for range 2000 {
		a, b := sample(10), sample(10)
		if changes.Judge(a.Mean, b.Mean, changes.Noise(a, b), 0) != "same" {
			wrong++
		}
		b = sample(11)
		if got := changes.Judge(a.Mean, b.Mean, changes.Noise(a, b), 5); got != "slower" {
			t.Fatalf("10 %% more: got %s", got)
		}
		if got := changes.Judge(b.Mean, a.Mean, changes.Noise(a, b), 5); got != "faster" {
			t.Fatalf("10 %% less: got %s", got)
		}
	}
	if wrong > 2 {
		t.Errorf("%d of 2000 equal pairs seem to differ", wrong)
	}
	for _, c := range [][3]float64{{1, 1.04, 5}, {0, 0.009, 5}} {
		if got := changes.Judge(c[0], c[1], 0, c[2]); got != "same" {
			t.Errorf("%v: got %s; want same", c, got)
		}
	}
}

// busyTimes are those of 100 frames of a zone. In each frame for which busy is true the machine takes 30 ms more.
func busyTimes(t *testing.T, ms platform.Ticks, busy func(frame int) bool) *changes.Times {
	t.Helper()
	s := process.NewSession()
	f := gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work", Function: "f"}}}
	for i := range 100 {
		took := ms
		if f.Away = (gather.Away{Known: gather.AwayExact}); busy(i) {
			f.Away.Time, took = 30*time.Millisecond, ms+30
		}
		f.Index, f.Begin, f.End = uint64(i), f.End, f.End+took
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: took}}}}
		must.Do(t, s.WriteFrame(&f))
	}
	got := must.Get(changes.Take("run", s))(t)
	return got
}

// The comparison leaves out frames in which other programs had the processor, and says how many, as long as enough
// others are left.
func TestABusyMachineIsNoChange(t *testing.T) {
	never := func(int) bool { return false }
	third := func(i int) bool { return i%3 == 0 }
	most := func(i int) bool { return i > 5 }
	const words = " frames were disturbed: the machine gave the processor to other programs. They are "
	const count = " frames were disturbed: the machine gave the processor to other programs. " +
		"They count, because too few others are left"
	for _, c := range []struct {
		busy   func(int) bool
		ms     platform.Ticks
		slower int
		says   string
	}{
		{never, 10, 0, ""},
		{third, 10, 0, "after: 34 of 100" + words + "left out"},
		{third, 13, 2, "after: 34 of 100" + words + "left out"},
		{most, 10, 2, "after: 94 of 100" + count},
	} {
		d := changes.Between(busyTimes(t, 10, never), busyTimes(t, c.ms, c.busy), changes.Percent)
		if got := strings.Join(d.Busy, "\n"); d.Slower != c.slower || got != c.says {
			t.Errorf("%d ms: got %d slower, %q; want %d, %q", c.ms, d.Slower, got, c.slower, c.says)
		}
	}
}
