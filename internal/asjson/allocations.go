package asjson

import (
	"time"

	"example.com/iprof/internal/allocated"
	"example.com/iprof/process/report"
)

// Allocations are the objects that some frames allocated, each counted.
type Allocations struct {
	Frames  []uint64     `json:"frames"`
	Pause   float64      `json:"start_ms"`
	Objects uint64       `json:"objects"`
	Bytes   uint64       `json:"bytes"`
	Freed   uint64       `json:"freed,omitempty"`
	Outside uint64       `json:"outside_frames,omitempty"`
	Left    uint64       `json:"not_listed,omitempty"`
	Full    bool         `json:"full,omitempty"`
	Rows    []Allocation `json:"rows"`
}

// Allocation is the objects of one type of a lane in a zone, in a frame.
type Allocation struct {
	Frame     uint64        `json:"frame"`
	Lane      report.LaneID `json:"lane,omitempty"`
	Zone      *At           `json:"zone,omitempty"`
	Path      []Text        `json:"path,omitempty"`
	Type      Text          `json:"type,omitempty"`
	Objects   uint64        `json:"objects"`
	Bytes     uint64        `json:"bytes"`
	Freed     uint64        `json:"freed,omitempty"`
	Uncertain bool          `json:"uncertain,omitempty"`
}

func (z zones) allocations(t *allocated.Table) *Allocations {
	total := t.Total()
	out := &Allocations{t.Frames, float64(t.Pause) / float64(time.Millisecond), total.Objects, total.Bytes, total.Freed,
		t.Outside, t.Left.Objects, t.Full, make([]Allocation, len(t.Rows))}
	for i := range t.Rows {
		r := &t.Rows[i]
		row := Allocation{Frame: r.Frame, Lane: r.Lane, Type: Text(r.Type), Objects: r.Objects, Bytes: r.Bytes,
			Freed: r.Freed, Uncertain: r.Uncertain}
		for _, zone := range r.Path {
			row.Path = append(row.Path, Text(z.info(zone).Name))
		}
		if zone := r.Zone(); zone > 0 {
			at := z.at(zone)
			row.Zone = &at
		}
		out.Rows[i] = row
	}
	return out
}
