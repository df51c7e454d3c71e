package process

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
)

// Dump holds all measurements since start or Reset. It includes open zones and the unfinished frame, and leaves out
// paused time. It is plain data: packages text and html print it without a Session.
type Dump struct {
	Program   string
	Arguments []string // of the program; nil by default, because they may hold secrets
	Time      time.Time
	GoVersion string
	Machine   string // "linux/amd64, 8 cores"

	// Overhead is the cost of measuring those entries: as the governor measured it in the program, else by calibration.
	// Starts of lanes and first entries of stacks are timed where they happen (go run ./overhead in folder bench).
	Overhead       time.Duration
	RunTime        time.Duration // since start or Reset, without pauses
	CPU            time.Duration // processor time of the process in RunTime, all threads; 0 = not known
	Calls          uint64        // entries of all zones
	TicksPerSecond float64       // of the clock
	Frames         uint64        // finished frames; 0: Update was never called
	Budget         time.Duration // frame budget in force; 0 = none
	Warnings       []string      // most important first
	Verdict        Verdict       // on the slowest frame, if it was over budget or unusual; empty without History

	Zones     []gather.ZoneInfo // by zone id
	Merged    []TreeNode        // all lanes in one tree; its root is the updating lane's: see AtOnce
	Totals    []ZoneTotal       // sums by zone of all nodes, also of those that Merged leaves out: see ZoneTotals
	Recursion []ZoneDepths      // the recursive zones, by id
	Lanes     []LaneTree        // one tree per lane
	LaneCount int               // lanes that have been active
	Forks     []Fork            // go statements, those with the most forked time first: see Session.SetSpawns
	History   []FrameSummary    // oldest first
	Marks     []FrameMark       // oldest first, with those of the unfinished frame: see Session.Mark

	// Series and Values have as many values as History has frames.
	Series []Series      // self time per frame of the most important zones: see AppendTopSeries
	Values []ValueSeries // numbers of the heap, counts and levels

	Statistics []ZoneStatistics // by zone id; none without History

	FrameTrees []FrameTree // trees of chosen frames of History, oldest first

	Report *Report // of the session's view; nil without a frame, or without History
}

// LaneTree is the part of one lane in a Dump. Lanes of one go statement, if they are more than eight, are merged into
// one: its name ends in "(96 goroutines)". DumpOptions.AllLanes keeps them apart.
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

	Timeline FrameTimeline // see DumpOptions.Scopes
	Picture  *Picture      // what the frame showed, if that was kept
}

// DumpOptions chooses the contents of a Dump. The zero value is the default.
type DumpOptions struct {
	Arguments bool // include the program's arguments
	AllFrames bool // trees of all frames that still have a report, not only of the 16 slowest and the 16 newest
	AllLanes  bool // a tree of each lane, however many one go statement has made
	NoLanes   bool // no Lanes, only their number
	NoTrees   bool // neither Merged nor Lanes, only Totals: needs little memory, however many nodes there are
	NoFrames  bool // no trees of frames
	NoHistory bool // no trees, History, Series, Statistics and Report: much cheaper

	// Nodes is the most nodes of Merged, of Lanes together, and of each of FrameTrees: those with the most time. 0 is
	// all. See TreeNode.Left.
	Nodes int

	// Scopes is the most scopes in the timelines of FrameTrees together: DumpScopes for pages, 0 for no timelines. The
	// slowest frames and the newest come first. See AppendTimeline. Only pages show them.
	Scopes int
}

// DumpPage chooses what a page shows: the trees and timelines of all frames. Package html keeps as many as fit.
var DumpPage = DumpOptions{AllFrames: true, Nodes: DumpNodes, Scopes: DumpScopes}

// DumpNodes is the value of DumpOptions.Nodes for reports that people read: iprof.WriteTree has it.
const DumpNodes = 10_000

// ZoneTotal sums the nodes of one zone in a tree.
type ZoneTotal struct {
	Zone      ZoneID
	Count     float64 // entries
	Self      float64 // ms
	Hier      float64 // ms, recursion counted once
	Idle      bool
	Open      bool
	Estimated gather.Estimated // how it is estimated, if it is
	Errors    uint64           // clock steps and repairs
	Charges                    // allocations and units of work
}

// ZoneTotals returns Totals, or the sums of Merged in a Dump that has none.
func (d *Dump) ZoneTotals() []ZoneTotal {
	if d.Totals != nil {
		return d.Totals
	}
	return AppendZoneTotals(nil, d.Merged)
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
	slices.SortStableFunc(dst[first:], func(a, b ZoneTotal) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(a.Zone, b.Zone))
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

// PickFrames returns the ages of the frames whose trees a Dump keeps, oldest first. Of the frames with a report, these
// are the n slowest by busy time and the n newest; if n < 0, all. The history is oldest first: its last frame has age
// 0.
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

// slowest returns those of the n busiest frames that are not among the newest.
func slowest(ages, newest []int, history []FrameSummary, n int) []int {
	byBusy := slices.Clone(ages)
	slices.SortStableFunc(byBusy, func(a, b int) int {
		return cmp.Compare(history[len(history)-1-b].Busy, history[len(history)-1-a].Busy)
	})
	return slices.DeleteFunc(byBusy[:n], func(age int) bool { return slices.Contains(newest, age) })
}

// mostOf returns the limit of DumpOptions.Nodes.
func (o *DumpOptions) mostOf() int {
	if o.Nodes <= 0 {
		return math.MaxInt
	}
	return o.Nodes
}
