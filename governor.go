package iprof

import "example.com/iprof/gather"

// SetOverheadLimit bounds what measuring costs, as a share of each goroutine's time: 0.02 is 2 %. The default, 0, is
// no limit; more than 1 is 1.
//
// While measuring costs more on a goroutine, the zones that it enters most often for the least time are demoted: each
// entry is still counted, but only some are timed, at random. The time of all is estimated from these, and shown with
// "~" before the name, as is the zone around them, which keeps the rest. Record.StandardError says how far an
// estimate may be off. Counts and sums stay exact. When measuring has become cheap again, everything is timed again.
//
// Where counting alone costs more than the limit, the report says by how much the limit is missed. Zone.SetMuted
// helps then. docs/governor.md has the method and its accuracy; BenchmarkBegin/case=demoted measures the cost of a
// demoted zone. Any goroutine may call it.
func SetOverheadLimit(share float64) { gather.SetOverheadLimit(share) }
