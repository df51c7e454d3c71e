package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// frameArguments are the arguments of the tool frame.
type frameArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of the capture; without it, the one asked last"`
	Frame   string `json:"frame" jsonschema:"id of the frame, such as f140"`
	Lane    string `json:"lane,omitempty" jsonschema:"only the goroutine whose name contains this"`
	Picture bool   `json:"picture,omitempty" jsonschema:"add a picture of the frame"`
}

// frameHead is the head of an answer of frame.
type frameHead struct {
	frameRow
	Why    string    `json:"why,omitempty"`
	Heap   uint64    `json:"heap_live_bytes,omitempty"`
	Alloc  uint64    `json:"alloc_bytes,omitempty"`
	Pause  number    `json:"gc_pause_ms,omitempty"`
	GPU    *number   `json:"gpu_ms,omitempty"`
	Lanes  []laneRow `json:"lanes,omitempty"`
	Waits  []waitRow `json:"longest_waits,omitempty"`
	Marks  []markRow `json:"marks,omitempty"`
	Shares string    `json:"rows_are"`
}

func (h *frameHead) shorten() bool {
	switch {
	case len(h.Marks) > 0:
		h.Marks = h.Marks[:len(h.Marks)-1]
	case len(h.Waits) > 1:
		h.Waits = h.Waits[:len(h.Waits)-1]
	case len(h.Lanes) > 0:
		h.Lanes = h.Lanes[:len(h.Lanes)-1]
	default:
		return false
	}
	return true
}

// laneRow is a goroutine, or a device.
type laneRow struct {
	Name named  `json:"lane_name"`
	Busy number `json:"busy_ms"`
}

// waitRow is a wait of a goroutine.
type waitRow struct {
	State  string `json:"state"`
	Lane   named  `json:"lane_name,omitempty"`
	Time   number `json:"ms"`
	Reason named  `json:"waited_for_name,omitempty"`
	Place  named  `json:"waited_at_name,omitempty"`
	By     named  `json:"ended_by_name,omitempty"`
	At     named  `json:"ended_at_name,omitempty"`
}

// markRow is a mark.
type markRow struct {
	Frame string `json:"frame,omitempty"`
	At    number `json:"at_ms"`
	Text  named  `json:"text_name"`
}

func (s *Server) frameTool(_ context.Context, in *frameArguments) (*answer, error) {
	c, err := s.capture(in.Capture)
	if err != nil {
		return nil, err
	}
	index, err := idOf(in.Frame, 'f', "f140")
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	near, age, err := c.around(index)
	if err != nil {
		return nil, err
	}
	of := report.View{Mode: report.ReportCallTree, Average: report.AverageInstant, Age: age}
	if in.Lane != "" {
		if of.Lane, err = c.lane(in.Lane); err != nil {
			return nil, err
		}
	}
	a := &answer{head: frameHeadOf(near, age), rows: treeRows(near, of)}
	a.next = []string{"calls with a zone: its callers in all frames",
		"top with frames=within: the same zones in usual frames"}
	if in.Picture {
		a.png, err = c.picture(index)
	}
	return a, err
}

// frameHeadOf describes the frame of an age.
func frameHeadOf(s *process.Session, age int) *frameHead {
	f := s.AppendFrames(nil, age+1)[0]
	h := &frameHead{frameRow: frameRowOf(&f), Heap: f.HeapLive, Alloc: f.AllocBytes, Pause: number(f.Pause),
		Shares: "the call tree of this frame, stacks of at least 1 % of it; hier_ms has all callees"}
	if gpu := number(f.GPU); f.HasGPU {
		h.GPU = &gpu
	}
	var v report.Verdict
	if s.VerdictOf(&v, age) {
		h.Why = sentence(v.AppendText(nil, quoted))
	}
	view := process.NewView(s)
	view.Set(report.View{Average: report.AverageInstant, Age: age})
	lanes := view.AppendLanes(nil)
	names := map[report.LaneID]string{}
	for _, l := range lanes {
		names[l.ID] = l.Name
		if len(h.Lanes) < 6 {
			h.Lanes = append(h.Lanes, laneRow{named(l.Name), number(l.Self)})
		}
	}
	h.Waits = waitsOf(s.AppendStates(nil, age), s.View().Info().Tick, names)
	for _, m := range s.AppendMarks(nil, f.Index, f.Index) {
		if len(h.Marks) < 5 {
			h.Marks = append(h.Marks, markRow{At: number(m.At), Text: named(m.Text)})
		}
	}
	return h
}

// waitsOf returns the longest states in which goroutines did not run. A tick is perTick ms.
func waitsOf(states []gather.LaneState, perTick float64, names map[report.LaneID]string) (rows []waitRow) {
	for _, q := range states {
		if q.Kind == gather.StateRunning {
			continue
		}
		by := q.By
		if name := names[q.Waker]; q.Waker != 0 && name != "" {
			by = name
		}
		rows = append(rows, waitRow{q.Kind.String(), named(names[q.Lane]), number(float64(q.End-q.Begin) * perTick),
			named(q.Reason), named(q.Place), named(by), named(q.At)})
	}
	slices.SortStableFunc(rows, func(a, b waitRow) int { return cmp.Compare(b.Time, a.Time) })
	return rows[:min(len(rows), 4)]
}

// leastShare is the least share of the root's time that a row of a frame's call tree has.
const leastShare = 0.01

// treeRows returns the call tree of a frame, callers before callees.
func treeRows(s *process.Session, of report.View) (rows []any) {
	tree := s.View().AppendTree(nil, of)
	if len(tree) == 0 {
		return nil
	}
	whole := tree[0].Hier
	for _, n := range tree[1:] {
		if n.Hier < leastShare*whole {
			continue
		}
		rows = append(rows, zoneRow{place: placeOf(s.Zone(n.Zone).Name, n.Zone, s.Zone), Level: int(n.Level),
			Self: number(n.Self), Hier: number(n.Hier), Count: number(n.Count), Idle: n.Idle,
			Share: number(100 * n.Hier / whole)})
	}
	return rows
}
