package governor

import "math"

// Encloser is the state between frames of a zone that encloses counted entries. The zero value is ready for use.
type Encloser struct {
	debt float64 // ticks to give later
	rest Least   // the zone's least own self time, as a share of the estimates
}

const (
	mostOwed  = 8          // frames' estimates
	leastRest = 1.0 / 1024 // so that no share is 0
)

// Give decides how much of its self time the zone gives away in a frame. there is the zone's self time, estimates is
// the sum of the estimates with its variance. The zone owes a part beyond there, and gives it in later frames. share is
// the given part of the estimates. excess is the time beyond the zone's usual rest and the error of the estimates.
func (a *Encloser) Give(own, estimates, variance float64) (share, excess float64) {
	due := estimates + a.debt
	given := min(max(due, 0), own)
	excess = max(own-given-float64(a.rest)*estimates-2*math.Sqrt(variance), 0)
	most := mostOwed * estimates
	a.debt = min(max(due-given, -most), most)
	a.rest.Note(max((own-given)/estimates, leastRest))
	return given / estimates, excess
}
