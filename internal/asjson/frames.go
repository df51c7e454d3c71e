package asjson

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Frame is a frame of the history.
type Frame struct {
	Frame      uint64   `json:"frame"`
	Label      Text     `json:"label,omitempty"`
	Length     float32  `json:"length_ms"`
	Busy       float32  `json:"busy_ms"`
	Blocked    float32  `json:"blocked_ms,omitempty"`
	Over       bool     `json:"over"`
	Cycles     uint32   `json:"gc_cycles"`
	Pause      float32  `json:"gc_pause_ms"`
	AllocBytes uint64   `json:"alloc_bytes"`
	Objects    uint64   `json:"alloc_objects"`
	HeapLive   uint64   `json:"heap_live_bytes"`
	HeapCost   float32  `json:"heap_cost_ms"`
	Memory     string   `json:"memory"`
	HasReport  bool     `json:"has_report"`
	GPU        *float32 `json:"gpu_ms,omitempty"` // only with a GPU lane
	RunQueue   float32  `json:"runnable_ms,omitempty"`
	LockWait   float32  `json:"locks_ms,omitempty"`
	Away       *float32 `json:"away_ms,omitempty"` // absent: the system does not tell
	AwayAtMost bool     `json:"away_at_most,omitempty"`
}

// FrameOf returns a frame of the history.
func FrameOf(f report.FrameSummary) Frame {
	j := Frame{f.Index, Text(f.Label), finite(f.Length), finite(f.Busy), finite(f.Blocked), f.Over, f.Cycles,
		finite(f.Pause), f.AllocBytes, f.AllocObjects, f.HeapLive, finite(f.HeapCost), f.Memory.String(), f.HasReport,
		nil, finite(f.RunQueue), finite(f.LockWait), nil, f.AwayKnown == gather.AwayAtMost}
	if gpu := finite(f.GPU); f.HasGPU {
		j.GPU = &gpu
	}
	if away := finite(f.Away); f.AwayKnown != gather.AwayUnknown {
		j.Away = &away
	}
	return j
}

// Mark is a moment that the program marked.
type Mark struct {
	Frame uint64        `json:"frame"`
	At    float64       `json:"at_ms"`
	Lane  report.LaneID `json:"lane"`
	Text  Text          `json:"text"`
}

func markOf(m report.FrameMark) Mark { return Mark{m.Frame, finite(m.At), m.Lane, Text(m.Text)} }

// Section is a range of frames that the program named.
type Section struct {
	Name       Text    `json:"name"`
	From       uint64  `json:"from"`
	To         uint64  `json:"to"`
	Frames     uint64  `json:"frames"`
	Mean       float64 `json:"mean_ms"`
	P99        float64 `json:"p99_ms"`
	Worst      float64 `json:"worst_ms"`
	WorstFrame uint64  `json:"worst_frame"`
}

func sectionOf(s report.Section) Section {
	return Section{Text(s.Name), s.From, s.To, s.Frames, finite(s.Mean), finite(s.P99), finite(s.Worst), s.WorstFrame}
}

// SectionsOf returns sections in their order.
func SectionsOf(list []report.Section) []Section { return convert(list, sectionOf) }

// Series has the self time of a zone by frame.
type Series struct {
	At
	Self []*float32 `json:"self_ms"`
}

func (z zones) series(s report.Series) Series { return Series{z.at(s.Zone), nullable(s.Values)} }

// Value is a number of the frames as a whole.
type Value struct {
	Name     Text       `json:"name"`
	Kind     string     `json:"kind"`
	Unit     string     `json:"unit,omitempty"`
	Value    float64    `json:"value"`
	Mean     float64    `json:"mean"`
	Max      float64    `json:"max"`
	Total    float64    `json:"total"`
	PerFrame []*float32 `json:"per_frame,omitempty"`
}

func valueOf(v report.ValueSeries) Value {
	kind := [...]string{"heap", "count", "level"}[min(v.Kind, report.ValueLevel)]
	unit := [...]string{"", "bytes", "ms"}[min(v.Unit, report.UnitMilliseconds)]
	return Value{Text(v.Name), kind, unit, finite(v.Value), finite(v.Mean), finite(v.Max), finite(v.Total),
		nullable(v.Values)}
}
