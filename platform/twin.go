package platform

import "runtime"

// enterGo is Enter in Go. It differs from the assembly in one thing: the goroutine's key is its id.
//
//go:norace
func enterGo() (slot *Slot, t Ticks) {
	if slot = findGo(); slot == nil {
		return nil, 0
	}
	return slot, slot.Now()
}

// findGo is Find in Go.
func findGo() *Slot {
	id := stackID()
	if slot := Home(id); slot.ID == id {
		return slot
	}
	return nil
}

// findTimeGo is FindTime in Go.
func findTimeGo() (slot *Slot, t Ticks) {
	if slot = findGo(); slot != nil && slot.Timed() {
		t = slot.Now()
	}
	return slot, t
}

// callerGo returns the return address of the caller skip frames up, counted like in runtime.Callers.
func callerGo(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip, pc[:])
	return pc[0]
}

//lint:file-ignore U1000 used without assembly, and by the tests that compare both versions

// depthKnown is the deepest stack that stackDepthGo counts.
const depthKnown = 64

// stackDepthGo returns the number of frames on the stack, or 0 above depthKnown.
func stackDepthGo() uintptr {
	var pcs [depthKnown]uintptr
	if n := runtime.Callers(2, pcs[:]); n < depthKnown {
		return uintptr(n)
	}
	return 0
}
