package text

import (
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// The line of the nodes that a dump leaves out is the last below their parent.
func TestCutTreesSaySo(t *testing.T) {
	d := &report.Dump{TicksPerSecond: 1e9, Zones: sampledump.Zones(5), Merged: []report.TreeNode{
		{Zone: 0, Parent: -1, Self: 1, Hier: 100, Left: 12, LeftHier: 20},
		{Zone: 1, Parent: 0, Level: 1, Count: 1, Hier: 50, Left: 3, LeftHier: 40},
		{Zone: 2, Parent: 1, Level: 2, Count: 1, Self: 10, Hier: 10},
		{Zone: 3, Parent: 0, Level: 1, Count: 1, Self: 29, Hier: 29},
	}}
	out := string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{Art: ArtASCII}) }))
	_, tree, _ := strings.Cut(out, "all goroutines\n")
	tree, _, _ = strings.Cut(tree, "\n\n")
	var names, times []string
	for _, line := range strings.Split(tree, "\n")[1:] {
		fields := strings.Fields(line)
		times = append(times, strings.Join(fields[:2], " "))
		names = append(names, line[cellHier+cellPercent+cellTime+1+cellCalls+cellTime+1+cellTicks+2:])
	}
	zone := func(i int) string { return d.Zones[i].Name }
	want := []string{zone(0), "|- " + zone(1), "|  |- " + zone(2), "|  `- ... and 3 more", "|- " + zone(3),
		"`- ... and 12 more"}
	if !slices.Equal(names, want) {
		t.Errorf("got the lines %q; want %q", names, want)
	}
	if times[3] != "40.00 ms" || times[5] != "20.00 ms" {
		t.Errorf("got the times %q; want 40 ms and 20 ms for those left out", times)
	}
}

// The list of zones has the calls of recursive zones by depth.
func TestZonesSayTheirDepths(t *testing.T) {
	d := &report.Dump{TicksPerSecond: 1e9, Zones: sampledump.Zones(3), Merged: []report.TreeNode{
		{Parent: -1, Self: 1, Hier: 3}, {Zone: 1, Parent: 0, Level: 1, Count: 30, Self: 2, Hier: 2}},
		Recursion: []report.ZoneDepths{{Zone: 1, Entries: []float64{7, 23}}}}
	out := string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{}) }))
	if !strings.Contains(out, d.Zones[1].Name+"  {calls by depth 7 23}") {
		t.Errorf("got no calls by depth in\n%s", out)
	}
	got := readJSON(t, d).Recursion
	if len(got) != 1 || string(got[0].Zone) != d.Zones[1].Name || got[0].Calls[1] != 23 {
		t.Errorf("JSON: got %+v; want the calls by depth", got)
	}
}
