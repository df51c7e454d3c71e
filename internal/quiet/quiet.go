// Package quiet has the locks of what runs inside the functions of a measured program. Where the command iprof builds a
// program with -race, it puts a package in the place of this one whose locks the race detector does not see: they would
// order what goroutines of the program do, and so hide races between them. There the packages that hold these locks are
// built without the race detector. So what a lock guards must not be changed by other packages meanwhile. Nor may it be
// a map, of which the runtime itself tells the race detector.
//
//	var table struct {
//		quiet.Mutex
//		zones quiet.Index
//	}
package quiet

import "sync"

// Mutex is a sync.Mutex.
type Mutex = sync.Mutex

// RWMutex is a sync.RWMutex.
type RWMutex = sync.RWMutex

// Call calls f. What f sends to a channel orders nothing, as locks do.
func Call(f func()) { f() }
