//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// row is a row of a report. Its name is that of a zone, with the depth of its recursion if those are apart, or a path.
type row struct {
	group report.Group
	name  string
}

// outside reports whether the row has the time outside zones, which lanes at rest have, too.
func (at row) outside() bool {
	return at.group == report.GroupFocus && strings.Trim(at.name, " 1") == ""
}

// figures are the milliseconds and entries of a row.
type figures struct{ self, hier, count float64 }

func (f figures) near(o figures) bool {
	return math.Abs(f.self-o.self)+math.Abs(f.hier-o.hier)+math.Abs(f.count-o.count) < 1e-6
}

// rows are the rows of a view.
type rows map[row]figures

// add adds a fact to a row. own tells whether the time is the row's own, and entered whether the entries are.
func (r rows) add(at row, f *fact, own, entered bool) {
	n := r[at]
	n.hier += float64(f.high)
	if own {
		n.self += float64(f.high)
	}
	if entered {
		n.count += float64(f.entries)
	}
	r[at] = n
}

// look is a view, with the names of what it chooses.
type look struct {
	report.View
	focus, lane string
	pin         []string
	chosen      []*period // frames with records
	all         []rows    // of all frames, or nil
}

// whole reports whether each row of a look is a zone or a path as a whole.
func (l *look) whole() bool {
	return l.Recursion == report.RecursionFlattened && len(l.pin) == 0 && l.lane == "" &&
		l.Mode != report.ReportCallGraph && l.Mode != report.ReportCallGraphDescendants
}

// rows are the rows of a look, from facts.
func (l *look) rows(facts []fact) rows {
	all := rows{}
	for i := range facts {
		f := &facts[i]
		if f.lane == counts || l.lane != "" && f.lane != l.lane {
			continue
		}
		path, _ := f.in.row()
		stack := strings.Split(strings.TrimSuffix("/"+path, "/"), "/") // from the time outside zones on
		below := 0                                                     // the pinned path
		for _, zone := range l.pin {
			for below < len(stack) && stack[below] != zone {
				below++
			}
			below++
		}
		if below = max(below-1, 0); below >= len(stack) {
			continue
		}
		switch l.Mode {
		case report.ReportCallGraph, report.ReportCallGraphDescendants:
			l.graph(all, f, stack)
		case report.ReportCallTree:
			for end := 0; end < len(path); {
				end += 1 + strings.IndexByte(path[end:]+"/", '/')
				last := end > len(path)
				all.add(row{report.GroupFocus, path[:end-1]}, f, last, last)
			}
		default:
			l.flat(all, report.GroupFocus, f, stack, below)
		}
	}
	return all
}

// named returns the name of the row of a level of a stack: the zone, with its depth if those are apart.
func (l *look) named(stack []string, level int) string {
	if l.Recursion == report.RecursionFlattened {
		return stack[level]
	}
	return fmt.Sprint(stack[level], " ", 1+depth(stack, level))
}

// depth returns how many levels of a stack above one are of its zone.
func depth(stack []string, level int) (n int) {
	for _, above := range stack[:level] {
		if above == stack[level] {
			n++
		}
	}
	return n
}

// flat adds a fact to the rows of the zones on its stack from a level on, to each once, or to each depth of it.
func (l *look) flat(all rows, group report.Group, f *fact, stack []string, below int) {
	last := len(stack) - 1
	for level := max(below, 1); level <= last; level++ {
		own := level == last
		if l.Recursion == report.RecursionFlattened {
			if slices.Contains(stack[below:level], stack[level]) {
				continue
			}
			own = stack[level] == stack[last]
		}
		all.add(row{group, l.named(stack, level)}, f, own, own)
	}
}

// graph adds a fact to the rows of an entry of the focus, of its caller, and of what it called. The entry is the
// innermost one, or the one of a depth.
func (l *look) graph(all rows, f *fact, stack []string) {
	last, k := len(stack)-1, len(stack)-1
	for k >= 0 && (stack[k] != l.focus || l.Recursion == report.RecursionSpread && depth(stack, k) != l.FocusDepth) {
		k--
	}
	if k < 0 {
		return
	}
	all.add(row{report.GroupFocus, l.named(stack, k)}, f, k == last, k == last)
	if k > 0 {
		all.add(row{report.GroupParent, l.named(stack, k-1)}, f, k == last, k == last)
	}
	switch {
	case l.Mode == report.ReportCallGraphDescendants:
		l.flat(all, report.GroupChild, f, stack, k+1)
	case k < last:
		child := k + 1
		own := child == last || l.Recursion == report.RecursionFlattened && stack[child] == stack[last]
		all.add(row{report.GroupChild, l.named(stack, child)}, f, own, child == last)
	}
}

// anyLook returns a random look at the frames that the session holds.
func (p *program) anyLook() *look {
	h := &p.history
	l := &look{View: report.View{Average: report.AverageInstant, Age: p.rng.IntN(len(h.frames) - h.first),
		Mode: report.ReportMode(p.rng.IntN(int(report.ReportExtra)))}}
	if at := len(h.frames) - 1 - l.Age; at >= h.lost {
		l.chosen = h.frames[at : at+1]
	}
	if p.rng.IntN(3) == 0 {
		l.Lens, l.chosen = p.lens()
	}
	if g := p.all[p.rng.IntN(len(p.all))]; p.rng.IntN(3) == 0 && !p.with.mix.brief && g.id > 0 {
		l.Lane, l.lane = g.id, g.name
	}
	if l.Mode != report.ReportCallTree && p.rng.IntN(3) == 0 {
		l.Recursion = report.RecursionSpread
	}
	l.focus = p.zone(&l.Focus)
	l.FocusDepth = p.rng.IntN(2) * p.rng.IntN(2)
	for l.Mode != report.ReportCallTree && len(l.pin) < 3 && p.rng.IntN(3) == 0 { // a pinned tree has other paths
		var zone report.ZoneID
		l.pin = append(l.pin, p.zone(&zone))
		l.Pin = append(l.Pin, zone)
	}
	return l
}

// zone returns the name of a random zone of the program, and sets its id. One that was not entered yet is the root.
func (p *program) zone(id *report.ZoneID) string {
	name := fmt.Sprint("z", p.rng.IntN(p.with.mix.zones))
	if p.rng.IntN(5) == 0 {
		name = "p" + name
	}
	at := slices.IndexFunc(p.zones, func(z gather.ZoneInfo) bool { return z.Name == name })
	if *id = report.ZoneID(max(at, 0)); at < 0 {
		return ""
	}
	return name
}

// view asks for a random view.
func (p *program) view() {
	h, l := &p.history, p.anyLook()
	h.shown.Want = report.ColumnSet{}
	if p.rng.IntN(2) == 0 {
		h.shown.Want = report.AllColumns
	}
	p.read(l)
	if len(l.chosen) == 0 {
		if l.Lens.Kind == report.LensOff && !h.shown.Frame.Gone {
			p.t.Errorf("%v: got a frame without records", l)
		}
		return
	}
	if !h.shown.Want.Empty() {
		p.histories(l)
	}
	want, n := rows{}, float64(len(l.chosen))
	for _, f := range l.chosen {
		for at, of := range l.rows(f.facts) {
			sum := want[at]
			want[at] = figures{sum.self + of.self/n, sum.hier + of.hier/n, sum.count + of.count/n}
		}
	}
	shown := rows{}
	for _, r := range l.records(&h.shown) {
		v := &r.Values
		shown[r.row] = figures{v[report.ColumnSelf], v[report.ColumnHier], v[report.ColumnCount]}
		if !shown[r.row].near(want[r.row]) {
			p.t.Errorf("%v: %v: got %+v; want %+v", l, r.row, shown[r.row], want[r.row])
			return
		}
		if !h.shown.Want.Empty() {
			p.statistics(l, &r)
		}
	}
	for at, w := range want {
		if _, listed := shown[at]; !listed && w.hier > 0 && !at.outside() {
			p.t.Errorf("%v: %v: got no row; want %+v", l, at, w)
			return
		}
	}
	if got := h.shown.Frame.LensFrames; l.Lens.Kind != report.LensOff && got != len(l.chosen) {
		p.t.Errorf("%v: got %d frames; want %d", l, got, len(l.chosen))
	}
}

func (l *look) String() string {
	return fmt.Sprintf("mode %d, age %d, lens %+v, focus %q, lane %q, pin %q, recursion %d", l.Mode, l.Age, l.Lens,
		l.focus, l.lane, l.pin, l.Recursion)
}

// read makes the report of a look. A call tree has all of its rows.
func (p *program) read(l *look) {
	h, view := &p.history, p.replay.View()
	if view.AppendReportOf(&h.shown, l.View); l.Mode != report.ReportCallTree {
		return
	}
	view.Set(l.View)
	for at := 0; at >= 0; view.ToggleFold(at) {
		view.AppendReport(&h.shown)
		at = slices.IndexFunc(h.shown.Records, func(r report.Record) bool { return r.Sign == report.SignOpen })
	}
}

// record is a record of a report, with its row.
type record struct {
	*report.Record
	row
	at int // in the report
}

// records are the records of a report, without those of the profiler and of the time outside zones.
func (l *look) records(r *report.Report) (all []record) {
	var path []string
	for i := range r.Records {
		rec := record{&r.Records[i], row{r.Records[i].Group, strings.TrimSuffix(r.Records[i].Name, "(root)")}, i}
		zone := rec.name
		if l.Recursion == report.RecursionSpread {
			rec.name = fmt.Sprint(rec.name, " ", max(rec.Depth, 1))
		}
		if l.Mode == report.ReportCallTree {
			path = append(path[:rec.Indent], rec.name)
			rec.name = strings.TrimPrefix(strings.Join(path, "/"), "/")
		}
		if ours(zone) && !rec.outside() {
			all = append(all, rec)
		}
	}
	return all
}
