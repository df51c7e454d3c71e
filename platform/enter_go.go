//go:build !((amd64 || arm64) && gc) || purego

package platform

// Assembly reports whether Enter, EnterCaller and Leave are the assembly versions.
const Assembly = false

// homeBits is small, because without assembly another slot takes little longer to find than a home slot.
const homeBits = 10

const (
	counterJitter = 0
	hasCounter    = false
)

func counterQualifies() (bool, string) { return false, "this build has no assembly for the counter" }
func serveCounter(bool)                {}
func fixedRate() float64               { return 0 }
func ticks() Ticks                     { return readClock() }

// Enter returns the calling goroutine's slot and the time. If the goroutine owns no home slot, slot is nil and the
// time is not read.
func Enter() (slot *Slot, t Ticks) { return enterGo() }

// EnterCaller is Enter that also returns the return address of its caller's caller. Its caller must not be inlined.
func EnterCaller() (slot *Slot, t Ticks, pc uintptr) {
	slot, t = enterGo()
	return slot, t, callerGo(4)
}

// Find is Enter without reading the time.
func Find() *Slot { return findGo() }

// FindIdentity is Find and Identity in one.
func FindIdentity() (slot *Slot, key, id uint64) {
	key, id = Identity()
	if slot = Home(id); slot.ID != id {
		slot = nil
	}
	return slot, key, id
}

// FindTime is Enter, but reads the time only if the slot is Timed. Otherwise t is 0.
func FindTime() (slot *Slot, t Ticks) { return findTimeGo() }

// FindCaller is EnterCaller, but reads the time like FindTime.
func FindCaller() (slot *Slot, t Ticks, pc uintptr) {
	slot, t = findTimeGo()
	return slot, t, callerGo(4)
}

// Leave returns the time, or 0 if the slot belongs to a goroutine other than the caller's.
func Leave(slot *Slot) Ticks { return slot.Now() }

// Identity returns the goroutine's key, which finds its slot, and its id. A later goroutine may have the same key,
// but never the same id.
func Identity() (key, id uint64) {
	id = stackID()
	return id, id
}

// Spawn returns 0, because the go statement that made a goroutine is not known.
func Spawn(uint64) uintptr { return 0 }

// Ended returns false, because the state of a goroutine is not known.
func Ended(uint64, uint64) bool { return false }

// Direct reports whether home slots may be claimed, so that Enter finds them.
func Direct() bool { return true }

// Goroutine returns the calling goroutine's id.
func Goroutine() uint64 { return stackID() }

// StackDepth returns a number for the depth of the stack. Two calls from the same place have equal numbers if and
// only if their depths are equal. It returns 0 if the depth is not known.
func StackDepth() uintptr { return stackDepthGo() }
