package tables

import (
	"slices"

	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process/report"
)

// indexes are numbers of frames as ranges, in order.
type indexes [][2]uint64

// add adds a number.
func (s *indexes) add(n uint64) {
	if k := len(*s) - 1; k >= 0 && (*s)[k][1] == n {
		(*s)[k][1]++
		return
	}
	*s = append(*s, [2]uint64{n, n + 1})
}

func (s indexes) has(n uint64) bool {
	return slices.ContainsFunc(s, func(r [2]uint64) bool { return r[0] <= n && n < r[1] })
}

// objects replaces the estimates of the Go heap by the counted objects, where the newest trace of allocations has
// chosen frames.
func (r *reading) objects(in *framefile.Reader) {
	t := in.Allocated()
	if t == nil {
		return
	}
	frames := slices.DeleteFunc(slices.Clone(t.Frames), func(index uint64) bool { return !r.chosen.has(index) })
	if len(frames) == 0 {
		return
	}
	r.note("heap columns are exact, of the %d chosen frames from %d to %d: each allocation was traced", len(frames),
		frames[0], frames[len(frames)-1])
	if t.Left.Objects > 0 {
		r.note("%d traced objects are in no row", t.Left.Objects)
	}
	r.forgetHeap(t)
	for i := range t.Rows {
		if o := &t.Rows[i]; slices.Contains(frames, o.Frame) {
			r.addObjects(o)
		}
	}
	if !r.settles {
		r.list = slices.DeleteFunc(r.list, func(g *group) bool { return g.sums == [7]float64{} })
		return
	}
	sums := r.list
	r.list = r.kept
	for _, g := range sums {
		if g.values = r.valuesOf(g, 0); g.sums != [7]float64{} {
			g.size = g.values[r.order]
			r.keep(g)
		}
	}
	r.kept, r.list = r.list, nil
}

// forgetHeap takes the estimates away. The rows of traced frames are summed anew.
func (r *reading) forgetHeap(t *allocated.Table) {
	if r.settles {
		clear(r.groups)
		r.list = nil
		r.kept = slices.DeleteFunc(r.kept, func(g *group) bool {
			of := t.Has(g.fact.frame)
			if of {
				r.list = append(r.list, g)
				k, _ := r.keyOf(&g.fact)
				r.groups[k], g.values = g, nil
			}
			return of
		})
	}
	for _, g := range r.list {
		g.sums[0], g.sums[1] = 0, 0
	}
}

// addObjects adds a row of traced objects.
func (r *reading) addObjects(o *allocated.Row) {
	f := fact{zone: o.Zone(), frame: o.Frame, values: [7]float64{0: float64(o.Bytes), 1: float64(o.Objects),
		6: float64(o.Freed)}}
	if r.by == "type" {
		f.name = o.TypeName()
	}
	if f.zone == 0 && (r.by != "type" || !r.all) {
		return
	}
	f.lane = r.lane(o.Lane, "")
	for _, zone := range o.Path {
		if f.path = r.paths.below(f.path, zone); report.IsRoute(r.zones[zone].Name) {
			f.route = zone
		}
	}
	r.add(&f)
}
