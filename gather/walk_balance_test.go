//go:build !iprof_off

package gather

import (
	"fmt"
	"testing"

	"example.com/iprof/platform"
)

// TestChildrenGiveWhatTheirParentLacks has a chain in which what a child gives is its descendants'.
func TestChildrenGiveWhatTheirParentLacks(t *testing.T) {
	for _, c := range []struct {
		name  string
		nodes []Node
		want  string
	}{
		{"nothing lacks", []Node{{Parent: -1, Self: 0}, {Parent: 0, Self: 5}}, "[0 5] "},
		{"the largest gives", []Node{{Parent: -1, Self: 9}, {Parent: 0, Self: -3}, {Parent: 1, Self: 2},
			{Parent: 1, Self: 7}}, "[9 0 2 4] 3:3 "},
		{"two give", []Node{{Parent: -1, Self: -8}, {Parent: 0, Self: 6}, {Parent: 0, Self: 5}}, "[0 0 3] 1:6 2:2 "},
		{"a grandchild gives", []Node{{Parent: -1, Self: -4}, {Parent: 0, Self: 0}, {Parent: 1, Self: 9}}, "[0 0 5] 1:4 2:4 "},
		{"too little", []Node{{Parent: -1, Self: -4}, {Parent: 0, Self: 1}}, "[-3 0] 1:1 "},
		{"no child", []Node{{Parent: -1, Self: 4}, {Parent: 0, Self: -1}}, "[4 -1] "},
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
