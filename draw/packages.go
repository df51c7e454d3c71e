package draw

import (
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// packages puts the rows of the flat reports under the packages that their zones are in. A package's own row sums them up.
type packages struct {
	on     bool
	names  []string
	index  map[string]int32
	ofZone []int32 // by zone: place in names plus one, 0 while not asked
	folded []bool

	// Of the last Draw, by place in names.
	sums    []process.Record
	changes []change
	first   []int // a record of it, -1 for none
	rows    []int
	order   []int32
	at      []int32 // by record
	lines   []int
}

// noPackage is where zones go that nobody knows the place of.
const noPackage = "(unknown package)"

// packageOf is the package of the place that a zone is entered at: by its function, else the folder of its file.
func packageOf(z gather.ZoneInfo) string {
	if f := z.Function; f != "" {
		slash := strings.LastIndexByte(f, '/') + 1
		if dot := strings.IndexByte(f[slash:], '.'); dot >= 0 {
			f = f[:slash+dot]
		}
		return f
	}
	if i := strings.LastIndexAny(z.File, `/\`); i > 0 {
		return lastElement(z.File[:i])
	}
	return noPackage
}

// of is the place of a zone's package.
func (p *packages) of(d *shown, zone int32) int32 {
	if zone < 0 {
		return -1
	}
	for int(zone) >= len(p.ofZone) {
		p.ofZone = append(p.ofZone, 0)
	}
	if at := p.ofZone[zone]; at > 0 {
		return at - 1
	}
	name := packageOf(d.source.Zone(zone))
	at, known := p.index[name]
	if !known {
		if p.index == nil {
			p.index = map[string]int32{}
		}
		at = int32(len(p.names))
		p.index[name] = at
		p.names, p.folded = append(p.names, name), append(p.folded, false)
	}
	p.ofZone[zone] = at + 1
	return at
}

// grouped reports whether a report's rows stand under packages.
func (p *packages) grouped(d *shown) bool {
	return p.on && (d.view.Mode == process.SelfTime || d.view.Mode == process.HierarchicalTime)
}

// header is how a package's own row stands among lines of records, and back.
func header(at int32) int { return -1 - int(at) }

// apply puts the lines under their packages: those whose rows come first, first. A folded one has its own row alone.
func (p *packages) apply(lines []int, d *shown, changes []change) []int {
	if !p.grouped(d) {
		return lines
	}
	p.sum(lines, d, changes)
	p.lines = p.lines[:0]
	for _, at := range p.order {
		p.lines = append(p.lines, header(at))
		if p.folded[at] {
			continue
		}
		for _, i := range lines {
			if p.at[i] == at {
				p.lines = append(p.lines, i)
			}
		}
	}
	return append(lines[:0], p.lines...)
}

// holds is the place of a record's package, or -1.
func (p *packages) holds(record int) int32 {
	if record < 0 || record >= len(p.at) {
		return -1
	}
	return p.at[record]
}

// summed are the columns that add up.
var summed = [...]process.Column{process.ColumnSelf, process.ColumnSelfPercent, process.ColumnCount, process.ColumnAllocs,
	process.ColumnAllocBytes, process.ColumnFrees, process.ColumnFreeBytes, process.ColumnErrors}

// sum adds up what the rows of each package have.
func (p *packages) sum(lines []int, d *shown, changes []change) {
	p.order = p.order[:0]
	p.at = append(p.at[:0], make([]int32, len(d.report.Records))...)
	for i := range p.at {
		p.at[i] = p.of(d, d.report.Records[i].Zone)
	}
	n := len(p.names)
	p.sums, p.changes = append(p.sums[:0], make([]process.Record, n)...), append(p.changes[:0], make([]change, n)...)
	p.first, p.rows = append(p.first[:0], make([]int, n)...), append(p.rows[:0], make([]int, n)...)
	for _, i := range lines {
		r := &d.report.Records[i]
		at := p.at[i]
		s := &p.sums[at]
		if p.rows[at] == 0 {
			p.order, p.first[at] = append(p.order, at), i
			s.Zone, s.Path, s.Name, s.Idle = -1, -1, p.names[at], true
		}
		p.rows[at]++
		s.Idle = s.Idle && r.Idle
		for _, c := range summed {
			s.Values[c] += r.Values[c]
			s.Mask |= r.Mask & (1 << c)
		}
		if i < len(changes) && changes[i].known {
			p.changes[at].ms, p.changes[at].known = p.changes[at].ms+changes[i].ms, true
		}
	}
	p.hierarchical(d)
}

// hierarchical finds the time in each package and all that it called: what the outermost of its paths took.
func (p *packages) hierarchical(d *shown) {
	whole := d.info.Length
	for i := range d.tree {
		n := &d.tree[i]
		at := p.of(d, n.Zone)
		if int(at) >= len(p.sums) || p.rows[at] == 0 || p.above(d, n.Parent, at) {
			continue
		}
		s := &p.sums[at]
		s.Values[process.ColumnHier] += n.Hier
		s.Mask |= 1 << process.ColumnHier
		if whole > 0 {
			s.Values[process.ColumnHierPercent] = 100 * s.Values[process.ColumnHier] / whole
			s.Mask |= 1 << process.ColumnHierPercent
		}
	}
}

// above reports whether a path or one that it is below is in the package.
func (p *packages) above(d *shown, node, at int32) bool {
	for ; node >= 0 && int(node) < len(d.tree); node = d.tree[node].Parent {
		if p.of(d, d.tree[node].Zone) == at {
			return true
		}
	}
	return false
}

// ToggleGrouped puts the rows of the flat reports under the packages of their zones, or ends that.
func (p *Panel) ToggleGrouped() {
	p.change(func() { p.table.rows.packages.on = !p.table.rows.packages.on })
}

// Grouped reports whether rows stand under packages.
func (p *Panel) Grouped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.rows.packages.on
}

// ToggleFold folds or unfolds a package by its place, as HitPackage tells it; below 0 is the cursor's. It reports whether
// there was one.
func (p *Panel) ToggleFold(place int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, d := &p.table.rows.packages, &p.shown
	if !g.grouped(d) {
		return false
	}
	if place < 0 {
		place = int(g.of(d, d.cursorZone()))
	}
	if place < 0 || place >= len(g.folded) {
		return false
	}
	p.serial++
	g.folded[place] = !g.folded[place]
	return true
}

// CursorFolded reports whether the cursor's row is folded away under its package.
func (p *Panel) CursorFolded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, d := &p.table.rows.packages, &p.shown
	at := g.of(d, d.cursorZone())
	return g.grouped(d) && at >= 0 && g.folded[at]
}

// packageRow draws a package's own row.
func (t *table) packageRow(c *canvas, d *shown, row, in rect, at int32, most float64) {
	p := &t.rows.packages
	r := &p.sums[at]
	folded := p.folded[at]
	sign := iconDown
	if folded {
		sign = iconRight
	}
	switch {
	case folded && p.of(d, d.cursorZone()) == at:
		c.cursorRow(row)
	case c.hovers(row):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.hovered)
	}
	c.add(row, hitOf(HitPackage, int(at)))
	x := in.x0 + 4*c.em
	c.icon(sign, x, (row.y0+row.y1)/2-5*c.em, c.textDim)
	x += 14 * c.em
	end := t.namesEnd(in)
	name := r.Name
	if c.Width(FaceBold, name) > end-x {
		name = lastElement(name)
	}
	x += c.left(x, end-x, row, FaceBold, name, c.textBright)
	c.buffer = append(appendFixed(c.buffer[:0], float64(p.rows[at]), 0), " zones"...)
	if width := c.asciiWidth(FaceSmall, c.buffer); x+width+8*c.em < end {
		c.ascii(x+8*c.em, c.baseline(row.y0, row.y1, FaceSmall), FaceSmall, c.buffer, c.textFaint)
	}
	for _, l := range t.lanes {
		switch l.column {
		case ColumnSpark:
		case ColumnBar:
			drawBar(c, rect{l.x0 + 24*c.em, row.y0, l.x1 - 2*c.em, row.y1}, r, c.textDim, most)
		case ColumnDelta, ColumnDeltaPercent:
			if p.changes[at].known && l.column == ColumnDelta {
				c.delta(l.x1, row, p.changes[at], false)
			}
		default:
			t.value(c, d, row, l, r)
		}
	}
}
