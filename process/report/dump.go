package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// All times are wall time: they include waiting. A zone of many goroutines may have more time than has passed. Its time
// divided by the time that has passed is the average number of lanes that were in the zone at once.

// MinAtOnce is the least number of lanes at once that displays show. A smaller number may come from rounding.
const MinAtOnce = 1.05

// AtOnce returns how many lanes were in a zone at once, on average: its hierarchical time in ms divided by the time
// that passed. It is 0 if one lane could have had that time.
func AtOnce(hier float64, passed time.Duration) float64 {
	if ms := float64(passed) / float64(time.Millisecond); ms > 0 && hier > MinAtOnce*ms {
		return hier / ms
	}
	return 0
}

// AtOnce returns how many lanes were in a zone at once, on average, from its hierarchical time in ms. It is 0 if one
// lane could have had that time.
func (d *Dump) AtOnce(hier float64) float64 { return AtOnce(hier, d.RunTime) }

// MaxDepths is the number of recursion depths that are counted separately. The last depth includes all deeper ones.
const MaxDepths = 16

// ZoneDepths holds the entries of a recursive zone by the depth of its recursion.
type ZoneDepths struct {
	Zone    ZoneID
	Entries []float64 // by depth: 0 is outermost
}

// AddDepth adds entries at a depth to a list of entries by depth.
func AddDepth(list []float64, depth int32, entries float64) []float64 {
	at := min(int(depth), MaxDepths-1)
	for len(list) <= at {
		list = append(list, 0)
	}
	list[at] += entries
	return list
}

// Dump holds all measurements since start or Reset. It includes open zones and the unfinished frame, and leaves out
// paused time. It is plain data: packages text and html print it without a Session.
type Dump struct {
	Program   string
	Arguments []string // of the program; nil by default, because they may hold secrets
	Time      time.Time
	GoVersion string
	Machine   string // "linux/amd64, 8 cores"

	// Overhead is the cost of measuring those entries, as the governor measured it in the program, else by calibration.
	// Starts of lanes, first entries of stacks and Updates are timed where they happen. The true cost should lie from
	// OverheadLow to OverheadHigh: bench/overhead compares both with it. OverheadHigh is 0 if it is not known, because
	// the cost of entries was not calibrated, as with a clock of the program's own.
	Overhead       time.Duration
	OverheadLow    time.Duration
	OverheadHigh   time.Duration
	RunTime        time.Duration // since start or Reset, without pauses
	CPU            time.Duration // processor time of the process in RunTime, all threads; 0 = not known
	Calls          uint64        // entries of all zones
	TicksPerSecond float64       // of the clock
	Clock          measure.Clock // the kind of clock, and the reason for it; zero without a frame
	Frames         uint64        // finished frames; 0: Update was never called
	Kind           Kind          // of the program or file
	Budget         time.Duration // frame budget in force; 0 = none
	Warnings       []string      // most important first
	Verdict        Verdict       // see Session.VerdictOnSlowest; empty without History

	Zones     []gather.ZoneInfo // by zone id
	Merged    []TreeNode        // all lanes in one tree; its root is the updating lane's: see AtOnce
	Totals    []ZoneTotal       // sums by zone over all nodes, also nodes that Merged leaves out: see ZoneTotals
	Recursion []ZoneDepths      // recursive zones, by id
	Lanes     []LaneTree        // one tree per lane
	LaneCount int               // lanes that have been active
	Severals  bool              // some of them stand for several goroutines: see Merged
	Spawns    []SpawnTimes      // go statements, the most spawned time first: see process.Sources
	History   []FrameSummary    // oldest first
	Marks     []FrameMark       // oldest first, the unfinished frame included: see Session.Mark
	Sections  []Section         // oldest first, at most MaxSections; none without History

	// Series and Values have as many values as History has frames.
	Series []Series      // self time per frame of the most important zones
	Values []ValueSeries // numbers of the heap, counts and levels

	Statistics []ZoneStatistics // by zone id; none without History

	FrameTrees []FrameTree // trees of chosen frames of History, oldest first

	SlowCalls []*SlowCall // of zones that count each call, oldest first; none without History
	SlowSeen  uint64      // slow calls since start or Reset
	Now       float64     // time of the end of the newest frame, in seconds: see SlowCall.Ended

	LockWaits []LockWait // by their beginnings: see Locks; none without History, unless DumpOptions.Locks is true
	Traced    bool       // an execution trace has the waits for locks of package sync

	Survey    *Goroutines  // the latest survey; nil without one: see process.Sources
	Allocated fmt.Stringer // see process.Sources

	Report *Report // of the session's view; nil without a frame, or without History
}

// LaneTree is the part of one lane in a Dump. If a go statement made more than eight lanes, they are merged into one,
// whose name ends in "(96 goroutines)". DumpOptions.AllLanes keeps them separate.
type LaneTree struct {
	ID    LaneID
	Name  string
	CPU   time.Duration // processor time of its goroutine's OS thread; 0: not locked to one, or not known
	Nodes []TreeNode    // in preorder
}

// FrameTree is the merged tree of one frame of the history.
type FrameTree struct {
	Index   uint64 // FrameSummary.Index
	Nodes   []TreeNode
	Verdict Verdict // on the frame, if it was over budget or unusual
	Parts   []Part  // of the frame, if there is a verdict

	Timeline FrameTimeline // see DumpOptions.Scopes
	Picture  *Picture      // picture of the frame's display, if one was kept
}

// DumpOptions chooses the contents of a Dump. The zero value is the default.
type DumpOptions struct {
	Arguments bool // include the program's arguments
	AllFrames bool // trees of all frames that still have a report, not only of the 16 slowest and the 16 newest
	AllLanes  bool // a tree of each lane, however many one go statement has made
	NoLanes   bool // no Lanes, only their number
	NoTrees   bool // neither Merged nor Lanes, only Totals: much cheaper
	NoFrames  bool // no trees of frames
	Locks     bool // LockWaits and Traced, also without History
	NoHistory bool // no trees, History, Series, Statistics and Report: much cheaper

	// Frames asks for the trees of the frames with these indexes instead, as far as they still have a report. nil is no
	// choice.
	Frames []uint64

	// Nodes is the greatest number of nodes in Merged, in all Lanes together, and in each of FrameTrees. Nodes with the
	// most time are kept. 0 keeps all. See TreeNode.Left.
	Nodes int

	// Scopes is the greatest number of scopes in all timelines of FrameTrees together: DumpScopes for pages, 0 for no
	// timelines. The slowest and the newest frames come first. See AppendTimeline. Only pages show them.
	Scopes int
}

// DumpPage chooses what a page shows, with the timelines of frames. Package html shows the slowest frames.
var DumpPage = DumpOptions{Nodes: DumpNodes, Scopes: DumpScopes}

// DumpNodes is the value of DumpOptions.Nodes for reports that people read, such as those of iprof.WriteTree.
const DumpNodes = 10_000

// ZoneTotal sums the nodes of one zone in a tree.
type ZoneTotal struct {
	Zone      ZoneID
	Count     float64 // entries
	Self      float64 // ms
	Waited    float64 // ms of Self without a processor, as far as samples of the CPU profiler show it
	Hier      float64 // ms, recursion counted once
	Idle      bool
	Open      bool
	Estimated gather.Estimated // how the time is estimated, if it is an estimate
	Errors    uint64           // clock steps and repairs
	Charges                    // allocations and units of work
}

// ZoneTotals returns Totals, or the sums of Merged if Totals is empty.
func (d *Dump) ZoneTotals() []ZoneTotal {
	if d.Totals != nil {
		return d.Totals
	}
	return AppendZoneTotals(nil, d.Merged)
}

// Goroutines returns the number of goroutines that were measured: "12", or "12+" if lanes stand for several goroutines.
func (d *Dump) Goroutines() string {
	n := strconv.Itoa(max(d.LaneCount, len(d.Lanes)))
	if d.Severals {
		n += "+"
	}
	return n
}

// AppendZoneTotals appends the sums of nodes by zone, the largest self time first, equal times by zone id. Recursion
// counts once in Hier: a node below another of the same zone adds nothing to it. The nodes must be a tree in preorder,
// as Session.AppendTree returns it. The work is linear in their number at any depth.
func AppendZoneTotals(dst []ZoneTotal, nodes []TreeNode) []ZoneTotal {
	first := len(dst)
	place := make(map[ZoneID]int, 64)  // zone -> index in dst
	nested := make(map[ZoneID]int, 64) // zone -> open entries on the stack
	stack := make([]ZoneID, 0, 64)     // zones from the root down
	for i := range nodes {
		n := &nodes[i]
		for len(stack) > max(0, int(n.Level)) {
			nested[stack[len(stack)-1]]--
			stack = stack[:len(stack)-1]
		}
		at, known := place[n.Zone]
		if !known {
			at = len(dst)
			place[n.Zone] = at
			dst = append(dst, ZoneTotal{Zone: n.Zone})
		}
		dst[at].add(n, nested[n.Zone] == 0)
		stack = append(stack, n.Zone)
		nested[n.Zone]++
	}
	added := dst[first:]
	sort.SliceStable(added, func(i, k int) bool {
		return cmp.Or(cmp.Compare(added[k].Self, added[i].Self), cmp.Compare(added[i].Zone, added[k].Zone)) < 0
	})
	return dst
}

// add adds a node. outermost: no ancestor has the same zone.
func (z *ZoneTotal) add(n *TreeNode, outermost bool) {
	z.Count += n.Count
	z.Self += n.Self
	if outermost {
		z.Hier += n.Hier
	}
	z.Idle = z.Idle || n.Idle
	z.Open = z.Open || n.Open
	z.Estimated = max(z.Estimated, n.Estimated)
	z.Errors += n.Errors
	z.Charges.Add(&n.Charges)
}

// PickFrames returns the ages of the frames whose trees a Dump keeps, oldest first. They are the n slowest by judged
// time and the n newest of the frames with a report, or all of these if n < 0. The history is oldest first: its last
// frame has age 0.
func PickFrames(history []FrameSummary, n int) []int {
	ages := make([]int, 0, len(history))
	for i := range history {
		if history[i].HasReport {
			ages = append(ages, len(history)-1-i)
		}
	}
	if n < 0 || len(ages) <= n {
		return ages
	}
	newest := ages[len(ages)-n:]
	picked := append(slices.Clone(newest), slowest(ages, newest, history, n)...)
	slices.SortFunc(picked, func(a, b int) int { return b - a })
	return picked
}

// slowest returns the n slowest frames without those in newest.
func slowest(ages, newest []int, history []FrameSummary, n int) []int {
	byTime := slices.Clone(ages)
	last := len(history) - 1
	sort.SliceStable(byTime, func(i, k int) bool {
		return history[last-byTime[i]].Judged() > history[last-byTime[k]].Judged()
	})
	return slices.DeleteFunc(byTime[:n], func(age int) bool { return slices.Contains(newest, age) })
}

// NodeLimit returns the limit that DumpOptions.Nodes sets.
func (o *DumpOptions) NodeLimit() int {
	if o.Nodes <= 0 {
		return math.MaxInt
	}
	return o.Nodes
}

// Summary holds statistics of many times, in ms.
type Summary struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Min, Mean, Max, Deviation float64
	P50, P90, P99, P999       float64 // to 1 %; NaN if there was no memory for them
}

// ZoneStatistics holds the statistics of one zone since start or Reset.
type ZoneStatistics struct {
	Zone       ZoneID
	Frames     uint64  // frames since the first entry; in frames without an entry the time is 0
	Self, Hier Summary // per frame

	CallsCounted, CallsMissing uint64   // single calls, if calls are counted: see ColumnCallsMissing
	Calls                      Summary  // durations of single calls
	CallBars                   []uint64 // see CallRow.Bars; nil if Calls comes from events, not from counting
}

// DumpScopes is the value of DumpOptions.Scopes for pages. That many scopes take 8 MB of memory.
const DumpScopes = 500_000

// FrameTimeline is the timeline of one frame of a Dump.
type FrameTimeline struct {
	Lanes []FrameLane // those with scopes, in the order of AppendTimelineFrameLanes
	Quiet int         // lanes without a scope in the frame, though their events are there
	Gone  int         // lanes whose events were overwritten
	Off   int         // lanes that keep no events
	Left  int         // scopes of the frame, if DumpOptions.Scopes had no room for them; then Lanes is empty
}

// FrameLane is the timeline of one lane in one frame.
type FrameLane struct {
	Name   string
	Device bool    // of a GPU or another device, not of a goroutine
	From   float32 // ms from the beginning of the frame: earlier events were overwritten; 0 if all are there
	Scopes []FrameScope

	Remarks []FrameRemark // by Scope
}

// FrameRemark is a remark of the program on a scope.
type FrameRemark struct {
	Scope int // index of FrameLane.Scopes
	*Remark
}

// FrameScope is one entry of a zone: a TimelineScope in less memory.
type FrameScope struct {
	Zone       ZoneID
	Begin, End float32 // ms from the beginning of the frame, clamped to it
	Level      uint16  // number of scopes around it, 0 for the outermost; clamped to 65,535
	Before     bool    // it began earlier, or its begin event was overwritten
	After      bool    // it was still open at the end of the frame
}

// ByImportance returns the indexes of FrameTrees: the slowest, the newest, the second slowest, the second newest, and
// so on. A caller without room for all takes the first ones.
func (d *Dump) ByImportance() []int {
	judged := make(map[uint64]float32, len(d.History))
	for i := range d.History {
		judged[d.History[i].Index] = d.History[i].Judged()
	}
	slow := make([]int, len(d.FrameTrees))
	for i := range slow {
		slow[i] = i
	}
	sort.SliceStable(slow, func(i, k int) bool {
		return judged[d.FrameTrees[slow[i]].Index] > judged[d.FrameTrees[slow[k]].Index]
	})
	order := make([]int, 0, len(slow))
	taken := make([]bool, len(slow))
	take := func(i int) {
		if !taken[i] {
			taken[i] = true
			order = append(order, i)
		}
	}
	for i := range slow {
		take(slow[i])
		take(len(slow) - 1 - i)
	}
	return order
}

// Program names a program, and where it ran. Reports have it at their head.
type Program struct {
	Name      string    // of its file
	GoVersion string    // as runtime.Version has it
	Machine   string    // "linux/amd64, 8 cores"
	Start     time.Time // of the measurements; zero is the time of the report
	Kind      Kind      // as its file has it; KindGame: the frames show it
}

// Describe puts the program into a Dump, in place of the running one. It removes the arguments, which are the running
// program's.
func (p *Program) Describe(d *Dump) {
	if *p == (Program{}) {
		return
	}
	d.Program = p.Name
	d.GoVersion = p.GoVersion
	d.Machine = p.Machine
	d.Arguments = nil
	if !p.Start.IsZero() {
		d.Time = p.Start
	}
}
