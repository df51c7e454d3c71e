package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// This file has the pane beside the table of a wide page: slow calls, the call structure, the slowest frames.

// beside is the least width of a page with a pane beside its table.
const beside = 150

// split returns the widths of the table and of the pane beside it, 0 for none.
func split(width int) (table, pane int) {
	if width < beside {
		return width, 0
	}
	pane = min(2*width/5, 100)
	return width - pane - 3, pane
}

// sign returns a character, or that of ASCII in its place.
func (p *page) sign(unicode, ascii string) string {
	if p.unicode {
		return unicode
	}
	return ascii
}

// pane returns the lines beside the table, room at most.
func (p *page) pane(width, room int) (lines []string) {
	if room < leastChart {
		return nil
	}
	slow := p.slowCalls(width, room/3)
	lines = append(slow, p.structure(width, room-len(slow))...)
	if spare := room - len(lines); spare > 2 {
		lines = append(lines, p.slowest(width, spare)...)
	}
	return lines
}

// slowCalls lists the newest slow calls, as many as fit.
func (p *page) slowCalls(width, room int) (lines []string) {
	list := p.report.SlowCalls
	for i := len(list) - 1; i >= 0 && len(lines) < room; i-- {
		if lines == nil {
			lines = append(lines, p.styled(bold, "slow calls, the newest first"))
		}
		lines = append(lines, text.Cut(string(list[i].AppendText(nil, text.Name)), width))
	}
	return lines
}

// share is a line of the pane with a bar: self time, then callees.
type share struct {
	name       string
	self, hier float64
	idle       bool
}

// structure returns the call structure of the frame, or the zones by self time if the table has the structure.
func (p *page) structure(width, room int) []string {
	if p.report.View.Mode == report.ReportCallTree {
		return p.shares("self time", p.zones(), width, room)
	}
	return p.shares("call structure", p.callees(room-1), width, room)
}

// shares returns a title and lines with bars.
func (p *page) shares(title string, list []share, width, room int) []string {
	list = list[:min(len(list), max(room-1, 0))]
	if len(list) == 0 {
		return nil
	}
	names, longest := 0, 0.
	for i := range list {
		names = max(names, printed.Cells(list[i].name))
		if !list[i].idle || i == 0 {
			longest = max(longest, list[i].hier)
		}
	}
	names = min(names, width/2)
	bars := width - names - numberCells - 1
	unit, decimals := report.TimeUnitOf(longest), 2
	if longest == 0 {
		longest = 1
	}
	name := p.sign(unit.Name, unit.Plain().Name)
	lines := []string{p.styled(bold, padded(text.Cut(title, width-numberCells), width-printed.Cells(name))+name)}
	for i := range list {
		n := &list[i]
		self, all := cells(n.self/longest, bars), cells(n.hier/longest, bars)
		style := green
		if n.idle {
			style = faint
		}
		bar := padded(strings.Repeat(p.sign("█", "#"), self)+strings.Repeat(p.sign("░", "-"), all-self), bars)
		number := string(unit.Append(nil, n.hier, decimals))
		lines = append(lines, padded(text.Cut(n.name, names), names+1)+p.styled(style, bar)+
			strings.Repeat(" ", max(numberCells-len(number), 1))+number)
	}
	return lines
}

// numberCells is the width of the numbers of the pane.
const numberCells = 9

// cells returns the length of a bar.
func cells(share float64, room int) int { return max(0, min(int(share*float64(room)+0.5), room)) }

// callees returns the longest paths of the frame below its root, room at most.
func (p *page) callees(room int) (list []share) {
	tree := p.now.Tree
	least := 0.
	if len(tree) > room {
		times := make([]float64, len(tree))
		for i := range tree {
			times[i] = tree[i].Hier
		}
		slices.Sort(times)
		least = times[len(tree)-max(room, 1)]
	}
	for i := range tree {
		if n := &tree[i]; n.Level > 0 && n.Hier >= least {
			indent := strings.Repeat("  ", min(int(n.Level)-1, mostIndents))
			list = append(list, share{indent + p.nameOf(n), n.Self, n.Hier, n.Idle})
		}
	}
	return list
}

// mostIndents is the greatest number of indents of the call structure.
const mostIndents = 10

func (p *page) nameOf(n *report.TreeNode) string {
	return n.Estimated.Sign() + text.Name(p.now.Zone(n.Zone).Name)
}

// zones returns the zones by self time.
func (p *page) zones() (list []share) {
	at := map[report.ZoneID]int{}
	for i := range p.now.Tree {
		n := &p.now.Tree[i]
		if n.Level == 0 {
			continue
		}
		k, known := at[n.Zone]
		if !known {
			k = len(list)
			at[n.Zone], list = k, append(list, share{name: p.nameOf(n), idle: n.Idle})
		}
		list[k].self += n.Self
		list[k].hier = list[k].self
	}
	slices.SortStableFunc(list, func(a, b share) int { return cmp.Compare(b.self, a.self) })
	return list
}

// slowest lists the slowest frames with their judged time, as many as fit.
func (p *page) slowest(width, room int) []string {
	if !p.report.Frame.Kind.HasFrames() {
		return nil
	}
	var list []share
	for i := range p.now.Slowest {
		f := &p.now.Slowest[i]
		name, ms := strconv.FormatUint(f.Index, 10), float64(f.Judged())
		if f.Label != "" {
			name += " " + text.Name(f.Label)
		}
		list = append(list, share{name: name, self: ms, hier: ms})
	}
	return p.shares("slowest frames", list, width, room)
}
