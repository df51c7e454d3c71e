package sites

import (
	"strconv"
	"strings"
	"sync/atomic"

	"example.com/iprof/internal/quiet"
)

var cutNames atomic.Uint64

// CutNames returns the number of cut names: see NoteCut.
func CutNames() uint64 { return cutNames.Load() }

// NoteCut counts a name that Cut cuts.
func NoteCut(name string) {
	if len(name) > Longest {
		cutNames.Add(1)
	}
}

// Keep returns a copy of a name, cut and counted if it is too long.
func Keep(name string) string {
	NoteCut(name)
	return strings.Clone(Cut(name))
}

// Names caches the names of go statements by their return addresses. The program's number of go statements limits its
// size. The zero value is ready to use. Any goroutine may call Of.
type Names struct {
	mu    quiet.Mutex
	names []string
	at    quiet.Index // of return addresses, in names
}

// Of returns the function, file and line of a go statement, such as "main.serve server.go:42". It is "" for 0.
func (n *Names) Of(pc uintptr) string {
	if pc == 0 {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	i, known := n.at.Find(pc)
	if !known {
		i = int32(len(n.names))
		function, at := Of(pc)
		n.names = append(n.names, Keep(Short(function)+" "+at.String()))
		n.at.Set(pc, i)
	}
	return n.names[i]
}

// The endings of lane names made from go statements. Package process finds the crowd by them.
const (
	crowdNumber = " #"
	crowdEnded  = " (ended)"
	crowdParked = " (parked)"
)

// Lane returns the name of a lane, from its go statement and its number.
func (n *Names) Lane(pc uintptr, number uint64) string {
	if crowd := n.Of(pc); crowd != "" {
		return crowd + crowdNumber + strconv.FormatUint(number, 10)
	}
	return "unnamed goroutine " + strconv.FormatUint(number, 10)
}

// Ended returns the name of the ended lanes of a go statement, "" for 0.
func (n *Names) Ended(pc uintptr) string { return n.all(pc, crowdEnded) }

// Parked returns the name of the lanes of a go statement that are parked inside zones, "" for 0.
func (n *Names) Parked(pc uintptr) string { return n.all(pc, crowdParked) }

// all returns the name of the merged lanes of a go statement, "" for 0.
func (n *Names) all(pc uintptr, end string) string {
	if crowd := n.Of(pc); crowd != "" {
		return crowd + end
	}
	return ""
}
