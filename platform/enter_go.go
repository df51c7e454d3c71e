//go:build !((amd64 || arm64) && gc) || purego

package platform

import "unsafe"

// Assembly reports whether Enter, EnterCaller and Leave are the assembly versions.
const Assembly = false

const counterJitter = 0

func counterQualifies() bool { return false }
func fixedRate() float64     { return 0 }
func ticks() Ticks           { return nowSlow() }

// Enter returns the calling goroutine's slot and the time. The slot is nil when the goroutine has no home slot of its own:
// then the time is not read.
func Enter() (slot *Slot, t Ticks) { return enterGo() }

// EnterCaller is Enter, and returns the address its caller's caller will return to as well. Its caller must not be inlined.
func EnterCaller() (slot *Slot, t Ticks, pc uintptr) {
	slot, t = enterGo()
	return slot, t, callerGo(4)
}

// Find is Enter without reading the time.
func Find() *Slot { return findGo() }

// FindTime is Enter, but reads the time only if the slot is Timed; else it returns 0.
func FindTime() (slot *Slot, t Ticks) { return findTimeGo() }

// FindCaller is EnterCaller, but reads the time as FindTime does.
func FindCaller() (slot *Slot, t Ticks, pc uintptr) {
	slot, t = findTimeGo()
	return slot, t, callerGo(4)
}

// A ReturnAddress is where one function finds the address that it will return to.
type ReturnAddress struct{}

// Read returns that address for the present call.
func (*ReturnAddress) Read(unsafe.Pointer) uintptr { return callerGo(4) }

// Known reports whether Learn was called, or need not be.
func (*ReturnAddress) Known() bool { return true }

// Learn need not be called.
func (*ReturnAddress) Learn(uintptr, unsafe.Pointer) uintptr { return 0 }

// ReturnDistance is not known.
func ReturnDistance(unsafe.Pointer) uintptr { return 0 }

// Leave returns the time, or 0 when the calling goroutine is known not to be the slot's.
func Leave(slot *Slot) Ticks { return Now() }

// Identity returns the goroutine's key, which finds its slot, and its id. The key may be used again by a later
// goroutine; the id is not.
func Identity() (key, id uint64) {
	id = stackID()
	return id, id
}

// Direct reports whether home slots may be claimed, so that Enter finds them.
func Direct() bool { return true }

// Goroutine returns the calling goroutine's id.
func Goroutine() uint64 { return stackID() }

// StackDepth returns a figure that is the same for two calls from the same place at the same depth of the stack, and differs
// for calls from the same place at another depth; 0 when it is not known.
func StackDepth() uintptr { return stackDepthGo() }
