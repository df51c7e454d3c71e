//go:build (amd64 || arm64) && gc && !purego

package platform

import (
	"sync"
)

// goidOffset is where the assembly finds a goroutine's id in its record. While it is 0 it reads the bounds of the stack
// there, which is no slot's ID. Written once, before any home slot is claimed.
//
//lint:ignore U1000 the assembly reads it
var goidOffset uintptr

var (
	findOffset  sync.Once
	foundOffset uintptr
)

// recordScan is how much of a record is searched, in bytes; it is smaller than any record of Go 1.25 and 1.26 (the id is at
// 152 there).
const recordScan = 400

// idOffset returns where goroutine records hold the id, 0 when that could not be found out.
func idOffset() uintptr {
	findOffset.Do(func() {
		foundOffset = discover(3)
		goidOffset = foundOffset
	})
	return foundOffset
}

// discover starts a few goroutines, each of which compares every word of its own record with its id as runtime.Stack prints
// it. The answer is the one offset that is right in all of them: there must be no second.
func discover(witnesses int) uintptr {
	var right [recordScan / 8]int
	for range witnesses {
		matches := make(chan [recordScan / 8]bool)
		go func() { matches <- matchRecord(stackID()) }()
		for i, match := range <-matches {
			if match {
				right[i]++
			}
		}
	}
	var found uintptr
	for i, n := range right {
		if n == witnesses {
			if found != 0 {
				return 0
			}
			found = uintptr(i) * 8
		}
	}
	return found
}

// matchRecord reports which words of the calling goroutine's record equal id.
func matchRecord(id uint64) (match [recordScan / 8]bool) {
	for i := range match {
		match[i] = recordWord(uintptr(i)*8) == id
	}
	return match
}
