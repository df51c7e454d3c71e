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
func (s *Builder) FrameOf(v *report.View) *history.Frame {
	if v.Through() && s.Past.Next > 0 {
		return s.Load(v)
	}
	return s.Shown(v)
}

// describe fills in the parts of FrameInfo about the lens and kept frames.
func (s *Builder) describe(i *report.FrameInfo, v *report.View, p *history.Frame) {
	i.Lens = v.LensInForce()
	if i.Lens.Kind != report.LensOff {
		i.LensFrames, i.LensLost = len(s.Lens.Frames), s.Lens.Lost
		if w := s.WholeFor(i.Lens); w != nil {
			i.LensFrames, i.LensLost = int(w.Frames), 0
		}
		i.Gone = false
		return
	}
	if i.Kept = v.Kept > 0; i.Kept {
		i.Live = false
		if p != nil {
			i.Age = int(s.Past.Next - 1 - p.Seq)
		}
	}
}

// appendLensWarnings appends the warnings about frames that are missing in the lens.
func (s *Builder) appendLensWarnings(dst []string, i *report.FrameInfo, mode report.ReportMode) []string {
	l := &s.Lens
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
func (s *Builder) excess(v *report.View) {
	if s.Lens.Count == 0 || s.Lens.Others.Count == 0 {
		return
	}
	r := &s.rows
	least := s.leastExcess()
	s.markParents()
	r.list = r.list[:0]
	for i := range s.ByZone {
		z := &s.ByZone[i]
		n := row{rowKey: rowKey{zone: report.ZoneID(i), group: report.GroupFocus}, Value: z.Value,
			deepest: z.Depth, path: -1, kids: z.Kids}
		if z.Seen && !s.extraOf(&n).Below(least) {
			r.list = append(r.list, n)
		}
	}
	s.sortByExcess(0)
	r.sorting = append(r.sorting[:0], r.list...)
	r.list = r.list[:0]
	for i := range r.sorting {
		r.list = append(r.list, r.sorting[i])
		s.excessPaths(&r.sorting[i], least)
	}
}

// excessPaths adds the rows of the paths of a zone.
func (s *Builder) excessPaths(of *row, least float64) {
	if int(of.zone) >= len(s.Stats.Only) || s.Stats.Only[of.zone] != history.SeveralPaths {
		return
	}
	r := &s.rows
	from := len(r.list)
	for i := range s.Tree.Paths {
		if p := &s.Tree.Paths[i]; p.Zone == of.zone {
			n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: report.GroupFocus}, Value: s.Values[i],
				deepest: p.Depth, path: int32(i), indent: 1}
			if !s.extraOf(&n).Below(least) {
				r.list = append(r.list, n)
			}
		}
	}
	s.sortByExcess(from)
}

// sortByExcess sorts the rows from one on. A generic sort of rows would add 30 kB to each program.
func (s *Builder) sortByExcess(from int) {
	s.rows.sortFrom = from
	sort.Sort((*rowsByExcess)(s))
}

type rowsByExcess Builder

func (s *rowsByExcess) list() []row { return s.rows.list[s.rows.sortFrom:] }
func (s *rowsByExcess) Len() int    { return len(s.list()) }
func (s *rowsByExcess) Less(i, k int) bool {
	return (*Builder)(s).byExcess(&s.list()[i], &s.list()[k]) < 0
}
func (s *rowsByExcess) Swap(i, k int) { s.list()[i], s.list()[k] = s.list()[k], s.list()[i] }

// wholeExcess returns the busy time of the frames of the lens less the busy time of the others, in ms a frame.
func (s *Builder) wholeExcess() float64 { return s.Lens.Mean.BusyMS - s.Lens.Others.Mean.BusyMS }

func (s *Builder) leastExcess() float64 {
	return max(history.MinExcess, history.MinExcessShare*math.Abs(s.wholeExcess()))
}

func (s *Builder) extraOf(r *row) (e history.Extra) {
	e = history.Extra{Self: r.Self, Hier: r.Hier}
	o := &s.Lens.Others
	switch {
	case r.path >= 0 && int(r.path) < len(o.Values):
		e.Self, e.Hier = e.Self-o.Values[r.path].Self, e.Hier-o.Values[r.path].Hier
	case r.path < 0 && int(r.zone) < len(o.Zones):
		e.Self, e.Hier = e.Self-o.Zones[r.zone].Self, e.Hier-o.Zones[r.zone].Hier
	}
	return e
}

func (s *Builder) byExcess(a, b *row) int {
	x, y := s.extraOf(a), s.extraOf(b)
	if idle := s.Zones[a.zone].Idle; idle != s.Zones[b.zone].Idle {
		if idle {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Hier, x.Hier),
		cmp.Compare(a.zone, b.zone), cmp.Compare(a.path, b.path))
}

// addExcess sets the excess of a record. Idle zones have no percentage, because waiting does not make a frame slow.
func (s *Builder) addExcess(out *report.Record, r *row) {
	e := s.extraOf(r)
	out.Put(report.ColumnExtraSelf, e.Self)
	out.Put(report.ColumnExtraHier, e.Hier)
	if whole := s.wholeExcess(); whole > history.MinExcess && !out.Idle {
		out.Put(report.ColumnExtraPercent, 100*e.Self/whole)
	}
	if r.path > 0 {
		out.Site = s.where(r.path)
	}
}

// where names the callers of a path, innermost first.
func (s *Builder) where(path int32) string {
	o := &s.Lens.Others
	if text, known := o.Where[path]; known {
		return text
	}
	if o.Where == nil {
		o.Where = make(map[int32]string)
	}
	var above []string
	up := s.Tree.Paths[path].Parent
	for ; up > 0 && len(above) < history.WhereLevels; up = s.Tree.Paths[up].Parent {
		above = append(above, s.Zones[s.Tree.Paths[up].Zone].Name)
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
