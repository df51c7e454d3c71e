//go:build (amd64 || arm64) && gc && !purego

package platform

import "unsafe"

// The offsets of a goroutine's go statement and status in its record, 0 if not known: see discover.
var spawnOffset, statusOffset uintptr

// The runtime's numbers for the states of a goroutine. They have been the same since Go 1.5, because debuggers use
// them.
const (
	statusRunning = 2
	statusDead    = 6
	statusScan    = 0x1000 // added while the collector reads the stack
)

// statusOf returns the status from its word in a record, which has a lock in its upper half.
func statusOf(word uint64) uint32 { return uint32(word) &^ statusScan }

// Spawn returns the place of the go statement that made the goroutine with a key from Identity: a return address for
// runtime.CallersFrames. It is 0 if not known. Any goroutine may call it; it takes a nanosecond.
func Spawn(key uint64) uintptr {
	if idOffset() == 0 || spawnOffset == 0 {
		return 0
	}
	return uintptr(wordAt(key, spawnOffset))
}

// Ended reports whether the goroutine with a key and an id from Identity has ended. It returns false if that is not
// known. Any goroutine may call it.
func Ended(key, id uint64) bool {
	if idOffset() == 0 || statusOffset == 0 || key == 0 {
		return false
	}
	dead := statusOf(wordAt(key, statusOffset)) == statusDead // before the id, which may change afterwards
	return wordAt(key, foundOffset) != id || dead
}

// wordAt reads a word of a goroutine's record. Records are never freed.
//
//go:norace
func wordAt(key uint64, offset uintptr) uint64 {
	record := *(*unsafe.Pointer)(unsafe.Pointer(&key))
	return *(*uint64)(unsafe.Add(record, offset))
}
