package text

import (
	"slices"
	"strconv"

	"example.com/iprof/process"
)

// cutLines writes a line for the nodes that a tree leaves out, after the other nodes below the same parent.
type cutLines struct {
	t     *tree
	whole float64 // 100 %, in milliseconds
	more  []bool  // by level: whether the branch continues below
	due   []cutLine
}

// cutLine is the line of the nodes left out below a node.
type cutLine struct {
	level int // of the line
	nodes int
	hier  float64
}

// note takes a node that has been written.
func (c *cutLines) note(n *process.TreeNode, level int) {
	if n.Left > 0 {
		c.due = append(c.due, cutLine{level + 1, n.Left, n.LeftHier})
	}
}

// above writes the lines that are due before a node of a level.
func (c *cutLines) above(level int) {
	for len(c.due) > 0 && c.due[len(c.due)-1].level > level {
		line := c.due[len(c.due)-1]
		c.due = c.due[:len(c.due)-1]
		c.more = slices.Grow(c.more, line.level+1)[:line.level+1]
		c.more[line.level] = false
		c.t.cut(&line, c.more, c.whole)
	}
}

// cut writes the line of nodes that were left out.
func (t *tree) cut(l *cutLine, more []bool, whole float64) {
	dots := "… and "
	if t.looks.ascii {
		dots = "... and "
	}
	t.p.right(t.time(l.hier), cellHier)
	t.p.right(shareOf(l.hier, whole), t.share)
	t.p.spaces(cellTime + 1 + cellCalls + cellTime + 1 + cellTicks + 2)
	t.branch(more)
	t.p.put(dots, strconv.Itoa(l.nodes), " more\n")
}
