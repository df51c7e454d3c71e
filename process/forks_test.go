package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// randomTree appends a tree below a parent, in preorder, and returns it. path is the names above.
func randomTree(r *rand.Rand, nodes []report.TreeNode, parent int32, level int32) []report.TreeNode {
	at := int32(len(nodes))
	n := report.TreeNode{Zone: gather.ZoneID(1 + r.IntN(4)), Parent: parent, Level: level, Self: r.Float64()}
	if parent < 0 {
		n.Zone = 0
	}
	n.Idle = n.Zone == 4
	nodes = append(nodes, n)
	for range r.IntN(4) {
		if level < 6 {
			nodes = randomTree(r, nodes, at, level+1)
		}
	}
	return nodes
}

// namesOf returns the names from below the root to a node.
func namesOf(d *report.Dump, nodes []report.TreeNode, i int32) (names []string) {
	for ; nodes[i].Parent >= 0; i = nodes[i].Parent {
		names = append(names, d.Zones[nodes[i].Zone].Name)
	}
	slices.Reverse(names)
	return names
}

// TestForksSumUp: in random lanes, each time is that of an oracle, which looks at the names of each node's whole path.
// What is forked by all go statements is all busy time outside the main goroutine.
func TestForksSumUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"}, {Name: "b"}, {Name: "a"}, {Name: "w"}}
		d := &report.Dump{Zones: zones}
		names := []string{"main goroutine", "main.run x.go:1 #2", "main.run x.go:1 (ended)", "main.run x.go:12 #3"}
		for _, name := range names {
			d.Lanes = append(d.Lanes, report.LaneTree{Name: name, Nodes: randomTree(r, nil, -1, 0)})
		}
		spawns := []report.Spawn{
			{Crowd: "main.run x.go:1", Path: []string{"a"}},
			{Crowd: "main.run x.go:12", Path: []string{"a", "b"}},
			{Crowd: "nobody", Path: nil},
		}
		forks, busy := report.Forks(d, spawns), 0.0
		for i, s := range spawns {
			want := oracleFork(d, s)
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
			if got := forks[i]; !near(got.Own, want.Own) || !near(got.Waited, want.Waited) ||
				!near(got.Forked, want.Forked) {
				t.Fatalf("%+v: got %+v; want %+v", s, got, want)
			}
			busy -= forks[i].Forked
		}
		for _, l := range d.Lanes[1:] {
			for _, n := range l.Nodes {
				if n.Parent >= 0 && !n.Idle {
					busy += n.Self
				}
			}
		}
		if math.Abs(busy) > 1e-9 {
			t.Fatalf("%v ms of the goroutines are in no row", busy)
		}
	}
}

func oracleFork(d *report.Dump, s report.Spawn) (f report.Fork) {
	for _, l := range d.Lanes {
		for i, n := range l.Nodes {
			path := namesOf(d, l.Nodes, int32(i))
			switch inside := len(s.Path) > 0 && len(path) >= len(s.Path) &&
				slices.Equal(path[:len(s.Path)], s.Path); {
			case inside && n.Idle:
				f.Waited += n.Self
			case inside:
				f.Own += n.Self
			}
			if report.Crowd(l.Name) == s.Crowd && len(path) > 0 && !n.Idle {
				f.Forked += n.Self
			}
		}
	}
	return f
}

func ExampleForks() {
	d := &report.Dump{
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}, {Name: "wait for done"}, {Name: "work"}},
		Lanes: []report.LaneTree{
			{Name: "main goroutine", Nodes: []report.TreeNode{
				{Parent: -1}, {Zone: 1, Level: 1, Self: 2}, {Zone: 2, Parent: 1, Level: 2, Self: 30, Idle: true},
			}},
			{Name: "main.step main.go:7 #2", Nodes: []report.TreeNode{{Parent: -1}, {Zone: 3, Level: 1, Self: 29}}},
		},
	}
	forks := report.Forks(d, []report.Spawn{{Crowd: "main.step main.go:7", Path: []string{"step"}}})
	fmt.Printf("own %v, forked %v, waited %v ms\n", forks[0].Own, forks[0].Forked, forks[0].Waited)
	// Output: own 2, forked 29, waited 30 ms
}
