package platform

import "runtime"

// enterGo is Enter in Go: what the assembly does, but the goroutine's key is its id.
func enterGo() (slot *Slot, t Ticks) {
	if slot = findGo(); slot == nil {
		return nil, 0
	}
	return slot, Now()
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
		t = Now()
	}
	return slot, t
}

// callerGo returns the return address skip frames up, counted as runtime.Callers does.
func callerGo(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip, pc[:])
	return pc[0]
}

//lint:file-ignore U1000 what is used where there is no assembly, and by the tests that compare the two

// depthKnown bounds the walk of stackDepthGo.
const depthKnown = 64

// stackDepthGo counts frames; above depthKnown it gives up.
func stackDepthGo() uintptr {
	var pcs [depthKnown]uintptr
	if n := runtime.Callers(2, pcs[:]); n < depthKnown {
		return uintptr(n)
	}
	return 0
}
