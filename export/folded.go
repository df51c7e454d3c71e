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
// the self time in nanoseconds. The first name is the lane's. " [idle]" stands behind a zone that waits. Flame graph
// scripts and speedscope read this format. It leaves out counts and stacks without time. It returns the first error of
// w.
func Folded(w io.Writer, d *report.Dump) error {
	out := bufio.NewWriter(w)
	for i := range d.Lanes {
		lane := &d.Lanes[i]
		stacks := stacksOf(lane.Nodes)
		for j := range lane.Nodes {
			ns := nanoseconds(lane.Nodes[j].Self)
			if ns <= 0 {
				continue
			}
			out.WriteString(valid(separators.Replace(lane.Name)))
			for _, at := range stacks.to(j) {
				out.WriteByte(';')
				out.WriteString(valid(separators.Replace(zoneName(d, &lane.Nodes[at]))))
				if lane.Nodes[at].Idle {
					out.WriteString(" [idle]")
				}
			}
			out.WriteByte(' ')
			out.WriteString(strconv.FormatInt(ns, 10))
			if err := out.WriteByte('\n'); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// separators replaces the characters that separate names and lines.
var separators = strings.NewReplacer(";", ",", "\n", " ", "\r", " ")

// nanoseconds rounds milliseconds to nanoseconds. Values below 0 stay below 0; a hold that is still open may have them.
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
