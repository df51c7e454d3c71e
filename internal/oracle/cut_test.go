//go:build !iprof_off

package oracle_test

import (
	"math"
	"slices"

	"example.com/iprof/process/report"
)

// cut asks for parts of a dump: with few nodes, without trees, and for entries by depth.
func (p *program) cut() {
	most := 1 + p.rng.IntN(100)
	all := p.session.Dump(report.DumpOptions{NoHistory: true})
	some := p.session.Dump(report.DumpOptions{NoHistory: true, Nodes: most})
	none := p.session.Dump(report.DumpOptions{NoHistory: true, NoTrees: true})
	deepest := 0
	for _, n := range all.Merged {
		deepest = max(deepest, int(n.Level))
	}
	p.cutTree(all.Merged, some.Merged, max(1, most)+deepest)
	if len(some.Merged) < min(most, len(all.Merged)) || len(some.Lanes) > len(all.Lanes) ||
		len(none.Merged)+len(none.Lanes) > 0 {
		p.t.Errorf("got %d nodes, %d lanes, and without trees %d; want %d, %d, 0", len(some.Merged), len(some.Lanes),
			len(none.Merged)+len(none.Lanes), most, len(all.Lanes))
		return
	}
	for i := range some.Lanes {
		p.cutTree(all.Lanes[i].Nodes, some.Lanes[i].Nodes, math.MaxInt)
	}
	whole := report.AppendZoneTotals(nil, all.Merged)
	for _, d := range []*report.Dump{all, some, none} {
		if d.Calls != all.Calls || d.RunTime != all.RunTime || d.LaneCount != all.LaneCount ||
			d.Overhead != all.Overhead {
			p.t.Errorf("got %+v; want %+v", d, all)
		}
		p.sameTotals(d.Totals, whole)
		if p.with.level == byPath && !p.with.mix.holds && !p.with.free {
			p.depths(d)
		}
	}
	if d := p.replay.Dump(report.DumpOptions{Nodes: most}); p.with.level == byPath && !p.with.controls {
		for _, f := range d.FrameTrees {
			frames := p.replay.Dump(report.DumpOptions{AllFrames: true}).FrameTrees
			at := slices.IndexFunc(frames, func(o report.FrameTree) bool { return o.Index == f.Index })
			p.cutTree(frames[at].Nodes, f.Nodes, max(1, most))
		}
	}
}

// cutTree compares a cut tree with the whole one: what it has is the same, it says what is left out, and that is short.
func (p *program) cutTree(all, cut []report.TreeNode, most int) {
	whole, left, shortest := map[int32]report.TreeNode{}, 0, math.Inf(1)
	below := map[int32]float64{} // of nodes of the whole tree, without what the cut one tells
	for _, n := range all {
		if whole[n.Path] = n; n.Parent >= 0 {
			below[all[n.Parent].Path] += n.Hier
		}
	}
	for _, n := range cut {
		if n.Parent >= 0 {
			below[cut[n.Parent].Path] -= n.Hier
			shortest = min(shortest, n.Hier)
		}
		below[n.Path] -= n.LeftHier
		left += n.Left
	}
	for _, n := range cut {
		path, out := n.Path, below[n.Path]
		n.Left, n.LeftHier, n.Parent = 0, 0, whole[path].Parent
		if n != whole[path] || math.Abs(out) > 1e-6 {
			p.t.Errorf("cut tree: got %+v with %v ms too little below; want %+v", n, out, whole[path])
			return
		}
		delete(whole, path)
	}
	if left != len(whole) || len(cut) > most {
		p.t.Errorf("cut tree: got %d of %d nodes with at most %d, and %d left out", len(cut), len(all), most, left)
	}
	for _, n := range whole {
		if n.Hier > 1.04*shortest && shortest > 0 && most < math.MaxInt && !p.with.mix.holds {
			p.t.Errorf("cut tree: %+v is left out, a node of %v ms is not", n, shortest)
			return
		}
	}
}

// sameTotals compares the sums of zones, but for errors of rounding.
func (p *program) sameTotals(got, want []report.ZoneTotal) {
	for _, w := range want {
		at := slices.IndexFunc(got, func(z report.ZoneTotal) bool { return z.Zone == w.Zone })
		if at < 0 && w.Hier == 0 && w.Count == 0 {
			continue
		}
		if at < 0 || len(got) > len(want) {
			p.t.Errorf("got sums of %d zones; want %d, one of zone %d", len(got), len(want), w.Zone)
			return
		}
		g := got[at]
		if near := (figures{g.Self, g.Hier, 0}).near(figures{w.Self, w.Hier, 0}); near {
			g.Self, g.Hier = w.Self, w.Hier
		}
		if g != w {
			p.t.Errorf("got %+v; want %+v", g, w)
		}
	}
}

// depths compares the entries of recursive zones by depth.
func (p *program) depths(d *report.Dump) {
	got, want := map[string][]float64{}, map[string][]float64{}
	for _, z := range d.Recursion {
		if name := d.Zones[z.Zone].Name; ours(name) {
			got[name] = z.Entries
		}
	}
	for i := range p.live {
		f := &p.live[i]
		if f.entries == 0 || f.in == nil {
			continue
		}
		list, depth := want[f.in.zone], min(f.in.same, report.MaxDepths)-1
		for len(list) <= depth {
			list = append(list, 0)
		}
		list[depth] += float64(f.entries)
		want[f.in.zone] = list
	}
	for zone, list := range want {
		if len(list) == 1 {
			list = nil
		}
		if !slices.Equal(got[zone], list) {
			p.t.Errorf("%s: got entries by depth %v; want %v", zone, got[zone], list)
		}
	}
}
