package export

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/process/report"
)

// Folded writes one line for each stack: the names from the outermost to the innermost, separated by semicolons, and
// the self time in nanoseconds. The first name is the lane's. " [idle]" follows the name of an idle zone. Time that
// samples of the CPU profiler found waiting is a line of its own, with "[waited]" below the zone: see ZoneTotal. Flame
// graph scripts and speedscope read this format. It leaves out counts and stacks without time. It returns the first
// error of w.
func Folded(w io.Writer, d *report.Dump) error {
	out := bufio.NewWriter(w)
	shares := waits(d)
	for i := range d.Lanes {
		lane := &d.Lanes[i]
		stacks := stacksOf(lane.Nodes)
		for j := range lane.Nodes {
			ns := nanoseconds(lane.Nodes[j].Self)
			if ns <= 0 {
				continue
			}
			stack := foldedStack(d, lane, stacks.to(j))
			waited := int64(shares[lane.Nodes[j].Zone] * float64(ns))
			if writeFolded(out, stack, ns-waited); waited > 0 {
				writeFolded(out, stack+";[waited]", waited)
			}
		}
	}
	return out.Flush()
}

// foldedStack returns the names of a lane and of its nodes at some places.
func foldedStack(d *report.Dump, lane *report.LaneTree, places []int) string {
	var b strings.Builder
	b.WriteString(valid(separators.Replace(lane.Name)))
	for _, at := range places {
		b.WriteByte(';')
		b.WriteString(valid(separators.Replace(zoneName(d, &lane.Nodes[at]))))
		if lane.Nodes[at].Idle {
			b.WriteString(" [idle]")
		}
	}
	return b.String()
}

// writeFolded writes a line, unless its time is 0. The writer keeps its first error.
func writeFolded(out *bufio.Writer, stack string, ns int64) {
	if ns > 0 {
		out.WriteString(stack)
		out.WriteByte(' ')
		out.WriteString(strconv.FormatInt(ns, 10))
		out.WriteByte('\n')
	}
}

// separators replaces the characters that separate names and lines.
var separators = strings.NewReplacer(";", ",", "\n", " ", "\r", " ")

// nanoseconds rounds milliseconds to nanoseconds. Values below 0, which an open hold may have, stay below 0.
func nanoseconds(ms float64) int64 { return int64(math.Round(ms * 1e6)) }

// zoneName returns the name of a node's zone, or "zone" and its number if it has no name.
func zoneName(d *report.Dump, n *report.TreeNode) string {
	if int(n.Zone) < len(d.Zones) && d.Zones[n.Zone].Name != "" {
		return d.Zones[n.Zone].Name
	}
	return "zone " + strconv.Itoa(int(n.Zone))
}

// stacks finds the nodes above a node.
type stacks struct {
	nodes []report.TreeNode
	path  []int
}

func stacksOf(nodes []report.TreeNode) *stacks { return &stacks{nodes: nodes} }

// to returns the indices of the nodes from the root to node i. The next call reuses the slice.
func (s *stacks) to(i int) []int {
	s.path = s.path[:0]
	for ; i >= 0; i = int(s.nodes[i].Parent) {
		s.path = append(s.path, i)
	}
	slices.Reverse(s.path)
	return s.path
}
