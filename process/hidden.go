package process

import "slices"

// mostHidden is the greatest number of hidden zones. Each row of a report is looked up among them.
const mostHidden = 256

// SetHidden hides the rows of a zone in all reports, and its part of the history, or shows them again. It goes on being
// measured, and what called it keeps its time. The zone of a call graph keeps its row. At most 256 zones are hidden;
// further ones stay. View.Hidden lists them. Any goroutine may call it.
func (s *Session) SetHidden(zone ZoneID, on bool) {
	s.adjust(func(v *View) {
		others := slices.DeleteFunc(slices.Clone(v.Hidden), func(z ZoneID) bool { return z == zone })
		if on && zone >= 0 && len(others) < mostHidden {
			others = append(others, zone)
		}
		v.Hidden = others
	})
}

// ShowHidden shows all hidden zones again. It returns their number. Any goroutine may call it.
func (s *Session) ShowHidden() (shown int) {
	s.adjust(func(v *View) { shown, v.Hidden = len(v.Hidden), nil })
	return shown
}
