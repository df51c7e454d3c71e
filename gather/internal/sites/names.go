package sites

import (
	"strconv"
	"strings"
	"sync/atomic"

	"example.com/iprof/internal/quiet"
)

var cutNames atomic.Uint64

// CutNames returns how many names were cut: see NoteCut.
func CutNames() uint64 { return cutNames.Load() }

// NoteCut counts a name that Cut cuts.
func NoteCut(name string) {
	if len(name) > Longest {
		cutNames.Add(1)
	}
}

// Keep returns a copy of a name, cut if it is too long. A name that is cut is counted.
func Keep(name string) string {
	NoteCut(name)
	return strings.Clone(Cut(name))
}

// Names has the names of go statements, by their return addresses. There are no more than the program has. The zero
// value is ready to use. Any goroutine may call Of.
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

// The ends of the names of lanes that are named by a go statement. Package process finds the crowd by them.
const (
	crowdNumber = " #"
	crowdEnded  = " (ended)"
	crowdAsleep = " (asleep)"
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

// Asleep returns the name of the lanes of a go statement that sleep inside zones, "" for 0.
func (n *Names) Asleep(pc uintptr) string { return n.all(pc, crowdAsleep) }

// all returns the name of lanes of a go statement that are shown as one, "" for 0.
func (n *Names) all(pc uintptr, end string) string {
	if crowd := n.Of(pc); crowd != "" {
		return crowd + end
	}
	return ""
}
