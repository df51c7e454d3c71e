package instrument

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// With -race, the profiler's locks would create a happens-before order between the program's goroutines, and the race
// detector would miss races between short-lived goroutines. So the profiler's code inside the program's functions is
// built without the race detector, and uses the locks of quietText, which the detector does not see.

// quietPackage holds the locks for the profiler's code inside the program's functions.
const (
	quietPackage = profilerModule + "/internal/quiet"
	quietFile    = "quiet.go"
	quietText    = `// Package quiet has locks that the race detector does not see.
package quiet

import (
	"runtime"
	"sync"
)

// Mutex is a sync.Mutex that orders nothing.
type Mutex struct{ m sync.Mutex }

// RWMutex is a sync.RWMutex that orders nothing.
type RWMutex struct{ m sync.RWMutex }

// Call calls f, which orders nothing.
func Call(f func()) { unseen(f) }

func (l *Mutex) Lock()      { unseen(l.m.Lock) }
func (l *Mutex) Unlock()    { unseen(l.m.Unlock) }
func (l *RWMutex) Lock()    { unseen(l.m.Lock) }
func (l *RWMutex) Unlock()  { unseen(l.m.Unlock) }
func (l *RWMutex) RLock()   { unseen(l.m.RLock) }
func (l *RWMutex) RUnlock() { unseen(l.m.RUnlock) }

// TryLock locks l if it is free.
func (l *Mutex) TryLock() (ok bool) {
	unseen(func() { ok = l.m.TryLock() })
	return ok
}

func unseen(do func()) {
	runtime.RaceDisable()
	do()
	runtime.RaceEnable()
}
`
)

// insidePackages are the packages with code inside the program's functions. The imports of gatherPackage are inside,
// too.
var insidePackages = []string{autoPackage, gatherPackage}

// findsRaces reports whether the program is built with the race detector.
func (p *Plan) findsRaces() (found bool) {
	for _, flag := range p.kindFlags() {
		if name, value, has := strings.Cut(strings.TrimLeft(flag, "-"), "="); name == "race" {
			on, err := strconv.ParseBool(value)
			found = !has || on || err != nil
		}
	}
	return found
}

// unseenFlags returns the flags that build the inside packages without the race detector. They come last, because the
// go command uses the last matching flag for a package.
func (p *Plan) unseenFlags(packages map[string]*ownPackage) (flags []string) {
	inside := map[string]bool{}
	for _, path := range insidePackages {
		addInside(inside, packages, path)
	}
	for _, path := range sortedKeys(inside) {
		flags = append(flags, fmt.Sprintf("-gcflags=%s=-race=false", p.place(path)))
	}
	return flags
}

// addInside adds a package and its imports to the set. It leaves out the imports of autoPackage, which record on a
// separate goroutine.
func addInside(inside map[string]bool, packages map[string]*ownPackage, path string) {
	l := packages[path]
	if l == nil || inside[path] {
		return
	}
	inside[path] = true
	if path == autoPackage {
		return
	}
	for _, i := range slices.Sorted(slices.Values(l.Imports)) {
		addInside(inside, packages, i)
	}
}
