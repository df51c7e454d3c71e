//go:build !iprof_off

package measure

import (
	"fmt"
	"testing"

	"example.com/iprof/platform"
)

// TestChildrenGiveWhatTheirParentLacks has a chain in which what a child gives is its descendants'.
func TestChildrenGiveWhatTheirParentLacks(t *testing.T) {
	node := func(parent int32, self platform.Ticks) Node { return Node{Parent: parent, Self: self} }
	for _, c := range []struct {
		name  string
		nodes []Node
		want  string
	}{
		{"nothing lacks", []Node{node(-1, 0), node(0, 5)}, "[0 5] "},
		{"the largest gives", []Node{node(-1, 9), node(0, -3), node(1, 2), node(1, 7)}, "[9 0 2 4] 3:3 "},
		{"two give", []Node{node(-1, -8), node(0, 6), node(0, 5)}, "[0 0 3] 1:6 2:2 "},
		{"a grandchild gives", []Node{node(-1, -4), node(0, 0), node(1, 9)}, "[0 0 5] 1:4 2:4 "},
		{"too little", []Node{node(-1, -4), node(0, 1)}, "[-3 0] 1:1 "},
		{"no child", []Node{node(-1, 4), node(0, -1)}, "[4 -1] "},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := ""
			evenOut(c.nodes, func(child int32, part platform.Ticks) { given += fmt.Sprint(child, ":", part, " ") })
			var times []platform.Ticks
			for _, n := range c.nodes {
				times = append(times, n.Self)
			}
			if got := fmt.Sprint(times, " ", given); got != c.want {
				t.Errorf("got %s; want %s", got, c.want)
			}
		})
	}
}
