package asjson

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Zone is a zone of the program.
type Zone struct {
	Name     Text `json:"name"`
	Function Text `json:"function"`
	File     Text `json:"file"`
	Line     int  `json:"line"`
	Public   bool `json:"public"`
	Idle     bool `json:"idle"`
}

func zoneOf(z gather.ZoneInfo) Zone {
	return Zone{Text(z.Name), Text(z.Function), Text(z.File), z.Line, z.Public, z.Idle}
}

// Node is a stack. A tree may have a million of them, and a name a million bytes, so it has the number of its zone.
type Node struct {
	Zone   report.ZoneID `json:"zone_id"`
	Path   int32         `json:"path_id"`
	Parent int32         `json:"parent"`
	Level  int32         `json:"level"`
	Count  float64       `json:"count"`
	Self   float64       `json:"self_ms"`
	Hier   float64       `json:"hier_ms"`
	AtOnce float64       `json:"lanes_at_once,omitempty"`
	Idle   bool          `json:"idle,omitempty"`
	Open   bool          `json:"open,omitempty"`
	Errors uint64        `json:"errors,omitempty"`

	Estimated     gather.Estimated `json:"estimated,omitempty"`
	StandardError float64          `json:"standard_error_ms,omitempty"`
	Left          int              `json:"left_out,omitempty"`
	LeftHier      float64          `json:"left_out_ms,omitempty"`
	Charges
}

// Charges has exactly the fields of report.Charges, because values are converted.
type Charges struct {
	Allocs      float64 `json:"allocs,omitempty"`
	AllocBytes  float64 `json:"alloc_bytes,omitempty"`
	Frees       float64 `json:"frees,omitempty"`
	FreeBytes   float64 `json:"free_bytes,omitempty"`
	Units       float64 `json:"units,omitempty"`
	HeapObjects float64 `json:"heap_objects,omitempty"`
	HeapBytes   float64 `json:"heap_bytes,omitempty"`
}

func nodeOf(n report.TreeNode) Node {
	return Node{n.Zone, n.Path, n.Parent, n.Level, finite(n.Count), finite(n.Self), finite(n.Hier), 0, n.Idle, n.Open,
		n.Errors, n.Estimated, finite(n.StandardError), n.Left, finite(n.LeftHier), Charges(n.Charges)}
}

// Lane is the tree of a lane.
type Lane struct {
	ID    report.LaneID `json:"id"`
	Name  Text          `json:"name"`
	CPU   time.Duration `json:"cpu_ns,omitempty"`
	Nodes []Node        `json:"nodes,omitempty"`
}

// FrameTree is the tree of a frame.
type FrameTree struct {
	Frame   uint64   `json:"frame"`
	Verdict *Verdict `json:"verdict,omitempty"`
	Nodes   []Node   `json:"nodes,omitempty"`
}

// Depths has the entries of a recursive zone by depth.
type Depths struct {
	At
	Calls []float64 `json:"calls"`
}

func (z zones) depths(d report.ZoneDepths) Depths {
	return Depths{z.at(d.Zone), convert(d.Entries, finite)}
}

// goStatement is a go statement of a program that iprof run built.
type goStatement struct {
	Place      Text    `json:"place"`
	Path       []Text  `json:"path"`
	Paths      int     `json:"paths"`
	Goroutines uint64  `json:"goroutines"`
	Own        float64 `json:"own_ms"`
	Spawned    float64 `json:"forked_ms"`
	Waited     float64 `json:"waited_ms"`
}

func goStatementOf(f report.SpawnTimes) goStatement {
	return goStatement{Text(f.Crowd), texts(f.Path), f.Paths, f.Goroutines, finite(f.Own), finite(f.Spawned),
		finite(f.Waited)}
}
