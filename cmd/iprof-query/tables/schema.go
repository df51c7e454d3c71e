package tables

import (
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
)

func capturesTable() *Table {
	m := maker[capture]{func(s *Set) []capture { return s.captures }}
	text := func(get func(c *capture) string) func(*Set, *capture) string {
		return func(_ *Set, c *capture) string { return get(c) }
	}
	return m.table(Table{Name: "captures", Words: "the files", parts: partFrames,
		Query: `select file, program, machine, frames from captures`,
		Columns: []Column{
			m.text("program", "its name", text(func(c *capture) string { return c.info.Program })),
			m.text("go_version", "that built it", text(func(c *capture) string { return c.info.GoVersion })),
			m.text("machine", "system, processor and number of cores",
				text(func(c *capture) string { return c.info.Machine })),
			m.known(m.text("start", "of the program, as 2026-01-02T03:04:05Z", text(func(c *capture) string {
				return c.info.Start.UTC().Format(time.RFC3339)
			})), func(_ *Set, c *capture) bool { return !c.info.Start.IsZero() }),
			m.text("kind", "game, server, command, profile or trace",
				text(func(c *capture) string { return c.info.Kind.String() })),
			m.text("reason", "why a black box wrote it", text(func(c *capture) string { return c.info.Reason })),
			m.integer("frames", "in the file", func(_ *Set, c *capture) int64 { return int64(c.frames) }),
			m.known(m.real("budget_ms", "frame budget", func(_ *Set, c *capture) float64 { return c.budget }),
				func(_ *Set, c *capture) bool { return c.budget > 0 }),
			m.flag("complete", "1: the file has its end", func(_ *Set, c *capture) bool { return c.complete }),
			m.integer("damages", "stretches and frames that were left out",
				func(_ *Set, c *capture) int64 { return int64(c.damages) }),
		}}, func(_ *Set, c *capture) int32 { return c.number })
}

func framesTable() *Table {
	m := maker[frameRow]{func(s *Set) []frameRow { return s.frames }}
	ms := func(get func(f *frameRow) float32) func(*Set, *frameRow) float64 {
		return func(_ *Set, f *frameRow) float64 { return float64(get(f)) }
	}
	return m.byFrame(Table{Name: "frames", Words: "a row for each frame", parts: partFrames,
		Query: `select frame, judged_ms from frames where late order by judged_ms desc limit 5`,
		Columns: []Column{
			m.text("label", "from BeginFrame", func(_ *Set, f *frameRow) string { return f.Label }),
			m.text("section", "in which it is", func(_ *Set, f *frameRow) string { return f.section }),
			m.real("at_s", "begin, since that of the first frame", func(_ *Set, f *frameRow) float64 { return f.at }),
			m.real("length_ms", "from begin to end", ms(func(f *frameRow) float32 { return f.Length })),
			m.real("busy_ms", "length less idle time", ms(func(f *frameRow) float32 { return f.Busy })),
			m.real("blocked_ms", "waits that it did not choose", ms(func(f *frameRow) float32 { return f.Blocked })),
			m.real("judged_ms", "busy and blocked: what the budget judges",
				ms(func(f *frameRow) float32 { return f.Judged() })),
			m.flag("late", "1: the judged time is over the budget", func(_ *Set, f *frameRow) bool { return f.Over }),
			m.known(m.real("away_ms", "without a processor", ms(func(f *frameRow) float32 { return f.Away })),
				func(_ *Set, f *frameRow) bool { return f.AwayKnown != gather.AwayUnknown }),
			m.flag("disturbed", "1: more than a tenth away", func(_ *Set, f *frameRow) bool { return f.Disturbed() }),
			m.real("others_ms", "busy time of other goroutines", ms(func(f *frameRow) float32 { return f.Others })),
			m.integer("other_lanes", "their number", func(_ *Set, f *frameRow) int64 { return int64(f.OtherLanes) }),
			m.real("runnable_ms", "waits of all goroutines for a processor",
				ms(func(f *frameRow) float32 { return f.RunQueue })),
			m.real("locks_ms", "waits of all goroutines for locks",
				ms(func(f *frameRow) float32 { return f.LockWait })),
			m.known(m.real("gpu_ms", "work of the busiest GPU lane", ms(func(f *frameRow) float32 { return f.GPU })),
				func(_ *Set, f *frameRow) bool { return f.HasGPU }),
			m.known(m.real("cpu_ms", "processor time of the process",
				func(_ *Set, f *frameRow) float64 { return f.cpu }),
				func(_ *Set, f *frameRow) bool { return f.cpu > 0 }),
		}}, func(f *frameRow) int32 { return f.number })
}

func zonesTable() *Table {
	m := maker[zone]{func(s *Set) []zone { return s.zones }}
	at := func(_ *Set, z *zone) int32 { return z.number }
	return m.table(Table{Name: "zones", Words: "a row for each zone, with its sums over all frames",
		parts: partCalls,
		Query: `select zone, function, line, self_ms from zones order by self_ms desc limit 5`,
		Columns: slices.Concat(m.ofZone(at),
			m.ofCode(at), []Column{
				m.flag("public", "1: a variable, not a place", func(_ *Set, z *zone) bool { return z.info.Public }),
				m.flag("idle", "1: waits, not work", func(_ *Set, z *zone) bool { return z.info.Idle }),
				m.flag("blocked", "1: waits that the program did not choose",
					func(_ *Set, z *zone) bool { return z.info.Blocked }),
				m.integer("count", "of its calls", func(_ *Set, z *zone) int64 { return int64(z.count) }),
				m.real("self_ms", "self time", func(_ *Set, z *zone) float64 { return z.self }),
				m.real("hier_ms", "with all that it called, recursion once",
					func(_ *Set, z *zone) float64 { return z.hier }),
			})}, func(_ *Set, z *zone) int32 { return z.capture })
}

func pathsTable() *Table {
	m := maker[path]{func(s *Set) []path { return s.paths }}
	at := func(_ *Set, p *path) int32 { return p.zone }
	return m.table(Table{Name: "paths", Words: "a row for each stack of zones, with its sums over all lanes and frames",
		parts: partCalls,
		Query: `select path, hier_ms from paths where level = 2 order by hier_ms desc limit 5`,
		Columns: slices.Concat(
			[]Column{m.integer("path_id", "its number", func(_ *Set, p *path) int64 { return int64(p.number) }),
				m.known(m.integer("parent_id", "path of the caller",
					func(_ *Set, p *path) int64 { return int64(p.parent) }),
					func(_ *Set, p *path) bool { return p.parent >= 0 })},
			m.ofZone(at), []Column{
				m.integer("level", "callers above it", func(_ *Set, p *path) int64 { return int64(p.level) }),
				m.text("path", "the zones, the outermost first", func(s *Set, p *path) string { return s.stack(p) }),
				m.integer("count", "of its calls", func(_ *Set, p *path) int64 { return int64(p.count) }),
				m.real("self_ms", "self time", func(_ *Set, p *path) float64 { return p.self }),
				m.real("hier_ms", "with all that it called", func(_ *Set, p *path) float64 { return p.hier }),
			})}, func(s *Set, p *path) int32 { return s.zones[p.zone].capture })
}

// mostStack is the greatest number of zones in a column path.
const mostStack = 64

// stack returns the names of the zones of a path. Of a long one it has the innermost.
func (s *Set) stack(p *path) (text string) {
	for n := 0; ; n++ {
		if text = s.zones[p.zone].info.Name + text; p.parent < 0 {
			return text
		}
		if text = " > " + text; n == mostStack {
			return "…" + text
		}
		p = &s.paths[p.parent]
	}
}

func callsTable() *Table {
	m := maker[callRow]{func(s *Set) []callRow { return s.calls }}
	frame := func(r *callRow) int32 { return r.frame }
	return m.byFrame(Table{Name: "calls", Words: "a row for the calls of each path, on each lane, in each frame",
		parts: partCalls,
		Query: `select zone, p99(self_ms) from calls join frames using (file, frame) where late group by zone`,
		Columns: slices.Concat(m.ofLane(func(r *callRow) int32 { return r.lane }),
			m.ofZone(func(s *Set, r *callRow) int32 { return s.paths[r.path].zone }), []Column{
				m.integer("path_id", "in the table paths", func(_ *Set, r *callRow) int64 { return int64(r.path) }),
				m.integer("depth", "0, or how many calls of the zone are around it",
					func(_ *Set, r *callRow) int64 { return int64(r.depth) }),
				m.integer("count", "calls that began", func(_ *Set, r *callRow) int64 { return int64(r.count) }),
				m.real("self_ms", "self time", func(_ *Set, r *callRow) float64 { return r.self }),
				m.real("hier_ms", "with all that they called; for sums by zone: where depth = 0",
					func(_ *Set, r *callRow) float64 { return r.hier }),
				m.flag("idle", "1: waits, not work",
					func(_ *Set, r *callRow) bool { return r.flags&callIdle != 0 }),
				m.flag("open", "1: one was open at the end",
					func(_ *Set, r *callRow) bool { return r.flags&callOpen != 0 }),
				m.flag("estimated", "1: not all were timed",
					func(_ *Set, r *callRow) bool { return r.flags&callEstimated != 0 }),
				m.real("standard_error_ms", "of an estimated self_ms",
					func(_ *Set, r *callRow) float64 { return r.error }),
			})}, frame)
}

func lanesTable() *Table {
	m := maker[laneRow]{func(s *Set) []laneRow { return s.spans }}
	frame := func(r *laneRow) int32 { return r.frame }
	return m.byFrame(Table{Name: "lanes", Words: "a row for each lane in each frame", parts: partFrames,
		Query: `select lane, sum(busy_ms) from lanes group by lane order by 2 desc`,
		Columns: slices.Concat(m.ofLane(func(r *laneRow) int32 { return r.lane }), []Column{
			m.known(m.integer("goroutine", "the runtime's number",
				func(_ *Set, r *laneRow) int64 { return int64(r.goroutine) }),
				func(_ *Set, r *laneRow) bool { return r.goroutine != 0 }),
			m.flag("updater", "1: it ended the frame", func(_ *Set, r *laneRow) bool { return r.updater }),
			m.flag("device", "1: of a GPU or another device", func(_ *Set, r *laneRow) bool { return r.device }),
			m.real("length_ms", "that its zones cover", func(_ *Set, r *laneRow) float64 { return r.length }),
			m.real("busy_ms", "of it not idle", func(_ *Set, r *laneRow) float64 { return max(r.length-r.idle, 0) }),
			m.known(m.real("cpu_ms", "processor time of its locked thread",
				func(_ *Set, r *laneRow) float64 { return r.cpu }),
				func(_ *Set, r *laneRow) bool { return r.cpu > 0 }),
			m.integer("untimed", "calls that were only counted",
				func(_ *Set, r *laneRow) int64 { return int64(r.untimed) }),
		})}, frame)
}

func statesTable() *Table {
	m := maker[stateRow]{func(s *Set) []stateRow { return s.states }}
	frame := func(r *stateRow) int32 { return r.frame }
	text := func(get func(r *stateRow) string) func(*Set, *stateRow) string {
		return func(_ *Set, r *stateRow) string { return get(r) }
	}
	return m.byFrame(Table{Name: "states", Words: "states of goroutines, by the frame that brought them",
		parts: partFrames,
		Query: `select reason, place, sum(time_ms) from states where state = 'waiting' group by reason, place`,
		Columns: slices.Concat(m.ofLane(func(r *stateRow) int32 { return r.lane }), []Column{
			m.text("state", "running, waiting and others", text(func(r *stateRow) string { return r.kind.String() })),
			m.real("at_ms", "its begin, since that of the frame", func(_ *Set, r *stateRow) float64 { return r.at }),
			m.real("time_ms", "its length", func(_ *Set, r *stateRow) float64 { return r.length }),
			m.text("reason", "of a wait", text(func(r *stateRow) string { return r.reason })),
			m.text("place", "of a wait", text(func(r *stateRow) string { return r.place })),
			m.known(m.integer("waker_id", "lane that ended it",
				func(s *Set, r *stateRow) int64 { return int64(s.lanes[r.waker].id) }),
				func(_ *Set, r *stateRow) bool { return r.waker >= 0 }),
			m.text("ended_by", "function that ended it", text(func(r *stateRow) string { return r.by })),
			m.text("ended_at", "its place", text(func(r *stateRow) string { return r.where })),
		})}, frame)
}

func countersTable() *Table {
	m := maker[valueRow]{func(s *Set) []valueRow { return s.values }}
	frame := func(r *valueRow) int32 { return r.frame }
	return m.byFrame(Table{Name: "counters", Words: "what Count and Value measured in a frame", parts: partFrames,
		Query: `select counter, avg(value), max(value) from counters group by counter`,
		Columns: slices.Concat([]Column{
			m.text("counter", "its name", func(s *Set, r *valueRow) string { return s.names[r.counter].name }),
			m.flag("level", "1: set by Value; 0: a sum of Count",
				func(s *Set, r *valueRow) bool { return s.names[r.counter].level }),
			m.real("value", "the latest, or the sum", func(_ *Set, r *valueRow) float64 { return r.value }),
		})}, frame)
}

func marksTable() *Table {
	m := maker[markRow]{func(s *Set) []markRow { return s.marks }}
	frame := func(r *markRow) int32 { return r.frame }
	return m.byFrame(Table{Name: "marks", Words: "the program's marks", parts: partFrames,
		Query: `select frame, text from marks where text like '%level%'`,
		Columns: slices.Concat(m.ofLane(func(r *markRow) int32 { return r.lane }), []Column{
			m.real("at_ms", "since the begin of the frame", func(_ *Set, r *markRow) float64 { return r.at }),
			m.text("text", "of the mark", func(_ *Set, r *markRow) string { return r.text }),
		})}, frame)
}

func sectionsTable() *Table {
	m := maker[sectionRow]{func(s *Set) []sectionRow { return s.sections }}
	number := func(get func(r *sectionRow) uint64) func(*Set, *sectionRow) int64 {
		return func(_ *Set, r *sectionRow) int64 { return int64(get(r)) }
	}
	return m.table(Table{Name: "sections", Words: "the program's sections, judged times", parts: partVerdicts,
		Query: `select section, frames, p99_ms from sections order by p99_ms desc`,
		Columns: []Column{
			m.text("section", "its name", func(_ *Set, r *sectionRow) string { return r.Name }),
			m.integer("from_frame", "its first frame", number(func(r *sectionRow) uint64 { return r.From })),
			m.integer("to_frame", "its last frame", number(func(r *sectionRow) uint64 { return r.To })),
			m.integer("frames", "their number", number(func(r *sectionRow) uint64 { return r.Frames })),
			m.real("mean_ms", "mean", func(_ *Set, r *sectionRow) float64 { return r.Mean }),
			m.real("p99_ms", "99th percentile", func(_ *Set, r *sectionRow) float64 { return r.P99 }),
			m.real("worst_ms", "greatest", func(_ *Set, r *sectionRow) float64 { return r.Worst }),
			m.integer("worst_frame", "its frame", number(func(r *sectionRow) uint64 { return r.WorstFrame })),
		}}, func(_ *Set, r *sectionRow) int32 { return r.capture })
}

func memoryTable() *Table {
	m := maker[frameRow]{func(s *Set) []frameRow { return s.frames }}
	number := func(get func(f *frameRow) uint64) func(*Set, *frameRow) int64 {
		return func(_ *Set, f *frameRow) int64 { return int64(get(f)) }
	}
	ms := func(get func(f *frameRow) float32) func(*Set, *frameRow) float64 {
		return func(_ *Set, f *frameRow) float64 { return float64(get(f)) }
	}
	return m.byFrame(Table{Name: "memory", Words: "the Go heap and its collector in each frame", parts: partFrames,
		Query: `select frame, alloc_bytes, gc_pause_ms from memory where gc_cycles > 0`,
		Columns: []Column{
			m.text("mode", "what was measured: off, own, frame or zone",
				func(_ *Set, f *frameRow) string { return f.Memory.String() }),
			m.integer("alloc_bytes", "allocated", number(func(f *frameRow) uint64 { return f.AllocBytes })),
			m.integer("alloc_objects", "allocated", number(func(f *frameRow) uint64 { return f.AllocObjects })),
			m.integer("heap_live_bytes", "live at its end", number(func(f *frameRow) uint64 { return f.HeapLive })),
			m.integer("gc_cycles", "collections that ended",
				number(func(f *frameRow) uint64 { return uint64(f.Cycles) })),
			m.real("gc_pause_ms", "their pauses", ms(func(f *frameRow) float32 { return f.Pause })),
			m.real("gc_assist_ms", "work of allocating goroutines for them",
				ms(func(f *frameRow) float32 { return f.Assist })),
		}}, func(f *frameRow) int32 { return f.number })
}

// rootOf returns the standard error of a variance.
func rootOf(variance float64) float64 {
	if !(variance > 0) || math.IsInf(variance, 1) {
		return 0
	}
	return math.Sqrt(variance)
}
