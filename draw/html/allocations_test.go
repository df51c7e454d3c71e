package html_test

import (
	"testing"
	"time"

	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/sampledump"
)

// Traced allocations are a table by zone and type. A live page offers a trace with its cost, and a number of its own.
func TestAllocationsAreATable(t *testing.T) {
	d := sampledump.Game()
	if section(page(t, d, html.Options{Live: true}), "allocations") != "" {
		t.Error("got allocations of a program that cannot trace them")
	}
	d.Allocated = &allocated.Table{Frames: []uint64{7}, Pause: 27 * time.Millisecond, Rows: []allocated.Row{
		{Frame: 7, Path: []gather.ZoneID{1}, Type: "main.</td>body", Sum: allocated.Sum{Objects: 5000, Bytes: 240000}},
		{Frame: 7, Path: []gather.ZoneID{9999}, Sum: allocated.Sum{Objects: 3, Bytes: 48, Freed: 2}}}}
	got := section(page(t, d, html.Options{Live: true, Trace: "a trace costs <5 ms", Traces: 3}), "allocations")
	has(t, "allocations", words(got), d.Zones[1].Name+" 240 kB 5\u2009000 0 main.&lt;/td&gt;body",
		"outside zones 48 B 3 2 (no type", "5003 objects in frame 7, each counted", "a trace costs &lt;5 ms")
	has(t, "the offer", got, `href="?allocations=4#allocations"`)
}
