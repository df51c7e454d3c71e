package text

import (
	"io"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// WriteJSON writes d as one JSON object, followed by a line feed. Field names are stable and contain their unit:
//
//	format, version             "iprof dump", 1; a reader should refuse another format and a greater version
//	program, arguments, time    arguments only if the dump has them; time in RFC 3339
//	go_version, machine
//	cpu_ns                      processor time of the process in run_time_ns, if it is known
//	run_time_ns, calls, overhead_ns, overhead_low_ns, overhead_high_ns, ticks_per_second, frames, budget_ns, warnings
//	clock                       source ("counter", "go" or "program"), why it was chosen, and reading_ns, what a
//	                            reading takes, if that is known
//	verdict                     on the slowest frame, if it was over budget or unusual: text is the line for people;
//	                            frame, frames, over, working, time_ms, usual_ms, excess_ms, budget_ms, causes[]: kind,
//	                            zone, path, name, callers[], self, time_ms, usual_ms, spread_ms, excess_ms, count,
//	                            usual_count; where the machine took time away, rest_ms and taken_ms, too; pattern if
//	                            there is one: kind ("period", "rise" or "turns"), every_frames, since_frame, low_ms,
//	                            high_ms, more_often_now; see report.Verdict and report.Pattern
//	slow_calls_seen             calls that took far longer than their zone's calls do, since start or Reset
//	zones[]                     by zone id: name, function, file, line, public, idle
//	merged[]                    nodes of the tree of all lanes
//	recursion[]                 recursive zones: zone, calls[] by depth, the outermost first; the last of 16 has all
//	                            that are deeper
//	lanes[]                     id, name, nodes[]
//	go_statements[]             of a program that iprof run built: place, path[] (zones open there, outermost first),
//	                            paths (how many there were), goroutines, own_ms, forked_ms, waited_ms
//	history[]                   oldest first: index, label, length_ms, busy_ms, blocked_ms (if the program did not
//	                            choose to wait), over, gc_cycles, gc_pause_ms,
//	                            alloc_bytes, alloc_objects, heap_live_bytes, heap_cost_ms,
//	                            memory (off, own, frame or zone), has_report, gpu_ms of the busiest GPU lane, and
//	                            runnable_ms and locks_ms: what all goroutines waited, for a processor and for locks
//	values[]                    numbers of frames as a whole: name, kind (heap, count or level), unit (bytes, ms or
//	                            nothing), value of the newest frame, mean and max of the history, total since start or
//	                            Reset (of a level the latest), per_frame[]: one value a frame of history, null if it
//	                            has none
//	marks[]                     oldest first: frame (its index), at_ms since its begin, lane (0: not known), text
//	sections[]                  oldest first, at most 256: name, from and to (indices of its frames), frames, mean_ms,
//	                            p99_ms, worst_ms, worst_frame; see iprof.Section
//	slow_calls[]                of zones that count each call, such as routes, oldest first: text is the line for
//	                            people; zone, name, frame, lane, lane_name, ended_s_ago, time_ms, usual_ms, said (by
//	                            Scope.Text and Scope.Value, if anything was), parts[] of what it called,
//	                            callers first: zone, name, level, count, time_ms; see report.SlowCall
//	series[]                    zone, self_ms[]: one value a frame of history, null before the zone existed
//	statistics[]                since start or Reset: zone, frames, self and hier, each with min_ms, mean_ms, max_ms,
//	                            deviation_ms, p50_ms, p90_ms, p99_ms, p999_ms per frame, null if not known; if single
//	                            calls are counted also calls: the same for calls, with counted and missing
//	frame_trees[]               index, nodes[]: the merged tree of that frame; its verdict, if it has one
//	report                      the view's report, if the dump has it: title, frame, label, frame_ms, busy_ms,
//	                            blocked_ms, idle_ms, sorted_by, filter, baseline, marks[], and lines[] in their
//	                            order: name, site, zone, path, group, package, indent, depth, idle, open,
//	                            values (with the names of WriteCSV's columns), and delta from the baseline: ms,
//	                            percent (null if not known), new, noise.
//	                            A package's own row has the group "package" and zone -1
//
// A node has zone (index into zones), path (the same number for the same stack in all trees), parent (index into the
// same nodes, -1 for a root), level, count, self_ms and hier_ms. It has these fields only if they are not zero or
// false: lanes_at_once (in merged only: hier_ms divided by the run time, if it is more than 1), idle, open, errors,
// estimated (1 if the time of some entries is estimated, 2 if their number is, too), standard_error_ms (of self_ms),
// left_out and left_out_ms (number and time of the nodes below that report.DumpOptions left out), allocs, alloc_bytes,
// frees, free_bytes, units, heap_objects, heap_bytes. A parent precedes its children.
//
// Numbers have every digit and read back equal. A number that is not finite is written as 0. Characters that could
// control a terminal or a page are written as \u escapes, so every reader gets the same string. A text that is not
// UTF-8, or that begins with "base64:", is written as "base64:" followed by its bytes in base64. Errors are the
// writer's. Its memory does not grow with the number of nodes. Any goroutine may call WriteJSON. Its cost is measured
// by BenchmarkWriters.
func WriteJSON(w io.Writer, d *report.Dump) error {
	j := newJSONWriter(w)
	j.begin(&jsonHead{
		Format: "iprof dump", Version: 1,
		Program: jsonText(d.Program), Arguments: texts(d.Arguments), Time: d.Time,
		GoVersion: jsonText(d.GoVersion), Machine: jsonText(d.Machine),
		RunTime: d.RunTime, CPU: d.CPU, Calls: d.Calls, TicksPerSecond: finite(d.TicksPerSecond),
		Overhead: d.Overhead, OverheadLow: d.OverheadLow, OverheadHigh: d.OverheadHigh,
		Clock: jsonClockOf(d.Clock), Frames: d.Frames, Budget: d.Budget, Warnings: texts(d.Warnings),
		Verdict: jsonVerdictOf(&d.Verdict), SlowSeen: d.SlowSeen,
	})
	writeList(j, "zones", d.Zones, jsonZoneOf)
	writeList(j, "merged", d.Merged, func(n report.TreeNode) jsonNode { return mergedNodeOf(d, n) })
	writeTrees(j, "lanes", d.Lanes, func(l report.LaneTree) (any, []report.TreeNode) {
		return jsonLane{l.ID, jsonText(l.Name), l.CPU}, l.Nodes
	})
	writeList(j, "history", d.History, jsonFrameOf)
	writeSome(j, "marks", d.Marks, jsonMarkOf)
	writeSome(j, "sections", d.Sections, jsonSectionOf)
	writeSome(j, "slow_calls", d.SlowCalls, func(c *report.SlowCall) jsonSlowCall { return jsonSlowCallOf(c, d.Now) })
	writeSome(j, "go_statements", d.Forks, jsonForkOf)
	writeSome(j, "recursion", d.Recursion, jsonDepthsOf)
	writeSome(j, "series", d.Series, jsonSeriesOf)
	writeSome(j, "values", d.Values, jsonValueOf)
	writeSome(j, "statistics", d.Statistics, jsonStatisticOf)
	if len(d.FrameTrees) > 0 {
		writeTrees(j, "frame_trees", d.FrameTrees, func(t report.FrameTree) (any, []report.TreeNode) {
			return jsonFrameTree{t.Index, jsonVerdictOf(&t.Verdict)}, t.Nodes
		})
	}
	if d.Report != nil {
		j.name("report")
		j.value(jsonReportOf(d.Report), 0)
	}
	return j.end()
}

// jsonHead has the fields that are written at once. Lists follow value by value, because a list may have a million
// values.
type jsonHead struct {
	Format         string        `json:"format"`
	Version        int           `json:"version"`
	Program        jsonText      `json:"program"`
	Arguments      []jsonText    `json:"arguments,omitempty"`
	Time           time.Time     `json:"time"`
	GoVersion      jsonText      `json:"go_version"`
	Machine        jsonText      `json:"machine"`
	RunTime        time.Duration `json:"run_time_ns"`
	CPU            time.Duration `json:"cpu_ns,omitempty"`
	Calls          uint64        `json:"calls"`
	Overhead       time.Duration `json:"overhead_ns"`
	OverheadLow    time.Duration `json:"overhead_low_ns,omitempty"`
	OverheadHigh   time.Duration `json:"overhead_high_ns,omitempty"`
	TicksPerSecond float64       `json:"ticks_per_second"`
	Clock          *jsonClock    `json:"clock,omitempty"`
	Frames         uint64        `json:"frames"`
	Budget         time.Duration `json:"budget_ns"`
	Warnings       []jsonText    `json:"warnings,omitempty"`
	Verdict        *jsonVerdict  `json:"verdict,omitempty"`
	SlowSeen       uint64        `json:"slow_calls_seen,omitempty"`
}

type jsonClock struct {
	Source  string        `json:"source"`
	Why     jsonText      `json:"why,omitempty"`
	Reading time.Duration `json:"reading_ns,omitempty"`
}

// jsonClockOf returns nil for an unknown clock.
func jsonClockOf(c gather.Clock) *jsonClock {
	if c == (gather.Clock{}) {
		return nil
	}
	return &jsonClock{c.Source.String(), jsonText(c.Why), c.Reading}
}

type jsonZone struct {
	Name     jsonText `json:"name"`
	Function jsonText `json:"function"`
	File     jsonText `json:"file"`
	Line     int      `json:"line"`
	Public   bool     `json:"public"`
	Idle     bool     `json:"idle"`
}

type jsonNode struct {
	Zone   report.ZoneID `json:"zone"`
	Path   int32         `json:"path"`
	Parent int32         `json:"parent"`
	Level  int32         `json:"level"`
	Count  float64       `json:"count"`
	Self   float64       `json:"self_ms"`
	Hier   float64       `json:"hier_ms"`
	AtOnce float64       `json:"lanes_at_once,omitempty"`
	Idle   bool          `json:"idle,omitempty"`
	Open   bool          `json:"open,omitempty"`
	Errors uint64        `json:"errors,omitempty"`

	Estimated     uint8   `json:"estimated,omitempty"`
	StandardError float64 `json:"standard_error_ms,omitempty"`
	Left          int     `json:"left_out,omitempty"`
	LeftHier      float64 `json:"left_out_ms,omitempty"`
	jsonCharges
}

// jsonCharges has exactly the fields of report.Charges, because values are converted.
type jsonCharges struct {
	Allocs      float64 `json:"allocs,omitempty"`
	AllocBytes  float64 `json:"alloc_bytes,omitempty"`
	Frees       float64 `json:"frees,omitempty"`
	FreeBytes   float64 `json:"free_bytes,omitempty"`
	Units       float64 `json:"units,omitempty"`
	HeapObjects float64 `json:"heap_objects,omitempty"`
	HeapBytes   float64 `json:"heap_bytes,omitempty"`
}

type jsonValue struct {
	Name     jsonText   `json:"name"`
	Kind     string     `json:"kind"`
	Unit     string     `json:"unit,omitempty"`
	Value    float64    `json:"value"`
	Mean     float64    `json:"mean"`
	Max      float64    `json:"max"`
	Total    float64    `json:"total"`
	PerFrame []*float32 `json:"per_frame,omitempty"`
}

type jsonLane struct {
	ID   report.LaneID `json:"id"`
	Name jsonText      `json:"name"`
	CPU  time.Duration `json:"cpu_ns,omitempty"`
}

type jsonFrame struct {
	Index      uint64   `json:"index"`
	Label      jsonText `json:"label,omitempty"`
	Length     float32  `json:"length_ms"`
	Busy       float32  `json:"busy_ms"`
	Blocked    float32  `json:"blocked_ms,omitempty"`
	Over       bool     `json:"over"`
	Cycles     uint32   `json:"gc_cycles"`
	Pause      float32  `json:"gc_pause_ms"`
	AllocBytes uint64   `json:"alloc_bytes"`
	Objects    uint64   `json:"alloc_objects"`
	HeapLive   uint64   `json:"heap_live_bytes"`
	HeapCost   float32  `json:"heap_cost_ms"`
	Memory     string   `json:"memory"`
	HasReport  bool     `json:"has_report"`
	GPU        *float32 `json:"gpu_ms,omitempty"` // only with a GPU lane
	RunQueue   float32  `json:"runnable_ms,omitempty"`
	LockWait   float32  `json:"locks_ms,omitempty"`
	Away       *float32 `json:"away_ms,omitempty"` // null: the system does not tell
	AwayAtMost bool     `json:"away_at_most,omitempty"`
}

type jsonFrameTree struct {
	Index   uint64       `json:"index"`
	Verdict *jsonVerdict `json:"verdict,omitempty"`
}

type jsonSeries struct {
	Zone report.ZoneID `json:"zone"`
	Self []*float32    `json:"self_ms"`
}

func jsonSeriesOf(s report.Series) jsonSeries {
	return jsonSeries{s.Zone, nullable(s.Values)}
}

func jsonValueOf(v report.ValueSeries) jsonValue {
	return jsonValue{jsonText(v.Name), kindName(v.Kind), unitName(v.Unit), finite(v.Value), finite(v.Mean),
		finite(v.Max), finite(v.Total), nullable(v.Values)}
}

func jsonZoneOf(z gather.ZoneInfo) jsonZone {
	return jsonZone{jsonText(z.Name), jsonText(z.Function), jsonText(z.File), z.Line, z.Public, z.Idle}
}

func mergedNodeOf(d *report.Dump, n report.TreeNode) jsonNode {
	out := jsonNodeOf(n)
	out.AtOnce = finite(d.AtOnce(n.Hier))
	return out
}

func jsonNodeOf(n report.TreeNode) jsonNode {
	return jsonNode{n.Zone, n.Path, n.Parent, n.Level, finite(n.Count), finite(n.Self), finite(n.Hier), 0, n.Idle,
		n.Open,
		n.Errors, uint8(n.Estimated), finite(n.StandardError), n.Left, finite(n.LeftHier), jsonCharges(n.Charges)}
}

func jsonFrameOf(f report.FrameSummary) jsonFrame {
	j := jsonFrame{f.Index, jsonText(f.Label), finite(f.Length), finite(f.Busy), finite(f.Blocked),
		f.Over, f.Cycles, finite(f.Pause),
		f.AllocBytes, f.AllocObjects, f.HeapLive, finite(f.HeapCost), f.Memory.String(), f.HasReport, nil,
		finite(f.RunQueue), finite(f.LockWait), nil, f.AwayKnown == gather.AwayAtMost}
	if gpu := finite(f.GPU); f.HasGPU {
		j.GPU = &gpu
	}
	if away := finite(f.Away); f.AwayKnown != gather.AwayUnknown {
		j.Away = &away
	}
	return j
}
