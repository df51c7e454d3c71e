package iprof

import "example.com/iprof/gather"

// SetOverheadLimit promises that measuring takes no more than a share of the time: 0.02 for 2 %. It starts at 0, which
// promises nothing; more than 1 is 1. While measuring takes more on a goroutine, the zones that it enters most often for the
// least time are demoted: every entry is still counted, but only some, chosen at random, are timed. From these the self time
// of all is estimated without bias, and shown with "~" before it; see process.Record.StandardError for how far it may be off.
// What is around demoted zones keeps its exact time. When measuring has become cheap again, everything is timed again.
//
// The estimates are good for a run, the better the longer it is; those of a single frame may be far off. What is left to a zone
// around many demoted ones is known less well: what timing these takes in the program is known to about a nanosecond an entry, and
// what is wrong with all of them is wrong with it, the other way round. What happens seldom and takes very much longer than all
// else in such zones is left there as well, until it has been met several times.
//
// Where even counting takes more than the limit, zones that are not eight times as long as that takes are muted, if nothing but
// such zones is ever entered inside them: in most frames their entries are not even counted, and then their numbers are estimates
// too, from the frames in between, and shown with "≈". Otherwise counts are always exact, and the report says by how much the
// limit is missed. Any goroutine may call it. See BenchmarkBegin/case=demoted and case=muted for what such zones cost.
func SetOverheadLimit(share float64) { gather.SetOverheadLimit(share) }

// OverheadLimit returns what SetOverheadLimit set.
func OverheadLimit() float64 { return gather.OverheadLimit() }
