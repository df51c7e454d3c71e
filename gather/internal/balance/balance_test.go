package balance

import (
	"fmt"
	"testing"

	"example.com/iprof/platform"
)

type node struct {
	parent int32
	time   platform.Ticks
}

// TestChildrenGiveWhatTheirParentLacks has a chain in which what a child gives is its descendants'.
func TestChildrenGiveWhatTheirParentLacks(t *testing.T) {
	for _, c := range []struct {
		name  string
		nodes []node
		want  string
	}{
		{"nothing lacks", []node{{-1, 0}, {0, 5}}, "[0 5] "},
		{"the largest gives", []node{{-1, 9}, {0, -3}, {1, 2}, {1, 7}}, "[9 0 2 4] 3:3 "},
		{"two give", []node{{-1, -8}, {0, 6}, {0, 5}}, "[0 0 3] 1:6 2:2 "},
		{"a grandchild gives", []node{{-1, -4}, {0, 0}, {1, 9}}, "[0 0 5] 1:4 2:4 "},
		{"too little", []node{{-1, -4}, {0, 1}}, "[-3 0] 1:1 "},
		{"no child", []node{{-1, 4}, {0, -1}}, "[4 -1] "},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := ""
			Even(c.nodes, func(n *node) (int32, *platform.Ticks) { return n.parent, &n.time },
				func(child int32, part platform.Ticks) { given += fmt.Sprint(child, ":", part, " ") })
			var times []platform.Ticks
			for _, n := range c.nodes {
				times = append(times, n.time)
			}
			if got := fmt.Sprint(times, " ", given); got != c.want {
				t.Errorf("got %s; want %s", got, c.want)
			}
		})
	}
}
