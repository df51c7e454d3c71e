package viewer

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/process/report"
)

func TestPinIsTheWholePath(t *testing.T) {
	tree := []report.TreeNode{{Zone: 0, Path: 0, Parent: -1}, {Zone: 4, Path: 7, Parent: 0},
		{Zone: 2, Path: 9, Parent: 1}, {Zone: 2, Path: 3, Parent: 0}}
	for _, test := range []struct {
		path int32
		want []report.ZoneID
	}{{9, []report.ZoneID{4, 2}}, {3, []report.ZoneID{2}}, {-1, []report.ZoneID{2}}, {55, []report.ZoneID{2}}} {
		t.Run(fmt.Sprint("path=", test.path), func(t *testing.T) {
			if got := pathTo(tree, report.Record{Zone: 2, Path: test.path}); !slices.Equal(got, test.want) {
				t.Errorf("path %d: got %v; want %v", test.path, got, test.want)
			}
		})
	}
}
