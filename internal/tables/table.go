package tables

import (
	"math"
	"sort"

	"example.com/iprof/gather"
)

// Table is a list of rows. It is plain data.
type Table struct {
	Kind    *Kind
	By      string   // key of the rows
	Columns []string // names of the numbers, with their units
	Sorted  string   // the column that the rows are sorted by
	Rows    []Row
	Left    int    // rows that the limit cut
	Frames  uint64 // chosen
	Notes   []string
}

// Row is a row of a table. What it does not have is zero.
type Row struct {
	ID       string   // for the next command: z17, l3, f120, c120.3.7; "" for rows without one
	Group    Group    // of a Graph
	Name     string   // of the zone, the lane, the value and so on
	Path     []string // names of the zones from the root on
	Zone     gather.ZoneID
	HasZone  bool
	Function string
	File     string
	Line     int
	Text     string // of the line
	Place    string // of a wait: "world.go:42"
	Lane     string
	LaneID   gather.LaneID
	Frame    uint64
	HasFrame bool
	EndedBy  string    // who ended most of the waits
	Values   []float64 // by Columns; NaN where it is not known
}

// mostRows bounds the rows of a table, and the keys of sums. What is beyond is one row.
const mostRows = 1 << 20

// table makes the table of what was read.
func (r *reading) table() *Table {
	t := &Table{Kind: r.kind, By: r.by, Frames: r.frames, Sorted: r.columns[r.order].name, Notes: r.notes}
	for _, c := range r.columns {
		t.Columns = append(t.Columns, c.name)
	}
	if r.settles {
		r.list = r.kept
	}
	total := 0.0
	for _, g := range r.list {
		total += g.sums[0]
	}
	for _, g := range r.list {
		if v := r.valuesOf(g, total); r.over < 0 || v[r.overAt] > r.over {
			t.Rows = append(t.Rows, r.row(g, v))
		}
	}
	if r.aged {
		t.Sorted = "frame"
	}
	sort.SliceStable(t.Rows, func(i, k int) bool {
		if r.aged {
			return false
		}
		a, b := t.Rows[i].Values[r.order], t.Rows[k].Values[r.order]
		return a > b || b != b && a == a
	})
	t.Left = r.left
	if most := r.choice.Limit; most > 0 && len(t.Rows) > most {
		t.Left += len(t.Rows) - most
		t.Rows = t.Rows[:most]
	}
	return t
}

// valuesOf returns the numbers of a row. total is the sum of all rows.
func (r *reading) valuesOf(g *group, total float64) []float64 {
	if g.values != nil {
		return g.values
	}
	values := make([]float64, len(r.columns))
	for i, c := range r.columns {
		v := g.sums[c.of]
		switch c.how {
		case perFrame:
			if r.by != "frame" {
				v /= max(float64(r.frames), 1)
			}
		case count:
			v = g.count
		case lanes:
			v = float64(len(g.lanes))
		case mean:
			v /= max(g.count, 1)
		case least:
			v = g.least
		case most:
			v = g.most
		case newest:
			v = g.fact.values[c.of]
		case p50:
			v = g.quantile(0.5)
		case p99:
			v = g.quantile(0.99)
		case share:
			v = 100 * v / max(total, 1)
		}
		values[i] = v
	}
	return values
}

// quantile returns the share q of the lengths in ms, NaN if there was no memory for them.
func (g *group) quantile(q float64) float64 {
	if g.lengths == nil {
		return math.NaN()
	}
	return g.lengths.Quantile(q) / nanos
}

// nanos is the number of nanoseconds in a millisecond.
const nanos = 1e6

// row names a row by its key.
func (r *reading) row(g *group, values []float64) Row {
	f := &g.fact
	row := Row{Group: f.group, Name: f.name, Values: values, EndedBy: g.endedBy()}
	switch r.by {
	case "zone":
		r.nameZone(&row, f.zone)
	case "route":
		r.nameZone(&row, f.route)
	case "path":
		row.Path = r.paths.names(f.path, r.zones)
		r.nameZone(&row, f.zone)
	case "package", "type":
	case "lane":
		row.Name, row.Lane = f.lane.name, f.lane.name
		row.LaneID = f.lane.id
		row.ID = IDs{Lane: f.lane.id, laned: true}.String()
	case "frame":
		row.Frame, row.HasFrame, row.ID = f.frame, true, IDs{Frame: f.frame, framed: true}.String()
		if r.kind.By[0] != "value" {
			row.Name = ""
		}
	default:
		r.nameThing(&row, f)
	}
	return row
}

// nameZone names a row after a zone.
func (r *reading) nameZone(row *Row, zone gather.ZoneID) {
	if zone == 0 {
		return
	}
	z := r.zones[zone]
	row.Name, row.Zone, row.HasZone = z.Name, zone, true
	row.Function, row.File, row.Line = z.Function, z.File, z.Line
	row.ID = IDs{Zone: zone, zoned: true}.String()
}

// nameThing names a row of a single thing, or of a kind's own key.
func (r *reading) nameThing(row *Row, f *fact) {
	row.Name, row.Place = f.name, f.place
	row.ID = f.id
	row.Function, row.File = f.function, f.file
	row.Line, row.Text = f.line, f.text
	if f.file != "" {
		row.Name = f.function
	} else if f.zone > 0 {
		id := row.ID
		r.nameZone(row, f.zone)
		row.ID = id
	}
	if r.kind.single && r.by == r.kind.By[0] {
		row.Frame, row.HasFrame = f.frame, true
		if f.lane != nil {
			row.Lane, row.LaneID = f.lane.name, f.lane.id
		}
		row.Path = r.paths.names(f.path, r.zones)
	}
}
