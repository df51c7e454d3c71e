package governor

import "math"

// Around is what is kept from frame to frame of the zone around counted entries. The zero value is that of the first
// frame.
type Around struct {
	owed float64 // ticks to give later
	rest Least   // its own least self time, as a share of the estimates
}

const (
	mostOwed  = 8          // frames' estimates
	leastRest = 1.0 / 1024 // so that no share is 0
)

// Give decides how much of its self time the zone gives away in a frame. there is that time, and estimates is the sum
// of what others want, with a variance. A part that is not there is owed, and given in later frames. share is the part
// of the estimates that is given. excess is the time beyond the zone's usual rest and the error of the estimates.
func (a *Around) Give(there, estimates, variance float64) (share, excess float64) {
	want := estimates + a.owed
	got := min(max(want, 0), there)
	excess = max(there-got-float64(a.rest)*estimates-2*math.Sqrt(variance), 0)
	most := mostOwed * estimates
	a.owed = min(max(want-got, -most), most)
	a.rest.Note(max((there-got)/estimates, leastRest))
	return got / estimates, excess
}
