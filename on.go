//go:build !iprof_off

package iprof

import (
	"unsafe"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// Where Begin and Func find what they will return to, if they must be quick.
var beginReturn, funcReturn platform.ReturnAddress

// Begin enters a private zone: one that lives at this place in the program only. Two places with the same name are two rows,
// and so are two names at one place. End it on the same goroutine, best by the line that begins it:
//
//	defer iprof.Begin("physics").End()
//
// The name is any text; at most 1,024 names at one place, the rest are folded into "(other)". See BenchmarkBegin/form=named
// for the cost.
//
// Begin is itself the frame that reads its caller's return address, so it may neither delegate nor be inlined: a wrapper
// that the compiler does not inline would become the one place of all its callers. It leaves it to what it calls to ask for more
// stack.
//
//go:nosplit
//go:noinline
func Begin(name string) Scope {
	if state := gather.State(); state != gather.Timing {
		if state == gather.Hushed { // before looking the goroutine up, which is most of what is saved
			var here uintptr
			at := unsafe.Pointer(&here)
			if gather.Silent(beginReturn.Read(at), name) ||
				!beginReturn.Known() && gather.Silent(beginReturn.Learn(platform.ReturnDistance(at), at), name) {
				return Scope{}
			}
		} else if state == gather.Off {
			return Scope{}
		}
		slot, now, pc := platform.FindCaller()
		return gather.CountSite(slot, now, pc, name)
	}
	slot, now, pc := platform.EnterCaller()
	return gather.OpenSite(slot, now, pc, name)
}

// Func enters a zone that names itself after the function it is called from.
//
//	defer iprof.Func().End()
//
//go:nosplit
//go:noinline
func Func() Scope {
	if state := gather.State(); state != gather.Timing {
		if state == gather.Hushed { // before looking the goroutine up, which is most of what is saved
			var here uintptr
			at := unsafe.Pointer(&here)
			if gather.Silent(funcReturn.Read(at), "") ||
				!funcReturn.Known() && gather.Silent(funcReturn.Learn(platform.ReturnDistance(at), at), "") {
				return Scope{}
			}
		} else if state == gather.Off {
			return Scope{}
		}
		slot, now, pc := platform.FindCaller()
		return gather.CountSite(slot, now, pc, "")
	}
	slot, now, pc := platform.EnterCaller()
	return gather.OpenSite(slot, now, pc, "")
}
