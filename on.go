//go:build !iprof_off

package iprof

import (
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// Begin enters a private zone, which belongs to this place in the program. Two places with the same name are two rows,
// and so are two names at one place. End it on the same goroutine, preferably in the same line:
//
//	defer iprof.Begin("physics").End()
//
// The name is any text. At most 1,024 names at one place have rows; the others share the row "(other)". Any goroutine
// may call it. Cost: BenchmarkBegin/form=named; by many goroutines, BenchmarkCrowd.
//
// Begin reads its own return address to find the place. So it must not be inlined, and it must not delegate. A wrapper
// that the compiler does not inline is one place for all its callers. Begin is nosplit: the functions that it calls
// check for stack space.
//
//go:nosplit
//go:noinline
func Begin(name string) Scope {
	if state := measure.State(); state != measure.Timing {
		if state == measure.Off {
			return Scope{}
		}
		slot, now, pc := platform.FindCaller()
		return measure.CountSite(slot, now, pc, name)
	}
	slot, now, pc := platform.EnterCaller()
	return measure.OpenSite(slot, now, pc, name)
}

// Func enters a private zone with the name of the calling function. Otherwise it is like Begin.
//
//	defer iprof.Func().End()
//
//go:nosplit
//go:noinline
func Func() Scope {
	if state := measure.State(); state != measure.Timing {
		if state == measure.Off {
			return Scope{}
		}
		slot, now, pc := platform.FindCaller()
		return measure.CountSite(slot, now, pc, "")
	}
	slot, now, pc := platform.EnterCaller()
	return measure.OpenSite(slot, now, pc, "")
}
