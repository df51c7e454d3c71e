package html

import (
	"cmp"
	"slices"

	"example.com/iprof/process/report"
)

// mostNeighbours is the number of callers and of callees in a zone's table.
const mostNeighbours = 12

// graph is a zone with its callers and callees, of one tree. A reach is a node of the zone with all nodes below it down
// to the next node of the zone. The row of the zone sums all reaches. The row of a caller sums the reaches that were
// entered from it, so these rows add up to the zone's. The rows of callees are times within the reaches.
type graph struct {
	zone             neighbour
	callers, callees neighbours
}

// neighbour is a row of a graph. Times are in ms.
type neighbour struct{ count, self, hier float64 }

func (n *neighbour) add(node *report.TreeNode) {
	n.count, n.self, n.hier = n.count+node.Count, n.self+node.Self, n.hier+node.Hier
}

// neighbours are rows by zone.
type neighbours map[report.ZoneID]*neighbour

func (l neighbours) of(zone report.ZoneID) *neighbour {
	if l[zone] == nil {
		l[zone] = new(neighbour)
	}
	return l[zone]
}

// graphsOf returns the graphs of zones in a tree in preorder.
func graphsOf(nodes []report.TreeNode, zones map[report.ZoneID]bool) map[report.ZoneID]*graph {
	graphs := make(map[report.ZoneID]*graph, len(zones))
	for zone := range zones {
		graphs[zone] = &graph{callers: neighbours{}, callees: neighbours{}}
	}
	var path []int32                     // nodes from the root down
	entered := map[report.ZoneID][]int{} // depths of the nodes of a zone on the path
	for i := range nodes {
		n := &nodes[i]
		for len(path) > 0 && path[len(path)-1] != n.Parent {
			zone := nodes[path[len(path)-1]].Zone
			entered[zone] = entered[zone][:len(entered[zone])-1]
			path = path[:len(path)-1]
		}
		caller := report.ZoneID(-1)
		if len(path) > 0 {
			caller = nodes[path[len(path)-1]].Zone
		}
		if g := graphs[caller]; g != nil && n.Zone != caller {
			g.callees.of(n.Zone).add(n)
		}
		depths := entered[n.Zone]
		if g := graphs[n.Zone]; g != nil {
			g.enter(nodes, path, depths, n, caller)
		}
		entered[n.Zone], path = append(depths, len(path)), append(path, int32(i))
	}
	return graphs
}

// enter adds a node of the graph's zone. depths are those of the zone's nodes above it on the path.
func (g *graph) enter(nodes []report.TreeNode, path []int32, depths []int, n *report.TreeNode, caller report.ZoneID) {
	g.zone.add(n)
	if caller >= 0 {
		g.callers.of(caller).add(n)
	}
	if len(depths) == 0 {
		return
	}
	g.zone.hier -= n.Hier // the reach above has it
	above := depths[len(depths)-1]
	if above > 0 {
		g.callers.of(nodes[path[above-1]].Zone).hier -= n.Hier
	}
	if above+1 < len(path) {
		g.callees.of(nodes[path[above+1]].Zone).hier -= n.Hier
	}
}

// sorted returns the zones of rows in the order of the page.
func (p *page) sorted(l neighbours) []report.ZoneID {
	list := make([]report.ZoneID, 0, len(l))
	for zone := range l {
		list = append(list, zone)
	}
	slices.SortFunc(list, func(a, b report.ZoneID) int {
		return cmp.Or(p.compare(a, b, l[a], l[b]), cmp.Compare(a, b))
	})
	return list
}

// compare orders zones as the query asks for; without one by hierarchical time.
func (p *page) compare(a, b report.ZoneID, x, y *neighbour) int {
	average := func(n *neighbour) float64 {
		if n.count > 0 {
			return n.hier / n.count
		}
		return 0
	}
	switch p.o.By {
	case "name":
		return cmp.Compare(p.label(a), p.label(b))
	case "self":
		return cmp.Compare(y.self, x.self)
	case "count":
		return cmp.Compare(y.count, x.count)
	case "average":
		return cmp.Compare(average(y), average(x))
	}
	return cmp.Compare(y.hier, x.hier)
}

// graphList writes the graphs of the zones that the page links to. A document shows the one that was linked to.
func (p *page) graphList(s *subject) {
	if len(p.graphs) == 0 {
		return
	}
	graphs := graphsOf(s.nodes, p.graphs)
	for i := range p.d.Zones {
		if g := graphs[report.ZoneID(i)]; g != nil {
			p.graph(report.ZoneID(i), g, s)
		}
	}
}

// graph writes one zone with its callers above it and its callees below it.
func (p *page) graph(zone report.ZoneID, g *graph, s *subject) {
	class := markup("graph")
	if p.o.Live {
		class = "graph chosen"
	}
	z := p.info(zone)
	p.put(`<section class="`, class, `" id="z`, intOf(int(zone)), `"><h2>`, p.named(zone, p.signOf(zone), z.Idle),
		" <small>callers and callees in ", markup(s.title), "</small></h2>")
	p.put(`<p class="quiet">`, esc(z.Name), " ", esc(place(&z)), "</p>")
	p.put(`<div class="scroll"><table>`)
	rows := []*neighbour{&g.zone}
	for _, l := range [...]neighbours{g.callers, g.callees} {
		for _, n := range l {
			rows = append(rows, n)
		}
	}
	p.chooseUnits(3, len(rows), func(i, column int) float64 {
		n := rows[i]
		return [...]float64{n.self, n.hier, perEntry(n.hier, n.count)}[column]
	})
	p.heads("callers and callees",
		[]heading{{"name", "zone"}, {"self", p.columnHead(0, report.ColumnSelf)},
			{"hier", p.columnHead(1, report.ColumnHier)}, {"count", columnName(report.ColumnCount)},
			{"average", p.columnHead(2, report.ColumnHierPerCall)}})
	p.put("<tbody>")
	p.neighbours("caller", g.callers)
	p.put(`<tr class="focus"><td class="name">`, p.named(zone, "", z.Idle), "</td>")
	p.neighbourCells(&g.zone)
	p.neighbours("callee", g.callees)
	p.put("</tbody></table></div></section>\n")
}

// neighbours writes the rows of callers or callees.
func (p *page) neighbours(class markup, l neighbours) {
	list := p.sorted(l)
	for _, zone := range list[:min(len(list), mostNeighbours)] {
		p.put(`<tr class="`, class, `"><td class="name">`, p.named(zone, "", p.info(zone).Idle), "</td>")
		p.neighbourCells(l[zone])
	}
	if n := len(list) - mostNeighbours; n > 0 {
		p.put(`<tr class="`, class, `"><td class="name" colspan="5">… and `, intOf(n), " more ", class, "s</td></tr>")
	}
}

func (p *page) neighbourCells(n *neighbour) {
	p.time(0, "", n.self)
	p.time(1, "main", n.hier)
	p.cell("", count(n.count), n.count)
	p.put("<td>", p.perCall(2, n.hier, n.count), "</td></tr>\n")
}
