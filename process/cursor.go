package process

// cursor is the record that a report highlights. Until the user points at one, it is the first that is work: waiting, which
// often comes first, is not what one looks for.
func (s *Session) cursor(v *View, r []Record) int {
	if v == &s.view && !s.pointed && v.Cursor <= 0 {
		for i := range r {
			if !r[i].Idle {
				return i
			}
		}
	}
	return min(max(v.Cursor, 0), len(r)-1)
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
