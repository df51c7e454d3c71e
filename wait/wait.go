// Package wait marks the waits of a program as idle zones, each with a name that says what the program waits for.
//
//	var world wait.RWMutex // as sync.RWMutex
//
//	func init() { world.Name = "world" }
//
//	func next(jobs <-chan job) job {
//		defer wait.Begin("for a job").End()
//		return <-jobs
//	}
//
// [Mutex] and [RWMutex] are like those of package sync. They enter a zone only when they have to wait: "lock world",
// "read lock world". The verdict on a frame with a long wait names the lane that held the lock and the line that
// released it: "Frame 1237: +8.1 ms. Waiting in lock world 8.2 (usually not); it waited for lock world for 8.2,
// released by loader at world.go:88." The zones are idle, so they are not part of a frame's busy time. But the program
// did not choose these waits, so they count against the frame budget, and a frame that is blocked for too long is late.
// For waits that the program chooses, for the display, a ticker or events, use a gather.Zone with Idle set. The package
// starts no goroutine and imports only package gather. With the tag iprof_off the locks only lock.
package wait

import (
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// Begin enters an idle zone of that name on the calling goroutine's lane. End the scope on the same goroutine. All
// callers of the same name share a zone. At most 1,024 names have a zone; all further names share the zone "(other)".
// Any goroutine may call it. It takes a lock for reading, shared by all callers, and does not allocate for a known
// name.
func Begin(name string) gather.Scope {
	if !gather.Enabled {
		return gather.Scope{}
	}
	return named("", name).Begin()
}

// mostNames bounds the zones of this package.
const mostNames = 1024

// zone identifies a zone by the kind of wait, such as "lock ", and a name.
type zone struct{ kind, name string }

var zones struct {
	sync.RWMutex
	known map[zone]*gather.Zone
}

// other is the zone of names beyond the limit.
var other = gather.Zone{Name: "(other)", Idle: true, Blocked: true}

// named returns the zone of a name.
func named(kind, name string) *gather.Zone {
	zones.RLock()
	z := zones.known[zone{kind, name}]
	zones.RUnlock()
	if z != nil {
		return z
	}
	zones.Lock()
	defer zones.Unlock()
	if z := zones.known[zone{kind, name}]; z != nil {
		return z
	}
	if len(zones.known) >= mostNames {
		return &other
	}
	if zones.known == nil {
		zones.known = make(map[zone]*gather.Zone)
	}
	name = measure.CopyName(name)
	z = &gather.Zone{Name: kind + name, Idle: true, Blocked: true}
	zones.known[zone{kind, name}] = z
	return z
}
