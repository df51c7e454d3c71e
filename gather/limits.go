package gather

// The default limits; see Limits.
const (
	DefaultLanes        = 16_384
	DefaultNodesPerLane = 65_536
	DefaultNodes        = 1 << 20
	DefaultDepth        = 16_384
	DefaultZones        = 65_536
	DefaultNamesAtPlace = 1_024
	DefaultCounters     = 256
)

// Limits bound the memory that measuring may take. What is beyond them is counted, in Frame.Dropped, and its time stays with
// what it is inside of.
type Limits struct {
	Lanes        int // goroutines measured at once; the entries of others are counted by zone in the lane "(unmeasured goroutines)"
	NodesPerLane int // distinct stacks in a lane; entries beyond are folded into "(other)", as for the next two
	Nodes        int // distinct stacks in the process
	Depth        int // zones open at once in a lane
	Zones        int // distinct zones; entries of others are the zone "(other)"
	NamesAtPlace int // distinct names at one place; entries of others are the zone "(other)"
	Counters     int // distinct names of Count and Value; others are only counted
}

// withDefaults replaces what is not above 0.
func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		limit *int
		value int
	}{
		{&l.Lanes, DefaultLanes}, {&l.NodesPerLane, DefaultNodesPerLane}, {&l.Nodes, DefaultNodes},
		{&l.Depth, DefaultDepth}, {&l.Zones, DefaultZones}, {&l.NamesAtPlace, DefaultNamesAtPlace},
		{&l.Counters, DefaultCounters},
	} {
		if *f.limit <= 0 {
			*f.limit = f.value
		}
	}
	return l
}
