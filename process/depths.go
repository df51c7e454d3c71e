package process

import "example.com/iprof/process/report"

// appendDepths appends the entries of a zone by depth in the frame that was loaded last. A zone without recursion has
// none.
func (s *store) appendDepths(dst []float64, zone ZoneID) []float64 {
	first := len(dst)
	for i := range s.tree.Paths {
		if p := &s.tree.Paths[i]; p.Zone == zone && i < len(s.values) && s.values[i].Count > 0 {
			dst = append(dst[:first], report.AddDepth(dst[first:], p.Depth, s.values[i].Count)...)
		}
	}
	if len(dst) == first+1 {
		return dst[:first]
	}
	return dst
}
