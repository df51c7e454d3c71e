package iprof

import "example.com/iprof/gather"

// SetOverheadLimit promises that measuring takes no more than a share of the time: 0.02 for 2 %. It starts at 0, which
// promises nothing; more than 1 is 1. While measuring takes more on a goroutine, the zones that it enters most often for the
// least time are demoted: every entry is still counted, but only some, chosen at random, are timed. From these the self time
// of all is estimated without bias, and shown with "~" before it; see process.Record.StandardError for how far it may be off.
// What is around demoted zones keeps its exact time. When measuring has become cheap again, everything is timed again.
//
// The estimates are good for a run, to about 3 % and better the longer it is; those of a single frame may be far off. When
// counting alone takes more than the limit, the report says so. Any goroutine may call it. See BenchmarkBegin/case=demoted for
// what a demoted zone costs.
func SetOverheadLimit(share float64) { gather.SetOverheadLimit(share) }

// OverheadLimit returns what SetOverheadLimit set.
func OverheadLimit() float64 { return gather.OverheadLimit() }
