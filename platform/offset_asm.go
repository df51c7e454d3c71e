//go:build (amd64 || arm64) && gc && !purego

package platform

import (
	"runtime"
	"sync"
)

// goidOffset is the offset of a goroutine's id in its record. At 0 the assembly reads the bound of the stack there,
// which is never a slot's ID. It is written once, before any home slot is claimed.
//
//lint:ignore U1000 the assembly reads it
var goidOffset uintptr

// counterOffset is goidOffset while the counter is the clock, and 0 otherwise. So Enter and Leave find no slot with
// another clock, and go on in functions that read that.
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

// offsets are places in a goroutine's record; 0 stands for one that could not be found.
type offsets struct{ id, spawn, status uintptr }

// discover starts a few goroutines. Each compares every word of its own record with what it knows of itself: its id, as
// printed by runtime.Stack, and the go statement that made it, which is in this function. An offset is found if it
// matches in all of them, and no other does. The status stands before the id.
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

// witness says which words of a goroutine's record match what it knows of itself.
type witness struct{ ids, spawns, running [recordScan / 8]bool }

// matches counts in how many witnesses each word has matched.
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

// only returns the offset that has matched in all witnesses, or 0 if there is none or more than one.
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
