//go:build (amd64 || arm64) && gc && !purego

package platform

// Assembly reports whether Enter, EnterCaller and Leave are the assembly versions.
const Assembly = true

// homeBits sets the number of home slots. The assembly has 32-homeBits as a constant shift. Hundreds of goroutines at
// once have a home slot each.
const homeBits = 13

// Enter returns the calling goroutine's slot and the time. If the goroutine owns no home slot, slot is nil and the
// time is not read.
//
//go:noescape
func Enter() (slot *Slot, t Ticks)

// EnterCaller is Enter that also returns the return address of its caller's caller. Its caller must not be inlined.
//
//go:noescape
func EnterCaller() (slot *Slot, t Ticks, pc uintptr)

// Find is Enter without reading the time.
//
//go:noescape
func Find() *Slot

// FindIdentity is Find and Identity in one. Without a home slot anywhere, it may return numbers that no lane has.
//
//go:noescape
func FindIdentity() (slot *Slot, key, id uint64)

// FindTime is Enter, but reads the time only if the slot is Timed. Otherwise t is 0.
//
//go:noescape
func FindTime() (slot *Slot, t Ticks)

// FindCaller is EnterCaller, but reads the time like FindTime.
//
//go:noescape
func FindCaller() (slot *Slot, t Ticks, pc uintptr)

// enterClock, enterCallerClock and leaveClock finish Enter, EnterCaller and Leave with any clock.
//
//lint:ignore U1000 the assembly calls it
func enterClock() (slot *Slot, t Ticks)

//lint:ignore U1000 the assembly calls it
func enterCallerClock() (slot *Slot, t Ticks, pc uintptr)

//lint:ignore U1000 the assembly calls it
func leaveClock(slot *Slot) Ticks

// Leave returns the time, or 0 if the slot is known to belong to a goroutine other than the caller's.
//
//go:noescape
func Leave(slot *Slot) Ticks

// ticks reads the counter.
//
//go:noescape
func ticks() Ticks

// record returns the address of the runtime's record of the calling goroutine. Records are never freed, but later
// goroutines reuse them.
//
//go:noescape
func record() uintptr

// recordWord returns the word at an offset in the calling goroutine's record. It is assembly because the race
// detector's pointer checks forbid this load in Go.
//
//go:noescape
func recordWord(offset uintptr) uint64

// StackDepth returns a number for the depth of the stack. Two calls from the same place have equal numbers if and
// only if their depths are equal. It returns 0 if the depth is not known.
//
//go:noescape
func StackDepth() uintptr

// Identity returns the goroutine's key, which finds its slot, and its id. A later goroutine may have the same key,
// but never the same id.
func Identity() (key, id uint64) {
	if offset := idOffset(); offset != 0 {
		return uint64(record()), recordWord(offset)
	}
	id = stackID()
	return id, id
}

// Direct reports whether home slots may be claimed, so that Enter finds them. It returns false if goroutine ids could
// not be found.
func Direct() bool {
	if source.Load() == unknown {
		qualify()
	}
	if idOffset() == 0 {
		return false
	}
	setting.Lock()
	defer setting.Unlock()
	serveCounter(source.Load() == counter)
	return true
}

// Goroutine returns the calling goroutine's id.
func Goroutine() uint64 {
	_, id := Identity()
	return id
}
