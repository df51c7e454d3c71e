package runreport

import (
	"cmp"
	"math"
	"regexp"
	"slices"

	"example.com/iprof/internal/sampled"
)

// addRounds adds the rows of bodies of loops over iterators to the rows of the functions with the loops.
func addRounds(rows []row) []row {
	type place struct{ file, name string }
	at, found := map[place]int{}, false
	for i := range rows {
		at[place{rows[i].Info.File, rows[i].Info.Name}] = i
	}
	for i := range rows {
		z := &rows[i]
		function, ok := sampled.RoundOf(z.Info.Name)
		if !ok {
			continue
		}
		found = true
		if to, known := at[place{z.Info.File, function}]; known {
			rows[to].take(z)
			z.Info.Name = ""
		} else {
			z.Info.Name, z.Info.Function = function, aroundRound(z.Info.Function)
			at[place{z.Info.File, function}] = i
		}
	}
	if !found {
		return rows
	}
	rows = slices.DeleteFunc(rows, func(z row) bool { return z.Info.Name == "" && z.Zone != 0 })
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.Self-b.Waited, a.Self-a.Waited) })
	return rows
}

// take adds the times of a body of a loop. The calls stay those of the function.
func (z *row) take(body *row) {
	z.Self, z.Waited, z.Measured = z.Self+body.Self, z.Waited+body.Waited, z.Measured+body.Measured
	z.Least, z.WaitedOff = z.Least+body.Least, math.Hypot(z.WaitedOff, body.WaitedOff)
	z.Most += body.Most
	z.Off, z.Info.Computes = math.Hypot(z.Off, body.Off), z.Info.Computes && body.Info.Computes
	z.Sampled, z.Unknown = z.Sampled || body.Sampled, z.Unknown || body.Unknown
	z.Estimated = max(z.Estimated, body.Estimated)
}

// namedRound ends the compiler's name of the body of a loop over an iterator.
var namedRound = regexp.MustCompile(`-range\d+$`)

// aroundRound returns the function with a loop for the function of its body, and other functions as they are.
func aroundRound(function string) string { return namedRound.ReplaceAllString(function, "") }

// aroundRoundZone returns the name of the function with a loop for the zone of its body, and other names as they are.
func aroundRoundZone(name string) string {
	if function, ok := sampled.RoundOf(name); ok {
		return function
	}
	return name
}
