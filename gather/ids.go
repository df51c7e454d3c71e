package gather

import (
	"strings"

	"example.com/iprof/gather/internal/source"
)

// ZoneID is a zone's index in Frame.Zones. It is dense, starts at 0, and stays the same while the process runs. Zone 0
// is the root of every lane.
type ZoneID int32

// LaneID is a lane's number. It is never reused in a process. In a Frame, 0 is the lane "(earlier lanes)". In a view, 0
// stands for all lanes merged.
type LaneID uint64

// NodeID is the number of a node of the call tree. It is dense, and stays the same while the node's lane lives. Then
// another stack may get it, so compare Zone and Parent too.
type NodeID uint32

// CopyName returns a copy of a name as the profiler keeps it. A name longer than 1,024 bytes is cut between two
// characters, and then ends in "…". The copy does not keep the text that the name was sliced from. Any goroutine may
// call it.
func CopyName(name string) string { return strings.Clone(source.Cut(name)) }
