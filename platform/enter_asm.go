//go:build (amd64 || arm64) && gc && !purego

package platform

// Assembly reports whether Enter, EnterCaller and Leave are the assembly versions.
const Assembly = true

// Enter returns the calling goroutine's slot and the time. The slot is nil when the goroutine has no home slot of its own:
// then the time is not read.
//
//go:noescape
func Enter() (slot *Slot, t Ticks)

// EnterCaller is Enter, and returns the address its caller's caller will return to as well. Its caller must not be inlined.
//
//go:noescape
func EnterCaller() (slot *Slot, t Ticks, pc uintptr)

// Find is Enter without reading the time.
//
//go:noescape
func Find() *Slot

// FindTime is Enter, but reads the time only if the slot is Timed; else it returns 0.
//
//go:noescape
func FindTime() (slot *Slot, t Ticks)

// FindCaller is EnterCaller, but reads the time as FindTime does.
//
//go:noescape
func FindCaller() (slot *Slot, t Ticks, pc uintptr)

// Leave returns the time, or 0 when the calling goroutine is known not to be the slot's.
//
//go:noescape
func Leave(slot *Slot) Ticks

// ticks reads the counter.
//
//go:noescape
func ticks() Ticks

// record returns the address of the runtime's record of the calling goroutine. Records are never freed, but used again
// for other goroutines.
//
//go:noescape
func record() uintptr

// recordWord returns the word at an offset of the calling goroutine's record. Go code may not look there itself: the race
// detector's pointer checks would object.
//
//go:noescape
func recordWord(offset uintptr) uint64

// StackDepth returns a figure that is the same for two calls from the same place at the same depth of the stack, and differs
// for calls from the same place at another depth; 0 when it is not known.
//
//go:noescape
func StackDepth() uintptr

// Identity returns the goroutine's key, which finds its slot, and its id. The key may be used again by a later
// goroutine; the id is not.
func Identity() (key, id uint64) {
	if offset := idOffset(); offset != 0 {
		return uint64(record()), recordWord(offset)
	}
	id = stackID()
	return id, id
}

// Direct reports whether home slots may be claimed, so that Enter finds them: it does not when the clock is not the
// processor's counter, or goroutine ids could not be found.
func Direct() bool {
	if source.Load() == unknown {
		qualify()
	}
	return source.Load() == counter && idOffset() != 0
}

// Goroutine returns the calling goroutine's id.
func Goroutine() uint64 {
	_, id := Identity()
	return id
}
