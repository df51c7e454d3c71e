// Package sampledump makes dumps and reports for tests and benchmarks of the writers.
//
//	dump := sampledump.Dump(1, 10_000, 200)
//	err := html.Write(w, dump, html.Options{})
//
// It has a small game written by hand, random trees of any size, and names that attack output. Equal arguments give
// equal results. The package reads no clock.
package sampledump

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// TicksPerSecond is the clock rate of all samples. As on real machines, a tick is not a whole number of nanoseconds.
const TicksPerSecond = 2.3e9

// Moment is the time of all samples.
var Moment = time.Date(2026, time.March, 14, 15, 9, 26, 0, time.UTC)

// HostileNames attack a sink: markup, attributes, scripts, terminals, formulas, direction overrides, invalid UTF-8,
// size.
var HostileNames = []string{
	"</script><script>document.title='owned'</script>", `"><img src=x onerror="document.title='owned'">`,
	"<!--<script>", "]]>", "javascript:alert(1)",
	`' onmouseover='document.title="owned"`, "{{.}}", "${document.title='owned'}",
	"<svg/onload=document.title='owned'>", "&lt;b&gt;", "<style>*{display:none}</style>",
	"\x1b]0;owned\x07", "\x1b[2J\x1b[31m", "\u009b31m", "a\x00b", "line\nbreak\r\nand\ttab", "\u202egnp.exe",
	"\u2066isolate\u2069", "zero\u200bwidth", "\ufeffbom", "\x7f", "\u2028\u2029",
	"=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", " =1+1", "\t=1+1", "\r=1+1", "＝1+1", "'=1", "'", "a,b;c\"d",
	`C:\new\table`, `\x1b`,
	"\xff\xfe", "half \xe4\xb8", "\xed\xa0\x80", "base64:AAAA", "", " ", "   padded   ", "__proto__", "constructor",
	"toString", "NaN", "null", "0",
	"日本語の区域", "e\u0301\u0301\u0301", strings.Repeat("\u0301", 300),
	"👩‍👩‍👧‍👦", "🏳️‍🌈", "\U000e0041tag", "%s%n%d",
	"$(reboot)", "`reboot`", "; DROP TABLE zones", "\\u202e", "(other)",
	strings.Repeat("long ", 200_000), "x\u0000</script>", "\u2028=1", "\"", "~1.5", "a|b", "*bold*",
	"[link](javascript:alert(1))",
}

// Zones returns n zones. Zone 0 is the root. Some share a name and differ by site, some are idle.
func Zones(n int) []gather.ZoneInfo {
	zones := make([]gather.ZoneInfo, n)
	for i := range zones {
		zones[i] = gather.ZoneInfo{
			Name: "zone_" + strconv.Itoa(i-i%7/6), Function: "main.f" + strconv.Itoa(i),
			File: "/src/app/part" + strconv.Itoa(i%9) + ".go", Line: 10 + i, Public: i%3 == 0, Idle: i%31 == 30,
		}
	}
	if n > 0 {
		zones[0] = gather.ZoneInfo{Name: "(root)"}
	}
	return zones
}

// Tree returns a random tree of n nodes over the given number of zones, in preorder, largest hierarchical time first.
// Self times are whole ticks. Some trees have deep chains and recursion.
func Tree(rng *rand.Rand, n, zones int) []report.TreeNode {
	parents := make([]int, n)
	self := make([]int64, n)
	hier := make([]int64, n)
	for i := range n {
		parents[i] = max(-1, i-1)
		if i > 0 && rng.IntN(5) > 0 {
			parents[i] = rng.IntN(i)
		}
		self[i] = rng.Int64N(2 + int64(TicksPerSecond/1e4)>>rng.UintN(18))
	}
	for i := n - 1; i >= 0; i-- {
		hier[i] += self[i]
		if i > 0 {
			hier[parents[i]] += hier[i]
		}
	}
	children := make([][]int, n)
	for i := 1; i < n; i++ {
		children[parents[i]] = append(children[parents[i]], i)
	}
	for _, c := range children {
		slices.SortStableFunc(c, func(a, b int) int { return cmp.Compare(hier[b], hier[a]) })
	}
	return preorder(rng, children, self, hier, zones)
}

// preorder flattens the tree.
func preorder(rng *rand.Rand, children [][]int, self, hier []int64, zones int) []report.TreeNode {
	type visit struct{ node, parent, level int }
	nodes := make([]report.TreeNode, 0, len(self))
	stack := []visit{{0, -1, 0}}
	for len(stack) > 0 && len(self) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		zone := report.ZoneID(0)
		if v.parent >= 0 {
			zone = 1 + report.ZoneID(rng.Int32N(int32(max(zones-1, 1))))
		}
		at := len(nodes)
		nodes = append(nodes, report.TreeNode{
			Zone: zone, Path: int32(v.node), Parent: int32(v.parent), Level: int32(v.level),
			Count: float64(rng.IntN(500)), Self: Ms(self[v.node]), Hier: Ms(hier[v.node]), Open: rng.IntN(200) == 0,
			Errors: uint64(v.node) % 7 / 5,
		})
		for i := len(children[v.node]) - 1; i >= 0; i-- {
			stack = append(stack, visit{children[v.node][i], at, v.level + 1})
		}
	}
	return nodes
}

// Ms converts ticks to milliseconds.
func Ms(ticks int64) float64 { return float64(ticks) * 1000 / TicksPerSecond }

// Dump returns a dump with a merged tree of n nodes, two lanes with half as many each, 120 frames, and trees of 4
// frames.
func Dump(seed uint64, n, zones int) *report.Dump {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := header("random-tree")
	d.Zones = Zones(zones)
	d.Merged = Tree(rng, n, zones)
	d.Lanes = []report.LaneTree{
		{ID: 1, Name: "main", Nodes: Tree(rng, n/2, zones)},
		{ID: 2, Name: "unnamed goroutine 2", Nodes: Tree(rng, n-n/2, zones)},
	}
	d.History = History(rng, 120)
	for i := 0; i < len(d.History); i += 30 {
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: d.History[i].Index,
			Nodes: Tree(rng, min(n, 200), zones)})
	}
	charge(d.Merged)
	d.Values = Values(len(d.History))
	d.Statistics = Statistics(d)
	for i := range d.Merged {
		d.Calls += uint64(d.Merged[i].Count)
	}
	return d
}

// charge gives every eleventh node charges besides time.
func charge(nodes []report.TreeNode) {
	for i := 3; i < len(nodes); i += 11 {
		n := float64(i)
		nodes[i].Charges = report.Charges{Allocs: n, AllocBytes: 512 * n, Frees: float64(i / 2), FreeBytes: 300 * n,
			Units: 100 * n * float64(i%2), HeapObjects: 2 * n, HeapBytes: 4096 * n}
	}
}

// Values returns numbers of each kind for the given number of frames.
func Values(frames int) []report.ValueSeries {
	values := []report.ValueSeries{
		{FrameValue: report.FrameValue{Name: "heap allocated", Kind: report.ValueHeap, Unit: report.UnitBytes,
			Value: 24311, Mean: 24500.5, Max: 28990, Total: 17654321}},
		{FrameValue: report.FrameValue{Name: "collector pauses", Kind: report.ValueHeap,
			Unit: report.UnitMilliseconds, Mean: 0.0032, Max: 0.08, Total: 2.4}},
		{FrameValue: report.FrameValue{Name: "shots", Kind: report.ValueCount, Value: 17, Mean: 12.25, Max: 40,
			Total: 9077}},
		{FrameValue: report.FrameValue{Name: "temperature", Kind: report.ValueLevel, Value: 36.6, Mean: 36.625,
			Max: 37, Total: 36.6}},
	}
	for i := range values {
		for at := range frames {
			values[i].Values = append(values[i].Values, float32((at*(i+3))%29)+0.5)
		}
	}
	return values
}

// header returns a dump with everything but its trees.
func header(program string) *report.Dump {
	return &report.Dump{
		Program: program, Time: Moment, GoVersion: "go1.25", Machine: "linux/amd64, 8 cores",
		RunTime: 12*time.Second + 345678*time.Microsecond, Overhead: 86 * time.Millisecond,
		OverheadLow: 31 * time.Millisecond, OverheadHigh: 160 * time.Millisecond,
		TicksPerSecond: TicksPerSecond, Frames: 741, Budget: time.Second / 60,
	}
}

// History returns n frames of about a 60th of a second, with some spikes.
func History(rng *rand.Rand, n int) []report.FrameSummary {
	frames := make([]report.FrameSummary, n)
	for i := range frames {
		busy := 13 + 2*rng.Float32()
		if i%37 == 20 {
			busy += 16
		}
		frames[i] = report.FrameSummary{
			Index: uint64(1000 + i), Length: max(busy+0.2, 16.67), Busy: busy, Over: busy > 17, HasReport: true,
			AllocBytes: uint64(20000 + rng.IntN(9000)), HeapLive: uint64(8<<20 + i<<12),
			AllocObjects: uint64(40 + i%9), HeapCost: 0.0009, Memory: gather.MemoryHeapPerFrame,
		}
		if frames[i].Over {
			frames[i].RunQueue, frames[i].LockWait = 4.2, 1.9
		}
		switch i % 3 {
		case 1:
			frames[i].Away, frames[i].AwayKnown = 0.25, gather.AwayExact
		case 2:
			frames[i].Away, frames[i].AwayKnown = float32(i%5), gather.AwayAtMost
		}
		if i%25 == 7 {
			frames[i].Cycles, frames[i].Pause = 1, 0.08
		}
	}
	return frames
}

// Hostile returns a dump in which every text is one of HostileNames.
func Hostile() *report.Dump {
	d := Dump(5, 2*len(HostileNames), len(HostileNames)+1)
	for i, name := range HostileNames {
		d.Zones[i+1].Name = name
		d.Zones[i+1].File = "/src/" + name[:min(len(name), 80)] + ".go"
	}
	d.Program, d.Machine, d.GoVersion = HostileNames[0], HostileNames[1], HostileNames[11]
	d.Arguments = HostileNames[:12]
	d.Warnings = []string{HostileNames[1], HostileNames[12], HostileNames[16]}
	d.Lanes[0].Name, d.Lanes[1].Name = HostileNames[0], HostileNames[11]
	d.Verdict = verdict(d.History[0].Index, 40, 20, 1, 1, HostileNames[0], HostileNames[11])
	d.FrameTrees[0].Verdict = verdict(d.FrameTrees[0].Index, 40, 20, d.FrameTrees[0].Nodes[1].Zone,
		d.FrameTrees[0].Nodes[1].Path, HostileNames[1], HostileNames[12])
	for i, name := range HostileNames {
		t := &d.FrameTrees[i%len(d.FrameTrees)].Timeline
		t.Lanes = append(t.Lanes, report.FrameLane{Name: name, Scopes: []report.FrameScope{
			{Zone: report.ZoneID(i + 1), Begin: float32(i % 3), End: 9}}})
	}
	for i := range d.Values {
		d.Values[i].Name = HostileNames[i%len(HostileNames)]
	}
	for i := range d.History {
		d.History[i].Label = HostileNames[i%55]
	}
	return d
}
