package process

// MostDepths is the number of recursion depths that are told apart. The last one includes all that are deeper.
const MostDepths = 16

// ZoneDepths holds the entries of a recursive zone by the depth of its recursion.
type ZoneDepths struct {
	Zone    ZoneID
	Entries []float64 // by the number of entries of the zone around it: 0 for the outermost
}

// addDepth adds entries at a depth to a list of entries by depth.
func addDepth(list []float64, depth int32, entries float64) []float64 {
	at := min(int(depth), MostDepths-1)
	for len(list) <= at {
		list = append(list, 0)
	}
	list[at] += entries
	return list
}

// appendDepths appends the entries of a zone by depth in the frame that was loaded last. A zone without recursion has
// none.
func (s *Session) appendDepths(dst []float64, zone ZoneID) []float64 {
	first := len(dst)
	for i := range s.tree.paths {
		if p := &s.tree.paths[i]; p.zone == zone && i < len(s.values) && s.values[i].count > 0 {
			dst = append(dst[:first], addDepth(dst[first:], p.depth, s.values[i].count)...)
		}
	}
	if len(dst) == first+1 {
		return dst[:first]
	}
	return dst
}
