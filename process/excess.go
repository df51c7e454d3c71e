package process

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// others are the frames that the lens of ReportExtra leaves out, for comparison.
type others struct {
	frames  []uint64
	values  []value // by path, as s.values
	zones   []zoneValue
	mean    pastFrame
	made    bool
	gen     uint64
	of      Lens
	lane    int32
	pin     []ZoneID
	where   map[int32]string
	warning string
	warned  int
}

// The differences below which a zone or path is not worth a row: in ms, and as a share of the whole excess.
const (
	leastExcess      = 5e-5
	leastExcessShare = 0.001
)

// loadOthers fills s.lens.others, unless it is up to date.
func (s *Session) loadOthers(v *View, lane int32) {
	o := &s.lens.others
	if o.made && o.gen == s.gen && o.of == s.lens.of && o.lane == lane &&
		slices.Equal(o.pin, v.Pin) && len(o.values) == len(s.tree.paths) {
		return
	}
	o.made, o.gen, o.of, o.lane, o.pin = true, s.gen, s.lens.of, lane, append(o.pin[:0], v.Pin...)
	o.frames = o.frames[:0]
	chosen := s.lens.frames
	for seq := s.past.first(); seq < s.past.next; seq++ {
		if len(chosen) > 0 && chosen[0] == seq {
			chosen = chosen[1:]
		} else if p := s.past.at(seq); !p.lost && !(s.lens.of.Kind != LensSlowest && s.lens.of.Takes(&p.FrameSummary)) {
			o.frames = append(o.frames, seq)
		}
	}
	s.sumUp(o.frames, lane)
	o.mean = s.meanFrame(o.frames)
	s.derive(v, lane, o.mean.span)
	o.values = append(o.values[:0], s.values...)
	o.zones = append(o.zones[:0], s.byZone...)
}

// excess makes the rows of ReportExtra: one per zone, the largest excess first. If a zone has several paths, one row
// for each follows.
func (s *Session) excess(v *View) {
	if len(s.lens.frames) == 0 || len(s.lens.others.frames) == 0 {
		return
	}
	r := &s.rows
	least := s.leastExcess()
	s.markParents()
	r.list = r.list[:0]
	for i := range s.byZone {
		z := &s.byZone[i]
		n := row{rowKey: rowKey{zone: ZoneID(i), group: GroupFocus}, value: z.value,
			deepest: z.depth, path: -1, kids: z.kids}
		if z.seen && !s.extraOf(&n).below(least) {
			r.list = append(r.list, n)
		}
	}
	slices.SortFunc(r.list, func(a, b row) int { return s.byExcess(&a, &b) })
	r.sorting = append(r.sorting[:0], r.list...)
	r.list = r.list[:0]
	for i := range r.sorting {
		r.list = append(r.list, r.sorting[i])
		s.excessPaths(&r.sorting[i], least)
	}
}

// excessPaths adds the rows of the paths of a zone.
func (s *Session) excessPaths(of *row, least float64) {
	if int(of.zone) >= len(s.stats.only) || s.stats.only[of.zone] != severalPaths {
		return
	}
	r := &s.rows
	from := len(r.list)
	for i := range s.tree.paths {
		if p := &s.tree.paths[i]; p.zone == of.zone {
			n := row{rowKey: rowKey{zone: p.zone, depth: p.depth, group: GroupFocus}, value: s.values[i],
				deepest: p.depth, path: int32(i), indent: 1}
			if !s.extraOf(&n).below(least) {
				r.list = append(r.list, n)
			}
		}
	}
	slices.SortFunc(r.list[from:], func(a, b row) int { return s.byExcess(&a, &b) })
}

// extra is the time of a row in the frames of the lens less its time in the others, in ms a frame.
type extra struct{ self, hier float64 }

func (e extra) below(least float64) bool { return math.Abs(e.self) < least && math.Abs(e.hier) < least }

// wholeExcess is the busy time of the frames of the lens less that of the others, in ms a frame.
func (s *Session) wholeExcess() float64 { return s.lens.mean.busy - s.lens.others.mean.busy }

func (s *Session) leastExcess() float64 {
	return max(leastExcess, leastExcessShare*math.Abs(s.wholeExcess()))
}

func (s *Session) extraOf(r *row) (e extra) {
	e = extra{r.self, r.hier}
	o := &s.lens.others
	switch {
	case r.path >= 0 && int(r.path) < len(o.values):
		e.self, e.hier = e.self-o.values[r.path].self, e.hier-o.values[r.path].hier
	case r.path < 0 && int(r.zone) < len(o.zones):
		e.self, e.hier = e.self-o.zones[r.zone].self, e.hier-o.zones[r.zone].hier
	}
	return e
}

func (s *Session) byExcess(a, b *row) int {
	x, y := s.extraOf(a), s.extraOf(b)
	if idle := s.zones[a.zone].Idle; idle != s.zones[b.zone].Idle {
		if idle {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(y.self, x.self), cmp.Compare(y.hier, x.hier),
		cmp.Compare(a.zone, b.zone), cmp.Compare(a.path, b.path))
}

// addExcess sets the excess of a record. Idle zones have no percentage: waiting does not make a frame slow.
func (s *Session) addExcess(out *Record, r *row) {
	e := s.extraOf(r)
	out.Put(ColumnExtraSelf, e.self)
	out.Put(ColumnExtraHier, e.hier)
	if whole := s.wholeExcess(); whole > leastExcess && !out.Idle {
		out.Put(ColumnExtraPercent, 100*e.self/whole)
	}
	if r.path > 0 {
		out.Site = s.where(r.path)
	}
}

// whereLevels is the number of callers that where names.
const whereLevels = 3

// where names the callers of a path, innermost first.
func (s *Session) where(path int32) string {
	o := &s.lens.others
	if text, known := o.where[path]; known {
		return text
	}
	if o.where == nil {
		o.where = make(map[int32]string)
	}
	var above []string
	up := s.tree.paths[path].parent
	for ; up > 0 && len(above) < whereLevels; up = s.tree.paths[up].parent {
		above = append(above, s.zones[s.tree.paths[up].zone].Name)
	}
	text := "at the top"
	if len(above) > 0 {
		text = "in " + strings.Join(above, " in ")
	}
	if up > 0 {
		text += " ..."
	}
	o.where[path] = text
	return text
}

// lostWarning is the warning about frames without records. Its text changes only with the number, so that a report does
// not allocate.
func (l *lensed) lostWarning(n int) string {
	if o := &l.others; o.warned != n || o.warning == "" {
		o.warned = n
		o.warning = fmt.Sprintf("%d frames that the lens chooses have lost their records and are left out: "+
			"SetHistory keeps more", n)
	}
	return l.others.warning
}
