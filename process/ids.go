package process

import "example.com/iprof/gather"

// ZoneID identifies a zone: see gather.ZoneID.
type ZoneID = gather.ZoneID

// LaneID identifies a lane: see gather.LaneID. In a View, 0 means all lanes merged.
type LaneID = gather.LaneID
