package process

import "slices"

// mark is a record that the user has chosen, as what it is of: rows change their places.
type mark struct {
	set        bool
	zone, path int32
	depth      int
	group      Group
}

func markOf(r *Record) mark { return mark{true, r.Zone, r.Path, r.Depth, r.Group} }

// find returns where the marked record is, by its depth only where that tells rows apart, since it changes with the frame. If it is in
// no row, as in another kind of report, it is where its zone is first, a row of the zone itself before one that is about another; -1 if
// that has none.
func (m mark) find(r []Record, spread bool) int {
	zone, focus := -1, false
	for i := range r {
		if r[i].Zone != m.zone {
			continue
		}
		if r[i].Path == m.path && r[i].Group == m.group && (m.path >= 0 || !spread || max(r[i].Depth, 1) == max(m.depth, 1)) {
			return i
		}
		if own := r[i].Group == GroupFocus; zone < 0 || own && !focus {
			zone, focus = i, own
		}
	}
	return zone
}

// cursor is the record that a report highlights. Until the user points at one, it is the first that is work: waiting, which
// often comes first, is not what one looks for. Then it is that one, wherever it goes, or what is in its place if it is gone.
func (s *Session) cursor(v *View, r []Record) int {
	at := min(max(v.Cursor, 0), len(r)-1)
	switch {
	case v != &s.view || len(r) == 0:
	case !s.pointed:
		if first := slices.IndexFunc(r, func(r Record) bool { return !r.Idle }); v.Cursor <= 0 && first >= 0 {
			return first
		}
	case !s.marked.set:
		s.marked = markOf(&r[at])
	default:
		if i := s.marked.find(r, v.Recursion == Spread); i >= 0 {
			return i
		}
	}
	return at
}

// averageWords say how the newest frame's values are smoothed.
var averageWords = [...]string{Short: ", mean of 0.8 s", Long: ", mean of 2.5 s", Instant: ", not smoothed"}

// appendPin says below what alone rows count.
func (s *Session) appendPin(dst []byte, v *View) []byte {
	if len(v.Pin) == 0 {
		return dst
	}
	return append(append(dst, "  below "...), s.zone(v.Pin[len(v.Pin)-1]).Name...)
}
