package iprof

import "example.com/iprof/gather"

// SetOverheadLimit promises that measuring takes no more than a share of the time: 0.02 for 2 %. It starts at 0, which
// promises nothing; more than 1 is 1. While measuring takes more on a goroutine, the zones that it enters most often for the
// least time are demoted: every entry is still counted, but only some, chosen at random, are timed. From these the self time
// of all is estimated without bias, and shown with "~" before it; see process.Record.StandardError for how far it may be off.
// What is around demoted zones keeps its exact time. When measuring has become cheap again, everything is timed again.
//
// The estimates are good for a run, the better the longer it is; those of a single frame may be far off. What timing takes in the
// program is known to about a nanosecond an entry, so of very short zones, and of the little that a zone has to itself around many
// demoted ones, less is known. What such a zone and those in it have together is exact. Where a frame has more than its timed entries
// tell, that is told for the demoted zones up to three standard errors, and beyond for the zone around: what happens seldom and takes
// very much longer than all else is left there, until it has been met several times.
//
// Where even counting takes more than the limit, zones that are not eight times as long as that takes are muted, if nothing but
// such zones is ever entered inside them: in most frames their entries are not even counted, and then their numbers are estimates
// too, from the frames in between, and shown with "≈". Otherwise counts are always exact, and the report says by how much the
// limit is missed. Any goroutine may call it. See BenchmarkBegin/case=demoted and case=muted for what such zones cost: a muted Zone hardly
// more than its defer, if it has one, but a private zone the call of Begin or Func, too, which cannot be inlined.
func SetOverheadLimit(share float64) { gather.SetOverheadLimit(share) }

// OverheadLimit returns what SetOverheadLimit set.
func OverheadLimit() float64 { return gather.OverheadLimit() }
