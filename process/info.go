package process

import (
	"fmt"
	"math"
	"strconv"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Info describes the frame that the view shows. Any goroutine may call it.
func (s *Session) Info() report.FrameInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.info(&s.view, s.frameOf(&s.view))
}

// info describes the frame p of a view; nil is a frame that is not there.
func (s *builder) info(v *report.View, p *history.Frame) report.FrameInfo {
	s.digest()
	i := report.FrameInfo{
		Age: v.Age, Budget: s.budget, Paused: s.paused, Recording: s.recording, Average: v.Average,
		Frames: s.past.Next, Memory: s.memoryMode(), Live: v.Age == 0 && !s.paused, Lane: s.laneName(v.Lane),
		Gone: p == nil && s.past.Next > 0 || p != nil && p.Lost, Tick: s.clock.tick(),
	}
	if s.describe(&i, v, p); p == nil {
		return i
	}
	w := history.Wholes{Length: p.LengthMS, Busy: p.BusyMS, Idle: p.IdleMS, Span: p.SpanMS,
		Cost: p.CostMS, GPU: p.GPUMS, CPU: p.CPUMS,
		Joined: p.JoinedMS, Queue: float64(p.RunQueue),
		Locks: float64(p.LockWait)}
	if s.smooth(v) {
		w = s.live.Whole[v.Average]
	}
	if v.Lane != 0 {
		w.Busy = s.busyIn(v, p)
		w.Idle = math.Max(0, w.Length-w.Busy)
	}
	i.Index, i.Label = p.Index, p.Label
	i.Length, i.Busy, i.Idle = w.Length, w.Busy, w.Idle
	i.GPU, i.HasGPU, i.CPU = w.GPU, p.Devices, w.CPU
	s.setJoined(&i, v, p, w.Joined)
	i.RunQueue, i.LockWait = w.Queue, w.Locks
	i.Over = s.over(i.Busy)
	if w.Length > 0 {
		i.FPS = 1000 / w.Length
		i.Overhead = min(1, (w.Cost+s.heapCost(v, p))/w.Length)
	}
	i.MaxHold, i.P99 = s.hold.Longest(), s.lengths.P99(&s.past)
	return i
}

// laneName returns the lane's name for reports.
func (s *store) laneName(id report.LaneID) string {
	if id == 0 {
		return "all goroutines"
	}
	if at, ok := s.lanes.Index[id]; ok {
		return s.lanes.List[at].Name
	}
	return fmt.Sprintf("goroutine %d", id)
}

// appendTitle writes the first line of a report.
func (s *builder) appendTitle(dst []byte, v *report.View, i *report.FrameInfo) []byte {
	// Not with fmt, which would allocate for each number of each drawn frame.
	if i.Averaged() {
		dst = append(dst, "average "...) // in ASCII, for terminals without Unicode
	}
	dst = strconv.AppendFloat(dst, i.Length, 'f', i.Decimals(3), 64)
	dst = i.AppendTitleParts(append(dst, " ms"...))
	dst = strconv.AppendFloat(append(dst, "  "...), i.FPS, 'f', 2, 64)
	dst = append(dst, " fps"...)
	if i.Label != "" { // early: narrow terminals cut the line
		dst = append(append(append(dst, "  \""...), i.Label...), '"')
	}
	dst = append(append(dst, "  "...), sortNames[min(int(v.Mode), len(sortNames)-1)]...)
	if v.Mode == report.ReportCallGraphDescendants && len(s.zones) > 0 {
		dst = append(append(dst, " of "...), s.zones[s.focus(v).zone].Name...)
	}
	dst = append(dst, "  "...)
	switch {
	case i.Frames == 0:
		dst = append(dst, "since the start"...)
	case i.Gone:
		dst = append(dst, "frame no longer in the history"...)
	case i.Lens.Kind != report.LensOff:
		dst = i.AppendLens(dst)
	case i.Kept:
		dst = strconv.AppendUint(append(dst, "kept frame "...), i.Index, 10)
	case i.Age == 0:
		dst = append(append(dst, "newest frame"...), averageWords[min(v.Average, report.AverageInstant)]...)
	case i.Age == 1:
		dst = append(dst, "1 frame ago"...)
	default:
		dst = append(strconv.AppendInt(dst, int64(i.Age), 10), " frames ago"...)
	}
	dst = append(append(dst, "  "...), i.Lane...)
	if i.Processors() > 0 {
		dst = append(strconv.AppendFloat(append(dst, "  "...), i.Processors(), 'f', 2, 64), " processors"...)
	}
	dst = i.AppendWaitsBetween(dst, "  ", ", ")
	if i.Paused {
		dst = append(dst, "  paused"...)
	}
	return dst
}

var sortNames = [report.NumReportModes]string{
	"sort self", "sort with callees", "call graph", "call graph, descendants", "tree", "slow frames",
}
