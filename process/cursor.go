package process

import "slices"

// mark identifies the record that the user chose. Its index is no identity: rows change places.
type mark struct {
	set   bool
	zone  ZoneID
	path  int32
	depth int
	group Group
}

func markOf(r *Record) mark { return mark{true, r.Zone, r.Path, r.Depth, r.Group} }

// find returns the index of the marked record. Without it, as in another report mode, it returns the first row of the
// marked zone, preferably in the focus group, or -1. It compares depths only where they tell rows apart, because depth
// changes with the frame.
func (m mark) find(r []Record, spread bool) int {
	zone, focus := -1, false
	for i := range r {
		if r[i].Zone != m.zone {
			continue
		}
		if r[i].Path == m.path && r[i].Group == m.group &&
			(m.path >= 0 || !spread || max(r[i].Depth, 1) == max(m.depth, 1)) {
			return i
		}
		if own := r[i].Group == GroupFocus; zone < 0 || own && !focus {
			zone, focus = i, own
		}
	}
	return zone
}

// cursor returns the index of the record to highlight. Until the user chooses one, it is the first busy record: idle
// ones, often the largest, are rarely of interest. After that it is the chosen record, or the one in its place if it is
// gone.
func (s *builder) cursor(v *View, r []Record) int {
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
		if i := s.marked.find(r, v.Recursion == RecursionSpread); i >= 0 {
			return i
		}
	}
	return at
}

// averageWords name the averages in a report's title.
var averageWords = [...]string{
	AverageShort: ", average of 0.8 s", AverageLong: ", average of 2.5 s", AverageInstant: ", not smoothed",
}

// appendPin names the pinned path in a report's title.
func (s *store) appendPin(dst []byte, v *View) []byte {
	if len(v.Pin) == 0 {
		return dst
	}
	return append(append(dst, "  below "...), s.zone(v.Pin[len(v.Pin)-1]).Name...)
}
