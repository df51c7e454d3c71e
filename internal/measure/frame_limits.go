package measure

import "example.com/iprof/internal/measure/internal/budget"

// The default limits; see Limits.
const (
	defaultLanes        = 16_384
	defaultNodesPerLane = 65_536
	defaultNodes        = 1 << 20
	DefaultDepth        = 16_384
	defaultZones        = 65_536
	defaultNamesAtPlace = 1_024
	defaultCounters     = 256
	defaultBytes        = budget.Default
)

// MaxRecursion is the number of calls of a zone in one another that have rows. The last row includes the calls of the
// zone directly inside it.
const MaxRecursion = 128

// Limits limit the memory for measuring. Frame.Dropped counts entries beyond a limit, and their time stays in the
// enclosing zone. Bytes limits the sum, the other fields its parts. A field not above 0 means the default. A zone that
// calls itself has at most MaxRecursion rows.
type Limits struct {
	Lanes        int // goroutines measured at once; the lane "(unmeasured goroutines)" counts the entries of others
	NodesPerLane int // distinct stacks in a lane; the least used are folded into "(other)" to make room
	Nodes        int // distinct stacks in the process; a lane folds its own
	Depth        int // zones open at once in a lane; deeper ones are folded into "(other)", as for the next two
	Zones        int // distinct zones
	NamesAtPlace int // distinct names at one place
	Counters     int // distinct names of Count and Value
	Bytes        int // bytes of memory, without the history of frames: see MemoryUsed
}

// withDefaults replaces fields not above 0.
func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		limit *int
		value int
	}{
		{&l.Lanes, defaultLanes}, {&l.NodesPerLane, defaultNodesPerLane}, {&l.Nodes, defaultNodes},
		{&l.Depth, DefaultDepth}, {&l.Zones, defaultZones}, {&l.NamesAtPlace, defaultNamesAtPlace},
		{&l.Counters, defaultCounters}, {&l.Bytes, defaultBytes},
	} {
		if *f.limit <= 0 {
			*f.limit = f.value
		}
	}
	return l
}

// MemoryUse is the memory for measuring, in bytes. It does not include package process, which keeps the history of
// frames within its HistoryLimits, and sums since the start: some 300 bytes for each of at most 1,048,576 distinct
// stacks. What a session keeps to undo a Reset must fit into the limit beside this memory, and is dropped first.
type MemoryUse struct {
	Nodes  int64 // distinct stacks, on all lanes
	Lanes  int64 // the rest of each lane
	Names  int64 // zones and counters
	Events int64 // see SetEvents
	Calls  int64 // see Zone.SetPerCall
	Copies int64 // see EventCopy
	Sets   int64 // frames in progress, where there are several sets of frames
	Limit  int64 // Limits.Bytes
}

// Total returns the sum of the parts, in bytes.
func (m MemoryUse) Total() int64 {
	return m.Nodes + m.Lanes + m.Names + m.Events + m.Calls + m.Copies + m.Sets
}
