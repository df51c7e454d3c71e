// Package tables lists what a capture has as rows: its calls, lanes, go statements, waits, locks, memory, hot lines,
// values and marks. Each of these is a Kind, a row of Kinds. Its rows are single things, such as a call, or sums of
// them by a key, such as all calls of a zone.
//
//	table, err := tables.Read(file, &tables.Choice{Kind: tables.Find("calls"), By: "zone"})
package tables

import (
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process/report"
)

// Kind is a kind of table.
type Kind struct {
	Name    string
	Words   string   // what its command does
	By      []string // keys of rows, the usual one first
	late    bool     // what happened in a frame may come after it
	single  bool     // with the first key, each row is one thing
	one     []column // of single things
	sums    []column // of sums
	find    func(r *reading, f *gather.Frame, chosen bool)
	end     func(r *reading, in *framefile.Reader) // after the last frame; may be nil
	Missing string                                 // how to record what a capture does not have
}

// column is a number of a row.
type column struct {
	name string // with its unit
	how  how
	of   int // index in fact.values
}

// how says how the numbers of facts become that of a row.
type how uint8

const (
	sum      how = iota
	perFrame     // the sum, by the number of chosen frames
	count        // of facts
	lanes        // number of lanes
	mean
	least
	most
	newest
	p50
	p99
	share // of the sum of all rows, in percent
)

// zoneKeys are the keys of what zones have.
var zoneKeys = []string{"zone", "path", "package", "lane", "frame", "line", "route"}

// spread are the columns of the lengths of things.
func spread(things, time string) []column {
	return []column{{things, count, 0}, {time, sum, 0}, {"mean_ms", mean, 0}, {"p50_ms", p50, 0}, {"p99_ms", p99, 0},
		{"max_ms", most, 0}}
}

// Kinds are the kinds, in the order of the help. init sets it, because their functions read it, too.
var Kinds []*Kind

// The kinds of the commands that have their own words for the usual key. Those of Verdicts are Things, with the time
// that the cause took beyond the usual, and the frame's. Page and Export are of html and export.
var (
	Top  = timesBy("top", "list the zones of a capture by self time, averaged over all frames", "zone")
	Tree = timesBy("tree", "print the call trees of a capture", "path")

	Frames = timesBy("frames", "list the slowest frames of a capture", "frame")
	Page   = timesBy("html", "write a capture as an HTML page", "zone")
	Export = timesBy("export", "convert a capture for another tool: pprof, Perfetto, Chrome and more", "path")

	Graph = &Kind{Name: "graph", Words: "list the callers and callees of a zone in a capture", By: zoneKeys,
		find: (*reading).around, sums: timeColumns, Missing: "the zone has no time in these frames"}
	Verdicts = &Kind{Name: "verdicts", Words: "explain in a sentence each why frames of a capture were over budget",
		late: true, By: []string{"frame", "zone", "package", "line"}, Missing: "no frame is over budget or unusual",
		sums: []column{{"late_frames", count, 0}, {"excess_ms", sum, 0}, {"max_ms", most, 0}, {"time_ms", sum, 1}}}
)

// timeColumns are the columns of the times of zones.
var timeColumns = []column{{"self_ms", perFrame, 0}, {"hier_ms", perFrame, 1}, {"count", perFrame, 2},
	{"idle_ms", perFrame, 3}}

// timesBy returns a kind of times of zones, with its usual key first.
func timesBy(name, words, usual string) *Kind {
	by := []string{usual}
	for _, key := range zoneKeys {
		if key != usual {
			by = append(by, key)
		}
	}
	return &Kind{Name: name, Words: words, By: by, find: (*reading).times, sums: timeColumns,
		Missing: "the capture has no zones"}
}

func init() {
	Kinds = []*Kind{
		{Name: "calls", Words: "list the longest calls of a capture, or sums of them by zone, lane and more",
			By: append([]string{"call"}, zoneKeys...), single: true, find: (*reading).calls, end: (*reading).counted,
			one:  []column{{"time_ms", sum, 0}, {"self_ms", sum, 1}, {"at_ms", sum, 2}},
			sums: append(spread("calls", "time_ms"), column{"self_ms", sum, 1}),
			Missing: "the capture has no single calls: iprof.SetEvents(1 << 16) in the program records them; " +
				"iprof top -by zone has sums"},
		{Name: "lanes", Words: "list the goroutines and devices of a capture with their times",
			By: []string{"lane", "frame"}, find: (*reading).lanesOf, sums: laneColumns("frames", count),
			Missing: "the capture has no lanes: no frame has ended"},
		{Name: "forks", Words: "list the go statements of a capture with the times of their goroutines",
			By: []string{"line", "lane", "frame"}, find: (*reading).forks, sums: laneColumns("goroutines", lanes),
			Missing: "the capture has no goroutines of go statements with a zone"},
		{Name: "waits", Words: "list what the goroutines of a capture waited for, and who ended the waits",
			By: []string{"line", "lane", "frame"}, late: true, find: (*reading).waits, sums: spread("waits", "wait_ms"),
			Missing: "the capture has no waits: they need an execution trace (exectrace.Watch(iprof.Default())), or " +
				"the waits of package wait; iprof run records waits as idle zones, which iprof top lists"},
		{Name: "locks", Words: "list the locks of a capture for which goroutines waited",
			By: []string{"line", "lane", "frame"}, late: true, find: (*reading).locks,
			sums: append(spread("waits", "wait_ms"), column{"waiters", lanes, 0}),
			Missing: "the capture has no waits for locks: they need an execution trace " +
				"(exectrace.Watch(iprof.Default())), or the locks of package wait"},
		{Name: "memory", Words: "list the memory that zones of a capture allocated",
			By:   append(zoneKeys[:len(zoneKeys):len(zoneKeys)], "type"),
			find: (*reading).memory, end: (*reading).objects,
			sums: []column{{"heap_bytes", sum, 0}, {"heap_objects", sum, 1}, {"heap_freed", sum, 6},
				{"alloc_bytes", sum, 2}, {"allocs", sum, 3}, {"free_bytes", sum, 4}, {"frees", sum, 5}},
			Missing: "the capture has no memory by zone: iprof.Alloc and iprof.Free in the program record it, or " +
				"iprof.Default().SetMemoryMode(gather.MemoryHeapPerZone); a trace of allocations counts each object: " +
				"see exectrace.Offer"},
		{Name: "hot", Words: "list the lines of the program in which samples of the processor fell",
			By: []string{"line", "zone", "package"}, find: (*reading).framesOfSamples, end: (*reading).hot,
			sums: []column{{"samples", sum, 0}, {"share_percent", share, 0}},
			Missing: "the capture has no samples: iprof run takes them, or watch.Sample() of package exectrace " +
				"in the program"},
		{Name: "values", Words: "list the counts and levels of a capture",
			By: []string{"value", "frame"}, find: (*reading).values,
			sums: []column{{"frames", count, 0}, {"mean", mean, 0}, {"min", least, 0}, {"max", most, 0},
				{"newest", newest, 0}, {"sum", sum, 0}},
			Missing: "the capture has no values: iprof.Count and iprof.Value in the program record them"},
		{Name: "marks", Words: "list the marks of a capture", By: []string{"mark", "lane", "frame"}, single: true,
			find: (*reading).marks, one: []column{{"at_ms", sum, 0}}, sums: []column{{"marks", count, 0}},
			Missing: "the capture has no marks: iprof.Mark in the program makes them"},
		gainKind,
	}
}

// laneColumns are the columns of lanes. The first one counts.
func laneColumns(name string, of how) []column {
	return []column{{"busy_ms", sum, 0}, {"idle_ms", sum, 1}, {"calls", sum, 2}, {"cpu_ms", sum, 3}, {name, of, 0}}
}

// Find returns the kind of a name, or nil.
func Find(name string) *Kind {
	at := slices.IndexFunc(Kinds, func(k *Kind) bool { return k.Name == name })
	if at < 0 {
		return nil
	}
	return Kinds[at]
}

// columns are those of rows by a key.
func (k *Kind) columns(by string) []column {
	if k.single && by == k.By[0] {
		return k.one
	}
	return k.sums
}

// Key returns a key of the kind. An empty name is the usual one. The error names the nearest key, or the command that
// has rows by the key.
func (k *Kind) Key(name string) (string, error) {
	if name == "" {
		return k.By[0], nil
	}
	if slices.Contains(k.By, name) {
		return name, nil
	}
	words := strings.Join(k.By, ", ")
	for _, other := range append([]*Kind{Top}, Kinds...) {
		if slices.Contains(other.By, name) {
			return "", fmt.Errorf("%s has no rows by %s; the nearest that has is %s -by %[2]s, and %[1]s has rows by "+
				"%[4]s", k.Name, name, other.Name, words)
		}
	}
	if near := report.Nearest(name, append(k.By[:len(k.By):len(k.By)], zoneKeys...)); near != "" {
		return "", fmt.Errorf("%s has no rows by %q; did you mean %s? There are %s", k.Name, name, near, words)
	}
	return "", fmt.Errorf("%s has no rows by %q; there are %s", k.Name, name, words)
}

// order returns the column to sort by. An empty name is the first one of a single thing, else the first sum.
func (k *Kind) order(by, name string) (int, error) {
	list := k.columns(by)
	if name == "" {
		if len(list) > 1 && list[0].how == count {
			return 1, nil
		}
		return 0, nil
	}
	var names []string
	for i := range list {
		if list[i].name == name {
			return i, nil
		}
		names = append(names, list[i].name)
	}
	return 0, NoColumn(name, names)
}

// NoColumn is the error for a column to sort by that is none of some names.
func NoColumn(name string, names []string) error {
	if near := report.Nearest(name, names); near != "" {
		return fmt.Errorf("-sort: there is no such column; the nearest is %s", near)
	}
	return fmt.Errorf("-sort: there is no such column; there are %s", strings.Join(names, ", "))
}
