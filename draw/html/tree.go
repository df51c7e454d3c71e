package html

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/process/report"
)

// The most rows of a tree: of the whole run, of a lane, and of a frame in the document; and the most lanes.
const (
	mostRowsOfRun   = 1000
	mostRowsOfLane  = 100
	mostRowsOfFrame = 80
	mostLanes       = 25
)

// deepest is the level below which rows are not nested any more. Browsers limit the depth of elements.
const deepest = 60

// tree writes trees as elements that fold.
type tree struct {
	p        *page
	nodes    []report.TreeNode
	children [][]int32
	keep     []bool // nodes with a row
	hidden   []int  // by node: nodes below without a row
	opened   []bool
	whole    float64
	hottest  float64 // the greatest self time of a node that works below a root
}

// trees writes the trees of the subject: of the frame, or of all lanes.
func (p *page) trees(s *subject) {
	p.put(`<section id="trees" aria-label="call trees"><h2>Call tree of `, markup(s.title), "</h2>")
	if s.frame != nil {
		p.tree(s.nodes, s.whole, mostRowsOfRun)
		p.put("</section>\n")
		return
	}
	p.put(`<details open data-k="all"><summary>all goroutines</summary>`)
	p.tree(s.nodes, s.whole, mostRowsOfRun)
	p.put("</details>")
	lanes := p.d.Lanes
	if len(lanes) == 1 { // it equals the tree of all goroutines
		lanes = nil
	}
	for i := range lanes[:min(len(lanes), mostLanes)] {
		l := &lanes[i]
		title := esc(nameOr(l.Name))
		if l.CPU > 0 {
			title += " · CPU " + fitted(ofDuration(l.CPU))
		}
		p.put(`<details data-k="lane`, uintOf(uint64(l.ID)), `"><summary>`, title, ` <small>`,
			fitted(rootTime(l.Nodes)), "</small></summary>")
		p.tree(l.Nodes, rootTime(l.Nodes), mostRowsOfLane)
		p.put("</details>")
	}
	p.moreLine(len(lanes)-mostLanes, "goroutines")
	p.put("</section>\n")
}

// moreLine says how many things a list leaves out.
func (p *page) moreLine(n int, what markup) {
	if n > 0 {
		p.put(`<p class="note">… and `, grouped(uint64(n)), " more ", what, "</p>")
	}
}

// tree writes one tree, with the most important rows.
func (p *page) tree(nodes []report.TreeNode, whole float64, most int) {
	t := &tree{p: p, nodes: nodes, children: childrenOf(nodes), whole: whole}
	t.choose(most)
	t.firstOpened()
	for i := range nodes {
		if n := &nodes[i]; n.Parent >= 0 && !n.Idle {
			t.hottest = max(t.hottest, n.Self)
		}
	}
	p.chooseUnits(3, len(nodes), func(i, column int) float64 {
		n := &nodes[i]
		return [...]float64{n.Self, n.Hier, perEntry(n.Hier, n.Count)}[column]
	})
	p.put(`<div class="scroll"><div class="tree"><div class="row head"><b>zone</b><i>`,
		p.columnHead(0, report.ColumnSelf), "</i><i>", p.columnHead(1, report.ColumnHier), `</i><i></i><i>`,
		columnName(report.ColumnHierPercent), "</i><i>", columnName(report.ColumnCount), "</i><i>",
		p.columnHead(2, report.ColumnHierPerCall), "</i></div>")
	t.list(-1, 0)
	if len(nodes) == 0 {
		p.put(`<p class="quiet">nothing measured</p>`)
	}
	p.put("</div></div>")
}

// isEmpty reports whether a node did nothing.
func isEmpty(n *report.TreeNode) bool {
	return n.Count == 0 && n.Hier == 0 && n.Self == 0 && !n.Open && n.Left == 0 && n.Charges == report.Charges{}
}

// choose keeps the nodes with the most hierarchical time, and all above them.
func (t *tree) choose(most int) {
	order := make([]int32, 0, len(t.nodes))
	for i := range t.nodes {
		if !isEmpty(&t.nodes[i]) {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(t.weight(b), t.weight(a)) })
	t.keep, t.hidden = make([]bool, len(t.nodes)), make([]int, len(t.nodes)+1)
	rows := 0
	for _, i := range order {
		for at := i; rows < most && at >= 0 && !t.keep[at]; at = t.parent(at) {
			t.keep[at] = true
			rows++
		}
	}
	for i := range t.nodes { // a caller that found no room takes its callees with it
		if up := t.parent(int32(i)); up >= 0 && !t.keep[up] {
			t.keep[i] = false
		}
	}
	for _, i := range order {
		if !t.keep[i] {
			at := t.parent(i)
			for at >= 0 && !t.keep[at] {
				at = t.parent(at)
			}
			t.hidden[at+1]++
		}
	}
}

// weight orders nodes by importance.
func (t *tree) weight(i int32) float64 {
	if n := &t.nodes[i]; n.Open || n.Parent < 0 {
		return math.Inf(1)
	}
	return t.nodes[i].Hier
}

// parent returns the parent of a node, -1 for a root.
func (t *tree) parent(i int32) int32 {
	if up := t.nodes[i].Parent; up < i {
		return up
	}
	return -1
}

// firstOpened opens the largest nodes down to 2 % of the whole, until about 40 rows show.
func (t *tree) firstOpened() {
	t.opened = make([]bool, len(t.nodes))
	queue := slices.Clone(t.children[0])
	rows, sum := len(queue), rootTime(t.nodes)
	for len(queue) > 0 && rows < 40 {
		at := 0
		for i := range queue {
			if t.nodes[queue[i]].Hier > t.nodes[queue[at]].Hier {
				at = i
			}
		}
		i := queue[at]
		queue = slices.Delete(queue, at, at+1)
		kids := t.children[i+1]
		if n := &t.nodes[i]; len(kids) == 0 || n.Parent >= 0 && n.Hier < 0.02*sum {
			continue
		}
		t.opened[i] = true
		rows += len(kids)
		queue = append(queue, kids...)
	}
}

// list writes the rows below a node, -1 for the roots. Two or more zones that wait below a root are folded into one
// row.
func (t *tree) list(of int32, depth int) {
	var kids []int32
	for _, i := range t.children[of+1] {
		if t.keep[i] {
			kids = append(kids, i)
		}
	}
	waits := len(kids)
	if of >= 0 && t.nodes[of].Parent < 0 {
		for waits > 0 && t.nodes[kids[waits-1]].Idle {
			waits--
		}
		if len(kids)-waits < 2 {
			waits = len(kids)
		}
	}
	for _, i := range kids[:waits] {
		t.node(i, depth)
	}
	if waits < len(kids) {
		t.waiting(of, kids[waits:], depth)
	}
	if n := t.hidden[of+1]; n > 0 || of >= 0 && t.nodes[of].Left > 0 {
		if of >= 0 {
			n += t.nodes[of].Left
		}
		t.p.put(`<div class="row"><b class="quiet">… and `, grouped(uint64(n)), " more below</b></div>")
	}
}

// waiting writes the row of several zones that wait.
func (t *tree) waiting(of int32, children []int32, depth int) {
	sum := report.TreeNode{Idle: true, Zone: -1}
	for _, i := range children {
		sum.Count, sum.Self, sum.Hier = sum.Count+t.nodes[i].Count, sum.Self+t.nodes[i].Hier, sum.Hier+t.nodes[i].Hier
	}
	t.p.put(`<details class="idle" data-k="w`, intOf(int(of)), `"><summary class="row">`)
	t.cells(&sum, `<span class="name">waiting</span><small>`+counted(uint64(len(children)), "zone")+"</small>")
	t.p.put("</summary>")
	for _, i := range children {
		t.node(i, depth+1)
	}
	t.p.put("</details>")
}

// node writes the row of a node, and those below it.
func (t *tree) node(i int32, depth int) {
	n := &t.nodes[i]
	class := markup("row")
	if n.Idle {
		class = "row idle"
	}
	folds := t.hidden[i+1] > 0 || n.Left > 0 || slices.ContainsFunc(t.children[i+1],
		func(k int32) bool { return t.keep[k] })
	switch {
	case !folds:
		t.p.put(`<div class="`, class, `">`)
	case depth >= deepest:
		t.p.put(`<div class="`, class, `">`)
	default:
		t.p.put(`<details data-k="`, intOf(int(n.Path)), `"`)
		if t.opened[i] {
			t.p.put(" open")
		}
		t.p.put(`><summary class="`, class, `">`)
	}
	t.cells(n, t.nameOf(n, depth))
	switch {
	case !folds:
		t.p.put("</div>\n")
	case depth >= deepest:
		t.p.put("</div>\n")
		t.list(i, depth+1)
	default:
		t.p.put("</summary>")
		t.list(i, depth+1)
		t.p.put("</details>\n")
	}
}

// nameOf returns the name of a node, with its states.
func (t *tree) nameOf(n *report.TreeNode, depth int) markup {
	name := t.p.named(n.Zone, n.Estimated.Sign(), n.Idle)
	if depth >= deepest {
		name = "<small>[" + intOf(depth) + "]</small>" + name
	}
	if n.Open {
		name += "<small>open</small>"
	}
	if n.StandardError > 0 {
		name += `<small title="standard error of self time">±` + fitted(n.StandardError) + "</small>"
	}
	return name + charges(&n.Charges, n.Hier)
}

// cells writes the numbers of a row.
func (t *tree) cells(n *report.TreeNode, name markup) {
	heat := markup("")
	if !n.Idle && n.Parent >= 0 && n.Zone >= 0 {
		heat = heatOf(n.Self, t.hottest)
	}
	if heat != "" {
		heat = ` class="` + heat + `"`
	}
	t.p.put("<b>", name, "</b><i", heat, ">", t.p.timeIn(0, n.Self), "</i><i>", t.p.timeIn(1, n.Hier), "</i>",
		t.p.bar(n.Zone, n.Self, n.Hier, t.whole), "<i>", share(n.Hier, t.whole), "</i><i>", count(n.Count), "</i><i>",
		t.p.perCall(2, n.Hier, n.Count), "</i>")
}

// heatOf returns the class of a cell by its share of the greatest value of its column.
func heatOf(v, greatest float64) markup {
	if !(greatest > 0) || v < 0.2*greatest {
		return ""
	}
	return "heat" + intOf(int(min(v/greatest, 1)*4+0.5))
}

// bar returns a bar of self and hierarchical time.
func (p *page) bar(id report.ZoneID, self, hier, whole float64) markup {
	part := func(v float64) markup {
		return `width="` + intOf(int(100*max(0, min(1, v/max(whole, 1e-9)))+0.5)) + `%"/>`
	}
	c := markup("var(--grey)")
	if id > 0 && !p.info(id).Idle {
		c = hexOf(p.color(id))
	}
	bar := `<svg class="bar" fill="` + c + `">`
	if hier > self {
		bar += `<rect opacity=".42" ` + part(hier)
	}
	return bar + "<rect " + part(self) + "</svg>"
}

// charges returns what a node did besides taking time.
func charges(c *report.Charges, hier float64) (text markup) {
	add := func(s markup) { text += "<small>" + s + "</small>" }
	if c.Allocs > 0 || c.AllocBytes > 0 {
		add("allocated " + bytesOf(c.AllocBytes) + " in " + count(c.Allocs))
	}
	if c.Frees > 0 || c.FreeBytes > 0 {
		add("freed " + bytesOf(c.FreeBytes) + " in " + count(c.Frees))
	}
	if c.HeapBytes > 0 || c.HeapObjects > 0 {
		add("~heap " + bytesOf(c.HeapBytes) + " in " + count(math.Round(c.HeapObjects)))
	}
	if c.Units > 0 {
		add(count(c.Units) + " units, each " + fitted(hier/c.Units))
	}
	return text
}
