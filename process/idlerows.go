package process

// leastIdle is the least number of idle rows that one row replaces.
const leastIdle = 2

// idleRows is the name in packages of the idle rows. No package has it.
const idleRows = "\x00idle"

// foldIdle puts the idle rows at the end of a flat report under one heading. It is folded at first. Its time is the sum
// of their self times.
func (p *packages) foldIdle(r *Report) {
	v, from := &r.View, len(r.Lines)
	if v.Mode != ReportSelfTime && v.Mode != ReportHierarchicalTime || v.Order.Chosen || v.Filter != "" {
		return
	}
	for from > 0 && r.Records[r.Lines[from-1]].Idle {
		from--
	}
	if len(r.Lines)-from < leastIdle {
		return
	}
	if _, known := p.ids[idleRows]; !known {
		p.folded[p.named(idleRows)] = true
	}
	id := p.ids[idleRows]
	row := PackageRow{First: int(r.Lines[from]), ID: int(id), Folded: p.folded[id],
		Record: Record{Zone: -1, Path: -1, Name: "waiting", Idle: true}}
	p.ofRow = resized(p.ofRow, len(r.Records))
	for i := range p.ofRow {
		p.ofRow[i] = -1
	}
	for _, i := range r.Lines[from:] {
		row.add(&r.Records[i])
		p.ofRow[i] = id
	}
	row.put(ColumnHier, row.Values[ColumnSelf])
	row.put(ColumnHierPercent, row.Values[ColumnSelfPercent])
	r.ofRow, r.Packages = p.ofRow, append(r.Packages, row)
	p.lines = append(p.lines[:0], r.Lines[from:]...)
	if r.Lines = append(r.Lines[:from], ^int32(0)); !row.Folded {
		r.Lines = append(r.Lines, p.lines...)
	}
}
