package wait

import (
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// line tracks the goroutines that wait for a lock. A goroutine that releases the lock meanwhile leaves a note. The
// goroutine that gets the lock next adds the state to the frame.
type line struct {
	waiting  atomic.Int32
	released atomic.Pointer[released]
}

// released is the note of a goroutine that released a lock while another waited.
type released struct {
	lane gather.LaneID // 0 if the goroutine has no lane
	at   string        // "world.go:88"
}

// wait takes the lock inside a zone, and adds the wait as a state of the caller's lane. It counts the caller and begins
// the state before it enters the zone. So a goroutine that releases the lock while the zone is open always leaves a
// note, and always ends a wait that has begun.
func (l *line) wait(zone *gather.Zone, lock func()) {
	l.waiting.Add(1)
	begin := platform.Now()
	defer zone.Begin().End()
	lock()
	end := platform.Now()
	q := gather.LaneState{Lane: measure.OwnLane(), Kind: gather.StateWaiting, Begin: begin, End: end, Reason: zone.Name}
	if by := l.released.Load(); by != nil {
		q.Waker, q.At = by.lane, by.at
	}
	if l.waiting.Add(-1) == 0 {
		l.released.Store(nil)
	}
	measure.AddState(q)
}

// release leaves the note of the caller of Unlock, before Unlock releases the lock.
//
//go:noinline
func (l *line) release() {
	if !gather.Enabled {
		return
	}
	by := &released{lane: measure.OwnLane()}
	if _, file, number, ok := runtime.Caller(2); ok {
		by.at = filepath.Base(file) + ":" + strconv.Itoa(number)
	}
	l.released.Store(by)
}
