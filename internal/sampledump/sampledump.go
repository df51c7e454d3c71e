// Package sampledump makes dumps and reports for tests and benchmarks of the writers.
//
//	dump := sampledump.Dump(1, 10_000, 200)
//	err := html.Write(w, dump, html.Options{})
//
// The dumps are of sessions that got frames: of the game of package world and of random trees of any size. The names
// may attack output. The reports of [Flat], [CallGraph] and [Records] are made by hand, because no session has every
// sign, state and column in a few rows. Equal arguments give equal results. The package reads no clock.
package sampledump

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
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

// tree returns a lane with up to n random stacks, parents first. Some have deep chains and recursion.
func tree(rng *rand.Rand, lane string, n int, zones []gather.ZoneInfo) []*world.Part {
	parts := []*world.Part{world.Lane(lane)}
	parts[0].Ms = Ms(rng.Int64N(1000))
	for i := 1; i < n && len(zones) > 1; i++ {
		up, zone := parts[len(parts)-1], zones[1+rng.IntN(len(zones)-1)]
		if rng.IntN(5) > 0 {
			up = parts[rng.Int32N(int32(len(parts)))]
		}
		if !slices.ContainsFunc(up.Inner, func(p *world.Part) bool { return p.Info == zone }) {
			up.Inner = append(up.Inner, &world.Part{Info: zone, Count: uint32(rng.IntN(9)), Open: rng.IntN(200) == 0,
				Ms: Ms(rng.Int64N(2 + int64(TicksPerSecond/1e4)>>rng.UintN(18)))})
			parts = append(parts, up.Inner[len(up.Inner)-1])
		}
	}
	return parts
}

// cut leaves the first stacks of a lane.
func cut(parts []*world.Part, most int) []*world.Part {
	gone := map[*world.Part]bool{}
	for _, p := range parts[min(most, len(parts)):] {
		gone[p] = true
	}
	parts = parts[:len(parts)-len(gone)]
	for _, p := range parts {
		p.Inner = slices.DeleteFunc(p.Inner, func(inner *world.Part) bool { return gone[inner] })
	}
	return parts
}

// stretch makes the longer lane take some ms.
func stretch(lanes [2][]*world.Part, ms float64) {
	longest := 0.0
	for _, parts := range lanes {
		sum := 0.0
		for _, p := range parts {
			sum += p.Ms
		}
		longest = max(longest, sum)
	}
	for _, p := range slices.Concat(lanes[0], lanes[1]) {
		p.Ms *= ms / max(longest, Ms(1))
	}
}

// measured gives a frame charges of every eleventh node, and the numbers of the heap, a count and a level.
func measured(f *gather.Frame) *gather.Frame {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		l.Extras = nil
		for k := 3; k < len(l.Nodes); k += 11 {
			n := uint64(k)
			l.Extras = append(l.Extras, gather.NodeExtra{Node: int32(k), Allocs: n, AllocBytes: 512 * n, Frees: n / 2,
				FreeBytes: 300 * n, Units: 100 * n * (n % 2), HeapObjects: 2 * n, HeapBytes: 4096 * n,
				Errors: n % 7 / 5})
		}
	}
	f.Counters = []gather.CounterInfo{{Name: "shots"}, {Name: "temperature", Level: true}}
	f.Values = []gather.CounterValue{{Counter: 0, Value: float64(f.Index % 29)}, {Counter: 1, Value: 36.6}}
	f.Memory = gather.MemoryFrame{Mode: gather.MemoryHeapPerZone, AllocBytes: 20_000 + f.Index%9_000,
		AllocObjects: 40 + f.Index%9, HeapLive: 8<<20 + f.Index<<12}
	if f.Index%25 == 7 {
		f.Memory.Cycles, f.Memory.Pause = 1, 80*time.Microsecond
	}
	return f
}

// Ms converts ticks to milliseconds.
func Ms(ticks int64) float64 { return float64(ticks) * 1000 / TicksPerSecond }

// Dump returns the dump of a session with 40 frames of two lanes, of up to n nodes together. The first frame has all of
// them, the others at most 100 of each lane. A frame takes some 12 ms, every sixteenth 30.
func Dump(seed uint64, n, zones int) *report.Dump { return dumpWith(seed, n, Zones(zones)) }

func dumpWith(seed uint64, n int, zones []gather.ZoneInfo) *report.Dump {
	rng, s := rand.New(rand.NewPCG(seed, 1)), process.NewSession()
	w := world.New(nil)
	w.Next.TicksPerSecond = TicksPerSecond
	w.Zones(zones[min(1, len(zones)):])
	lanes := [2][]*world.Part{tree(rng, "main", n/2, zones), tree(rng, "unnamed goroutine 2", n-n/2, zones)}
	for i := range 40 {
		w.Length = 10 + 4*rng.Float64()
		if i%16 == 5 {
			w.Length = 30
		}
		stretch(lanes, w.Length)
		write(s, measured(w.Frame(lanes[0][0], lanes[1][0])))
		for at := range lanes {
			lanes[at] = cut(lanes[at], 100)
		}
	}
	return dumpOf(s, "random-tree")
}

func write(s *process.Session, f *gather.Frame) {
	if err := s.WriteFrame(f); err != nil {
		panic(err)
	}
}

// dumpOf returns the dump of a session, with fixed values of what differs from machine to machine.
func dumpOf(s *process.Session, program string) *report.Dump {
	d := s.Dump(report.DumpOptions{Scopes: report.DumpScopes})
	d.Program, d.Time = program, Moment
	d.GoVersion, d.Machine = "go1.25", "linux/amd64, 8 cores"
	return d
}

// Hostile returns a dump in which every text is one of HostileNames.
func Hostile() *report.Dump {
	zones := Zones(len(HostileNames) + 1)
	for i, name := range HostileNames {
		zones[i+1].Name = name
		zones[i+1].File = "/src/" + name[:min(len(name), 80)] + ".go"
	}
	d := dumpWith(5, 2*len(HostileNames), zones)
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
