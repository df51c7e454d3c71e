package process

import (
	"cmp"
	"slices"
	"time"

	"example.com/iprof/gather"
)

// Dump is everything measured since start or Reset, open zones and the unfinished frame included, paused time not. It is
// plain data: package text prints it as a tree or as JSON, package html as a page, and neither needs a Session.
type Dump struct {
	Program   string
	Arguments []string // the program's arguments; nil unless asked for, because they hold secrets
	Time      time.Time
	GoVersion string
	Machine   string // "linux/amd64, 8 cores"

	RunTime        time.Duration // since start or Reset, pauses left out
	Calls          uint64        // entries of all zones
	Overhead       time.Duration // what measuring those entries cost: by calibration, and where the governor finds that inside the program, by that
	TicksPerSecond float64       // turns the ticks of this dump into seconds
	Frames         uint64        // finished frames; 0: Update was never called
	Budget         time.Duration // frame budget in force; 0 = none
	Warnings       []string      // most important first

	Zones   []gather.ZoneInfo // by zone id
	Merged  []TreeNode        // all lanes in one tree
	Lanes   []LaneTree        // one tree per lane
	History []FrameSummary    // oldest first
	Series  []Series          // self time per frame of the zones that matter most: see AppendTopSeries; as many values as History has frames

	Values []ValueSeries // the heap's numbers, counts and levels; as many values as History has frames, none if it was left out

	Statistics []ZoneStatistics // by zone id; none without History

	FrameTrees []FrameTree // trees of chosen frames of History, oldest first
}

// LaneTree is one lane's part of a Dump.
type LaneTree struct {
	ID    uint64
	Name  string
	Nodes []TreeNode // parents before children, in the order they are shown
}

// FrameTree is the merged tree of one frame of the history.
type FrameTree struct {
	Index uint64 // FrameSummary.Index
	Nodes []TreeNode
}

// DumpOptions chooses what a Dump holds. The zero value is the default.
type DumpOptions struct {
	Arguments bool // include the program's arguments
	AllFrames bool // trees of all frames that still have one, instead of the 16 slowest and the 16 newest
	NoFrames  bool // no trees of frames at all
	NoHistory bool // neither those, nor History and Series: much cheaper
}

// ZoneTotal is one zone's share of a tree.
type ZoneTotal struct {
	Zone      int32
	Count     float64 // entries
	Self      float64 // ms
	Hier      float64 // ms, recursion counted once
	Idle      bool
	Open      bool
	Estimated gather.Estimated // what of it is estimated
	Errors    uint64           // clock steps and repairs
	Charges                    // what it did besides
}

// AppendZoneTotals appends nodes summed by zone, largest self time first, equal times by zone id. Recursion counts once:
// a node below another of its own zone adds nothing to Hier. The nodes must be in preorder with true Levels, as a tree of
// a Session is; the work is linear in their number, however deep they nest.
func AppendZoneTotals(dst []ZoneTotal, nodes []TreeNode) []ZoneTotal {
	first := len(dst)
	place := make(map[int32]int, 64)  // zone -> index in dst
	nested := make(map[int32]int, 64) // zone -> open entries on the stack
	stack := make([]int32, 0, 64)     // zones from the root down
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

// add adds a node; outermost says that no ancestor has the same zone.
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

// PickFrames returns the ages of the frames whose trees a Dump keeps, oldest first: of those that still have a report the
// n slowest by busy time and the n newest. n < 0 picks all. history is oldest first; the age of its last frame is 0.
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

// slowest returns those of the n busiest frames that are not among the newest, which are kept anyway.
func slowest(ages, newest []int, history []FrameSummary, n int) []int {
	byBusy := slices.Clone(ages)
	slices.SortStableFunc(byBusy, func(a, b int) int {
		return cmp.Compare(history[len(history)-1-b].Busy, history[len(history)-1-a].Busy)
	})
	return slices.DeleteFunc(byBusy[:n], func(age int) bool { return slices.Contains(newest, age) })
}
