//go:build !iprof_off

package process_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

var undoZones [511]gather.Zone

// growStacks enters 511 stacks on each of some goroutines, which stay until the result is called.
func growStacks(goroutines int) (end func()) {
	var entered, left sync.WaitGroup
	leave := make(chan struct{})
	for range goroutines {
		entered.Add(1)
		left.Go(func() {
			enterTree(0)
			entered.Done()
			<-leave
		})
	}
	entered.Wait()
	return func() { close(leave); left.Wait() }
}

func enterTree(at int) {
	if at < len(undoZones) {
		defer undoZones[at].Begin().End()
		enterTree(2*at + 1)
		enterTree(2*at + 2)
	}
}

func heapNow() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// What Reset keeps for UndoReset counts in SetLimits' limit beside the memory for measuring. It goes first, and with it
// the copy of the frame that Reset has ended.
func TestUndoCountsInTheLimit(t *testing.T) {
	defer gather.SetLimits(gather.Limits{})
	for i := range undoZones {
		undoZones[i].Name = fmt.Sprint("undo ", i)
	}
	const goroutines, little = 200, 1 << 20
	s := process.Default()
	gather.SetLimits(gather.Limits{Bytes: 256 << 20})
	s.Update()
	s.Reset()
	end := growStacks(goroutines)
	s.Update()
	if s.Reset(); !s.CanUndoReset() {
		t.Fatal("with room for both: got nothing to bring back")
	}
	// A limit below what is there now: the next frame drops what undo keeps.
	held := gather.MemoryUsed()
	limitTo := func(more int) { gather.SetLimits(gather.Limits{Bytes: int(gather.MemoryUsed().Total()) + more}) }
	limitTo(little)
	before := heapNow()
	s.Update()
	if s.CanUndoReset() || s.UndoReset() {
		t.Error("without room for both: got something to bring back")
	}
	freed := before - heapNow()
	if freed < held.Total()/4 { // the sums and the records of 102,200 stacks
		t.Errorf("got %d bytes freed beside %d for measuring; want a quarter of that", freed, held.Total())
	}
	// At once, too: Reset without room keeps nothing, and needs no memory of its own.
	limitTo(256 << 20)
	endMore := growStacks(goroutines)
	limitTo(little)
	before = heapNow()
	if s.Reset(); s.CanUndoReset() {
		t.Error("Reset without room: got something to bring back")
	}
	if grown := heapNow() - before; grown > little {
		t.Errorf("Reset without room: got %d bytes more; want at most %d", grown, little)
	}
	end()
	endMore()
	s.Update()
	runtime.KeepAlive(s)
}
