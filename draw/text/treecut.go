package text

import (
	"slices"
	"strconv"

	"example.com/iprof/process/report"
)

// cutLines writes a line for the nodes that a tree leaves out, after the other nodes below the same parent.
type cutLines struct {
	t     *tree
	whole float64 // 100 %, in milliseconds
	more  []bool  // by level: whether the branch continues below
	due   []cutLine
	idle  cutLine // line of a root's idle children, and the root's index; without nodes there is no line
	root  int
}

// cutLine is the line of the nodes left out below a node.
type cutLine struct {
	level int // of the line
	nodes int
	hier  float64
	words string // what the nodes are
}

// foldIdle takes two or more idle children of the last root out of a tree, and makes one line of them.
func (c *cutLines) foldIdle(nodes []report.TreeNode, last []bool) []report.TreeNode {
	from, zones, hier := report.IdleEnd(nodes)
	if zones == 0 {
		return nodes
	}
	c.root, c.idle = from-1, cutLine{1, zones, hier, " that wait"}
	for c.root > 0 && nodes[c.root].Level > 0 {
		if nodes[c.root].Level == 1 {
			last[c.root] = false // the line follows
		}
		c.root--
	}
	c.t.folded = true
	return nodes[:from]
}

// note takes node i, which has been written.
func (c *cutLines) note(i int, n *report.TreeNode, level int) {
	if c.idle.nodes > 0 && i == c.root {
		c.due = append(c.due, c.idle)
	}
	if n.Left > 0 {
		c.due = append(c.due, cutLine{level + 1, n.Left, n.LeftHier, " more"})
	}
}

// above writes the lines that are due before a node of a level.
func (c *cutLines) above(level int) {
	for len(c.due) > 0 && c.due[len(c.due)-1].level > level {
		line := c.due[len(c.due)-1]
		c.due = c.due[:len(c.due)-1]
		c.more = slices.Grow(c.more, line.level+1)[:line.level+1]
		c.more[line.level] = len(c.due) > 0 && c.due[len(c.due)-1].level == line.level
		c.t.cut(&line, c.more, c.whole)
	}
}

// cut writes the line of nodes that were left out.
func (t *tree) cut(l *cutLine, more []bool, whole float64) {
	t.p.right(t.cell(0, l.hier), cellHier)
	t.p.right(shareOf(l.hier, whole), t.share)
	t.p.spaces(cellTime + 1 + cellCalls + cellTime + 1 + cellTicks + 2)
	t.branch(more)
	t.p.put(t.dots(), strconv.Itoa(l.nodes), l.words, "\n")
}

func (t *tree) dots() string {
	if t.looks.ascii {
		return "... and "
	}
	return "… and "
}
