//go:build (amd64 || arm64) && gc && !purego

package platform

import (
	"runtime"
	"sync"
)

// goidOffset is the offset of a goroutine's id in its record. While it is 0, the assembly reads the bound of the stack
// instead, which is never a slot's ID. It is written once, before any home slot is claimed.
//
//lint:ignore U1000 the assembly reads it
var goidOffset uintptr

// counterOffset is goidOffset while the counter is the clock, and 0 otherwise. So with another clock Enter and Leave
// find no slot, and go on in functions that read the other clock.
//
//lint:ignore U1000 the assembly reads it
var counterOffset uintptr

// serveCounter sets whether Enter and Leave read the counter. The mutex setting is held.
//
//go:norace
func serveCounter(on bool) {
	if counterOffset = 0; on {
		counterOffset = idOffset()
	}
}

var (
	findOffset  sync.Once
	foundOffset uintptr
)

// recordScan is the number of bytes of a record that are searched. It is less than the size of a record in Go 1.25
// and 1.26, where the id is at 152.
const recordScan = 400

// idOffset returns the offset of the id in goroutine records, or 0 if it could not be found.
func idOffset() uintptr {
	findOffset.Do(func() {
		found := discover(3)
		foundOffset, spawnOffset, statusOffset = found.id, found.spawn, found.status
		goidOffset = foundOffset
	})
	return foundOffset
}

// offsets are places in a goroutine's record. 0 means that the place was not found.
type offsets struct{ id, spawn, status uintptr }

// discover starts a few goroutines. Each compares every word of its own record with its id, as printed by
// runtime.Stack, and with the go statement that made it, which is in this function. An offset is found if it is the
// only one that matches in all of the goroutines. The status stands before the id.
//
//go:noinline
func discover(witnesses int) (found offsets) {
	self, _, _, _ := runtime.Caller(0)
	entry := runtime.FuncForPC(self).Entry()
	var ids, spawns, running matches
	for range witnesses {
		results := make(chan witness)
		go func() {
			id := stackID()
			results <- witness{
				matchRecord(func(word uint64) bool { return word == id }),
				matchRecord(func(word uint64) bool { return isIn(uintptr(word), entry) }),
				matchRecord(func(word uint64) bool { return statusOf(word) == statusRunning }),
			}
		}()
		w := <-results
		ids.add(&w.ids)
		spawns.add(&w.spawns)
		running.add(&w.running)
	}
	found.id, found.spawn = ids.only(), spawns.only()
	if found.id != 0 && running.count[found.id/8-1] == witnesses {
		found.status = found.id - 8
	}
	return found
}

// isIn reports whether an address is in the function that begins at entry.
func isIn(pc, entry uintptr) bool {
	f := runtime.FuncForPC(pc)
	return f != nil && f.Entry() == entry
}

// witness marks the words of a goroutine's record that match its id, its go statement or its status.
type witness struct{ ids, spawns, running [recordScan / 8]bool }

// matches counts, for each word, the witnesses in which it has matched.
type matches struct {
	count     [recordScan / 8]int
	witnesses int
}

func (m *matches) add(w *[recordScan / 8]bool) {
	m.witnesses++
	for i, match := range w {
		if match {
			m.count[i]++
		}
	}
}

// only returns the offset that has matched in all witnesses, or 0 unless there is exactly one.
func (m *matches) only() (offset uintptr) {
	for i, n := range m.count {
		if n == m.witnesses {
			if offset != 0 {
				return 0
			}
			offset = uintptr(i) * 8
		}
	}
	return offset
}

// matchRecord reports which words of the calling goroutine's record match.
func matchRecord(is func(word uint64) bool) (match [recordScan / 8]bool) {
	for i := range match {
		match[i] = is(recordWord(uintptr(i) * 8))
	}
	return match
}
