package rows

import (
	"cmp"
	"math"
	"sort"
	"strings"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// FrameOf returns the frame of a view, or the mean frame of its lens, or nil.
func (b *Builder) FrameOf(v *report.View) *history.Frame {
	if v.Through() && b.store.Past.Next > 0 {
		return b.Load(v)
	}
	return b.store.Shown(v)
}

// describe fills in the parts of FrameInfo about the lens and kept frames.
func (b *Builder) describe(i *report.FrameInfo, v *report.View, p *history.Frame) {
	i.Lens = v.LensInForce()
	if i.Lens.Kind != report.LensOff {
		i.LensFrames, i.LensLost = len(b.Looker.Lens.Frames), b.Looker.Lens.Lost
		if w := b.store.WholeFor(i.Lens); w != nil {
			i.LensFrames, i.LensLost = int(w.Frames), 0
		}
		i.Gone = false
		return
	}
	if i.Kept = v.Kept > 0; i.Kept {
		i.Live = false
		if p != nil {
			i.Age = int(b.store.Past.Next - 1 - p.Seq)
		}
	}
}

// appendLensWarnings appends the warnings about frames that are missing in the lens.
func (b *Builder) appendLensWarnings(dst []string, i *report.FrameInfo, mode report.ReportMode) []string {
	l := &b.Looker.Lens
	switch {
	case i.Lens.Kind == report.LensOff || i.Frames == 0:
		return dst
	case i.LensFrames == 0 && i.LensLost == 0:
		dst = append(dst, "no frame of the history is one that the lens chooses")
	case mode == report.ReportExtra && l.Others.Count == 0:
		dst = append(dst, "all frames of the history are ones that the lens chooses: there are none to compare with")
	}
	if i.LensLost > 0 {
		dst = append(dst, l.LostWarning(i.LensLost))
	}
	return dst
}

// excess makes the rows of ReportExtra: one per zone, the largest excess first. If a zone has several paths, a row for
// each path follows.
func (b *Builder) excess() {
	if b.Looker.Lens.Count == 0 || b.Looker.Lens.Others.Count == 0 {
		return
	}
	r := &b.rows
	least := b.leastExcess()
	b.markParents()
	r.list = r.list[:0]
	for i := range b.store.ByZone {
		z := &b.store.ByZone[i]
		n := row{rowKey: rowKey{zone: report.ZoneID(i), group: report.GroupFocus}, Value: z.Value,
			deepest: z.Depth, path: -1, kids: z.Kids}
		if z.Seen && !b.extraOf(&n).Below(least) {
			r.list = append(r.list, n)
		}
	}
	b.sortByExcess(0)
	r.sorting = append(r.sorting[:0], r.list...)
	r.list = r.list[:0]
	for i := range r.sorting {
		r.list = append(r.list, r.sorting[i])
		b.excessPaths(&r.sorting[i], least)
	}
}

// excessPaths adds the rows of the paths of a zone.
func (b *Builder) excessPaths(of *row, least float64) {
	if int(of.zone) >= len(b.store.Stats.Only) || b.store.Stats.Only[of.zone] != history.SeveralPaths {
		return
	}
	r := &b.rows
	from := len(r.list)
	for i := range b.store.Tree.Paths {
		if p := &b.store.Tree.Paths[i]; p.Zone == of.zone {
			n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: report.GroupFocus}, Value: b.store.Values[i],
				deepest: p.Depth, path: int32(i), indent: 1}
			if !b.extraOf(&n).Below(least) {
				r.list = append(r.list, n)
			}
		}
	}
	b.sortByExcess(from)
}

// sortByExcess sorts the rows from one on. A generic sort of rows would add 30 kB to each program.
func (b *Builder) sortByExcess(from int) {
	b.rows.sortFrom = from
	sort.Sort((*rowsByExcess)(b))
}

type rowsByExcess Builder

func (b *rowsByExcess) list() []row { return b.rows.list[b.rows.sortFrom:] }
func (b *rowsByExcess) Len() int    { return len(b.list()) }
func (b *rowsByExcess) Less(i, k int) bool {
	return (*Builder)(b).byExcess(&b.list()[i], &b.list()[k]) < 0
}
func (b *rowsByExcess) Swap(i, k int) { b.list()[i], b.list()[k] = b.list()[k], b.list()[i] }

// wholeExcess returns the busy time of the frames of the lens less the busy time of the others, in ms a frame.
func (b *Builder) wholeExcess() float64 {
	return b.Looker.Lens.Mean.BusyMS - b.Looker.Lens.Others.Mean.BusyMS
}

func (b *Builder) leastExcess() float64 {
	return max(history.MinExcess, history.MinExcessShare*math.Abs(b.wholeExcess()))
}

func (b *Builder) extraOf(r *row) (e history.Extra) {
	e = history.Extra{Self: r.Self, Hier: r.Hier}
	o := &b.Looker.Lens.Others
	switch {
	case r.path >= 0 && int(r.path) < len(o.Values):
		e.Self, e.Hier = e.Self-o.Values[r.path].Self, e.Hier-o.Values[r.path].Hier
	case r.path < 0 && int(r.zone) < len(o.Zones):
		e.Self, e.Hier = e.Self-o.Zones[r.zone].Self, e.Hier-o.Zones[r.zone].Hier
	}
	return e
}

func (b *Builder) byExcess(one, other *row) int {
	x, y := b.extraOf(one), b.extraOf(other)
	if idle := b.store.Zones[one.zone].Idle; idle != b.store.Zones[other.zone].Idle {
		if idle {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Hier, x.Hier),
		cmp.Compare(one.zone, other.zone), cmp.Compare(one.path, other.path))
}

// addExcess sets the excess of a record. Idle zones have no percentage, because waiting does not make a frame slow.
func (b *Builder) addExcess(out *report.Record, r *row) {
	e := b.extraOf(r)
	out.Put(report.ColumnExtraSelf, e.Self)
	out.Put(report.ColumnExtraHier, e.Hier)
	if whole := b.wholeExcess(); whole > history.MinExcess && !out.Idle {
		out.Put(report.ColumnExtraPercent, 100*e.Self/whole)
	}
	if r.path > 0 {
		out.Site = b.where(r.path)
	}
}

// where names the callers of a path, innermost first.
func (b *Builder) where(path int32) string {
	o := &b.Looker.Lens.Others
	if text, known := o.Where[path]; known {
		return text
	}
	if o.Where == nil {
		o.Where = make(map[int32]string)
	}
	var above []string
	up := b.store.Tree.Paths[path].Parent
	for ; up > 0 && len(above) < history.WhereLevels; up = b.store.Tree.Paths[up].Parent {
		above = append(above, b.store.Zones[b.store.Tree.Paths[up].Zone].Name)
	}
	text := "at the top"
	if len(above) > 0 {
		text = "in " + strings.Join(above, " in ")
	}
	if up > 0 {
		text += " ..."
	}
	o.Where[path] = text
	return text
}
