package process

import "strconv"

// arrangeLines compares the report with the baseline and puts its rows on lines.
func (s *builder) arrangeLines(r *Report, v *View) {
	if r.Baseline = (Baseline{}); v.Compare {
		s.compared.Compare(r)
	}
	var tree []TreeNode
	if r.Grouped() && len(r.Records) > 0 {
		s.grouped = s.appendBranch(s.grouped[:0], 0)
		tree = s.grouped
	}
	s.arranger.Arrange(r, tree, s.zone)
}

// appendArrangement describes the arrangement in a report's title.
func (s *builder) appendArrangement(dst []byte, v *View) []byte {
	if v.Order.Chosen {
		dst = v.Order.AppendWords(append(dst, "  by "...))
	}
	if v.Grouping == GroupingPackage {
		dst = append(dst, "  by package"...)
	}
	if v.CallersOnly {
		dst = append(dst, "  callers only"...)
	}
	if v.Filter != "" {
		dst = append(append(append(dst, "  find \""...), v.Filter...), '"')
	}
	if n := len(v.Hidden); n > 0 {
		dst = append(strconv.AppendInt(append(dst, "  "...), int64(n), 10), " hidden"...)
	}
	if v.Compare {
		dst = append(append(dst, "  "...), s.compared.Label...)
	}
	return dst
}
