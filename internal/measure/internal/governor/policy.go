// Package governor contains the computations of the governor, which keeps the overhead of measuring below a share of
// each lane's time. The policy decides when it acts on a lane, and which nodes it demotes. The estimates are the
// statistics of the sampled entries. The costs are the costs of measuring an entry. Its terms, on top of the profiler's
// own:
//
//	timed            of an entry: the clock is read at its begin and end
//	counted          of an entry: it only adds to its node's count
//	demoted          of a node: most of its entries are counted. Promoting it means timing all of them again
//	form             the node that counts a demoted node's entries
//	mirror           a node below a form, or a form. Its numbers are added to a timed node's
//	top              a demoted node that is below no other demoted node. The bursts are of its entries
//	burst            a sample: some entries of a top in a row
//	block            a part of a burst. It is timed or counted
//	gap              the entries between two bursts, all counted
//	in place         where the program runs, and not in the loop of Calibrate
//	the zone around  the innermost timed node around counted entries. Their time passes there
//	muted            of a zone: counted and not timed, but for bursts at random gaps
package governor

import (
	"cmp"
	"slices"

	"example.com/iprof/platform"
)

// The policy's constants. Shares are of the overhead limit.
const (
	Settling     = 2    // frames until a change takes effect
	Patience     = 8    // cheap frames in a row before all nodes are promoted
	relief       = 0.75 // a frame is cheap if timing all costs less than this share
	unpaid       = 0.5  // a frame does not pay if counting saves less than this share of what the rows cost
	exactShare   = 0.3  // for exactly timed nodes
	sampledShare = 0.5  // for the timed entries of demoted nodes
	leastGap     = 7    // counted entries for each timed entry
	mostGap      = 4095
)

// The blocks of a burst.
const (
	blockPairs   = 4    // in a burst
	mostBlock    = 16   // entries in a block, besides the first
	firstEntries = 1.25 // entries in a block with those before it, for each entry in the block
)

// MinBlock is the least number of entries in a block. A variable for tests.
var MinBlock = 4.0

// Policy is the policy of one lane. The caller guards it with a mutex.
type Policy struct {
	Length uint32 // entries in a block

	wishes    []wish  // by node
	demotions int     // number of nodes to demote
	gap       float64 // mean number of counted entries for each timed entry
	since     int     // frames since the last change
	relaxed   int     // cheap frames in a row
	unpaid    int     // frames in a row in which counting has saved less than the rows of the demoted nodes cost
}

// wish tells whether to demote a node, and holds its mean self time before that, in ticks.
type wish struct {
	demote bool
	self   float64
}

// New returns a policy that may act at once.
func New() Policy { return Policy{since: Settling} }

// Wants reports whether to demote a node. A nil policy demotes no nodes.
func (p *Policy) Wants(node uint32) bool {
	return p != nil && int(node) < len(p.wishes) && p.wishes[node].demote
}

// Self returns the mean self time of an entry of a demoted node before its demotion, in ticks.
func (p *Policy) Self(node uint32) float64 { return p.wishes[node].self }

// Spare removes a node from the nodes to demote.
func (p *Policy) Spare(node uint32) {
	if p.Wants(node) {
		p.wishes[node], p.demotions = wish{}, p.demotions-1
	}
}

// Promote removes all nodes from the nodes to demote. It reports whether there were any.
func (p *Policy) Promote() (changed bool) {
	if p.demotions == 0 {
		return false
	}
	clear(p.wishes)
	p.demotions = 0
	p.since = 0
	p.relaxed = 0
	p.unpaid = 0
	return true
}

// Frame is the cost of measuring in a frame of a lane, in ticks.
type Frame struct {
	Length  float64 // of the frame
	Allowed float64 // for measuring
	Full    float64 // cost with all entries timed
	Saved   float64 // part of Full saved by counting
	Pair    float64 // cost of one timed entry
	Counted float64 // cost of one counted entry
	Least   float64 // nodes at which counting would save less are not demoted: Update's extra work would exceed it
}

// Action is what to do after a frame.
type Action int

// The actions.
const (
	Leave   Action = iota
	Promote        // call Promote
	Demote         // call Demote
)

// Judge decides what to do after a frame.
func (p *Policy) Judge(f Frame) Action {
	p.since++
	if p.relaxed++; f.Full > relief*f.Allowed {
		p.relaxed = 0
	}
	if p.unpaid++; f.Saved >= float64(p.demotions)*f.Least*unpaid {
		p.unpaid = 0
	}
	switch {
	case p.since <= Settling:
		return Leave
	case p.relaxed >= Patience || p.unpaid >= Patience:
		return Promote
	case f.Full-f.Saved > f.Allowed:
		return Demote
	}
	return Leave
}

// Node holds the numbers of a node in a frame.
type Node struct {
	Node  uint32 // its number in the lane
	Count uint32
	Self  platform.Ticks
	Never bool // never demote it
}

// Demote chooses further nodes to demote, and the share of entries to time. It reports whether either has changed.
func (p *Policy) Demote(f Frame, nodes []Node) (changed bool) {
	exact, sampled, was := 0.0, 0.0, p.demotions
	for i := range nodes {
		if cost := float64(nodes[i].Count) * f.Pair; p.Wants(nodes[i].Node) {
			sampled += cost
		} else {
			exact += cost
		}
	}
	for _, i := range p.rank(f, nodes) {
		if exact <= exactShare*f.Allowed {
			break
		}
		n := &nodes[i]
		cost := float64(n.Count) * f.Pair
		exact, sampled = exact-cost, sampled+cost
		p.wishes = append(p.wishes, make([]wish, max(int(n.Node)+1-len(p.wishes), 0))...)
		p.wishes[n.Node] = wish{true, float64(max(n.Self, 0)) / float64(n.Count)}
		p.demotions++
	}
	gap := min(max(sampled/f.Allowed/sampledShare, leastGap), mostGap)
	if p.demotions == 0 || p.demotions == was && gap <= 2*p.gap && p.gap <= 2*gap {
		return false
	}
	p.gap = gap
	p.since = 0
	p.relaxed = 0
	p.unpaid = 0
	p.Length = uint32(min(max(sampled/f.Pair/(gap+1)/(2*firstEntries*blockPairs), MinBlock), mostBlock))
	return true
}

// rank returns the indices of the nodes worth demoting, sorted by their number of entries, most first. The cost of
// measuring such a node is a larger share of its time than the limit, and counting saves more than its row costs.
func (p *Policy) rank(f Frame, nodes []Node) (places []int32) {
	for i := range nodes {
		n := &nodes[i]
		count := float64(n.Count)
		dear := count*(f.Pair-f.Counted) >= f.Least && count*f.Pair*f.Length > f.Allowed*float64(n.Self)
		if dear && !n.Never && !p.Wants(n.Node) {
			places = append(places, int32(i))
		}
	}
	slices.SortFunc(places, func(a, b int32) int {
		return cmp.Or(cmp.Compare(nodes[b].Count, nodes[a].Count), cmp.Compare(a, b))
	})
	return places
}

// NextGap returns the number of entries in the next gap. It is random, so that no rhythm of the program causes a bias.
// The largest gap is twice the mean.
//
//go:norace
func (p *Policy) NextGap(random *Random) uint32 {
	return 1 + random.UpTo(uint32(2*(p.gap-1)*float64(p.Length)*firstEntries*blockPairs))
}
