package html

import (
	"cmp"
	"slices"

	"example.com/iprof/process/report"
)

// The limits of a call structure: its bars, their least share of the whole, and its levels.
const (
	leastShare = 0.0015
	mostLevels = 40
	levelHigh  = 21
)

// icicle is the drawing of a call structure: each node below its caller, as wide as its hierarchical time.
type icicle struct {
	*picture
	p        *page
	s        *subject
	children [][]int32 // by node + 1: what works first, the largest first
	onlyWork bool      // without the outermost zones that wait, and what lies in them
	whole    float64   // ms of the width
	deepest  int
	most     int // bars
	left     int // nodes without a bar
}

// childrenOf returns the children of each node, and at 0 the roots: those that work first, the largest first.
func childrenOf(nodes []report.TreeNode) [][]int32 {
	children := make([][]int32, len(nodes)+1)
	for i := range nodes {
		parent := nodes[i].Parent
		if parent < 0 || int(parent) >= i {
			parent = -1
		}
		children[parent+1] = append(children[parent+1], int32(i))
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(a, b int32) int {
			return cmp.Or(compareBool(nodes[a].Idle, nodes[b].Idle), cmp.Compare(nodes[b].Hier, nodes[a].Hier))
		})
	}
	return children
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// newIcicle lays out the call structure of a subject, with at most so many bars.
func (p *page) newIcicle(s *subject, onlyWork bool, most int) *icicle {
	g := &icicle{picture: newPicture(wide, levelHigh), p: p, s: s, children: childrenOf(s.nodes), onlyWork: onlyWork,
		most: most}
	for _, root := range g.children[0] {
		g.whole += g.widest(root)
	}
	g.whole = max(g.whole, 1e-9)
	type place struct {
		node int32
		x    float64
		wide float64
	}
	var todo []place
	x := 0.0
	for _, root := range g.children[0] {
		todo = append(todo, place{root, x, g.rootWide(root)})
		x += g.widest(root)
	}
	bars := 0
	for at := 0; at < len(todo); at++ {
		t := todo[at]
		n := &g.s.nodes[t.node]
		if bars >= most || t.wide < leastShare*g.whole || int(n.Level) >= mostLevels {
			g.left++
			continue
		}
		bars++
		g.deepest = max(g.deepest, int(n.Level))
		g.bar(n, float32(t.x/g.whole*wide), float32((t.x+t.wide)/g.whole*wide))
		x := t.x
		for _, child := range g.shownChildren(t.node) {
			todo = append(todo, place{child, x, g.s.nodes[child].Hier})
			x += g.s.nodes[child].Hier
		}
	}
	g.height = float32((g.deepest + 1) * levelHigh)
	return g
}

// shownChildren returns the children of a node that the picture has.
func (g *icicle) shownChildren(node int32) []int32 {
	all := g.children[node+1]
	if !g.onlyWork || g.s.nodes[node].Parent >= 0 {
		return all
	}
	waits := slices.IndexFunc(all, func(i int32) bool { return g.s.nodes[i].Idle })
	if waits < 0 {
		return all
	}
	return all[:waits]
}

func (g *icicle) sum(list []int32) (ms float64) {
	for _, i := range list {
		ms += g.s.nodes[i].Hier
	}
	return ms
}

// rootWide returns the time of a root. What waits in it makes it narrower if it is left out.
func (g *icicle) rootWide(root int32) float64 {
	n := &g.s.nodes[root]
	all, kept := g.sum(g.children[root+1]), g.sum(g.shownChildren(root))
	return n.Hier - max(0, min(all-kept, n.Hier-n.Self-kept))
}

// widest returns the width that a root needs: lanes together may exceed it.
func (g *icicle) widest(root int32) float64 {
	return max(g.rootWide(root), g.sum(g.shownChildren(root)))
}

// bar draws a node.
func (g *icicle) bar(n *report.TreeNode, x0, x1 float32) {
	y := float32(n.Level) * levelHigh
	name := n.Estimated.Sign() + g.p.label(n.Zone)
	if x1-x0 >= 3 {
		title := esc(name) + " " + fitted(n.Hier) + "\nself " + fitted(n.Self) + "\ncount " + count(n.Count) + "\n" +
			share(n.Hier, g.s.whole)
		g.item(g.p.zoneLink(n.Zone), title)
	} else {
		g.plain()
	}
	text := ink
	switch end := max(x1-1, x0+1); {
	case n.Idle:
		g.Rect(x0, y, end, y+levelHigh-1, g.Idle)
		text = g.TextNormal
	case n.Parent < 0:
		g.Rect(x0, y, end, y+levelHigh-1, g.Grey)
		text = g.Strong
	default:
		g.Rect(x0, y, end, y+levelHigh-1, g.p.color(n.Zone))
	}
	room := x1 - x0 - 10
	if room < leastName {
		return
	}
	time := string(g.time(n.Hier))
	if wide := g.Width(face, time); room > wide+80 {
		g.right(x1-5, y+14.5, time, text)
		room -= wide + 8
	}
	g.name(x0+5, y+14.5, room, name, text)
}

// time formats a bar's time. In the call structure of a long time each has its unit, as the heading has.
func (g *icicle) time(ms float64) markup {
	if g.s.frame == nil && g.s.whole >= 1000 || g.s.whole >= 1e4 {
		return fitted(ms)
	}
	return short(ms)
}

// mostBarsOfRun and mostBarsOfFrame are the most bars of a call structure. Those too narrow to see are left out first.
const (
	mostBarsOfRun   = 800
	mostBarsOfFrame = 200
)

// structure writes the call structure of a subject, and a switch that leaves out what waits.
func (p *page) structure(s *subject) {
	length := "<b>" + fitted(s.whole) + "</b>"
	if s.of != nil {
		length = "<b>" + timeOf(float64(s.of.Length)) + "</b> = " + partsOf(s.of)
	}
	p.put(`<section id="structure" aria-label="call structure"><h2>Call structure of `, markup(s.title),
		` <small class="length">`, length, "</small></h2>")
	if len(s.nodes) == 0 {
		p.put(`<p class="quiet">nothing measured</p></section>`)
		return
	}
	waits := slices.ContainsFunc(s.nodes, func(n report.TreeNode) bool { return n.Idle && n.Level == 1 && n.Hier > 0 })
	if waits {
		p.put(`<label class="switch"><input type="checkbox" id="onlywork"> only work</label>`)
	}
	most := mostBarsOfRun
	p.icicle(s, false, most)
	if waits {
		p.icicle(s, true, most)
	}
	p.put("</section>\n")
}

// icicle writes a call structure, and how many nodes are too small for it.
func (p *page) icicle(s *subject, onlyWork bool, most int) {
	g := p.newIcicle(s, onlyWork, most)
	class := markup("icicle")
	if onlyWork {
		class = "icicle work"
	}
	p.put(`<div class="`, class, `">`, markup(g.svg("bars", "call structure: each zone below its caller")))
	if g.left > 0 {
		p.put(`<p class="note">Too small to draw, with all below: `, grouped(uint64(g.left)), "</p>")
	}
	p.put("</div>")
}
