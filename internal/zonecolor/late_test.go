package zonecolor_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// A tree may have zones that the list of zones does not have yet.
func TestZonesBeyondTheListHaveNoColourYet(t *testing.T) {
	var k zonecolor.Colors
	run := zonecolor.Run{Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "update"}},
		Tree: []report.TreeNode{{Parent: -1}, {Zone: 1, Level: 1}, {Zone: 2, Level: 1}, {Zone: 3, Parent: 1, Level: 2}}}
	k.Learn(&run)
	run.Zones = append(run.Zones, gather.ZoneInfo{Name: "draw"}, gather.ZoneInfo{Name: "walk"})
	k.Learn(&run)
}
