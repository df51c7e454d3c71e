package process

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// The limits for warnings and marks.
const (
	costlyFrame = 0.04 // overhead as a share of the frame
	costlyRow   = 0.10 // overhead as a share of the row
	unsteady    = 0.08 // relative standard deviation of the clock's rate
)

// Info describes the frame that the view shows. Any goroutine may call it.
func (s *Session) Info() FrameInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.info(&s.view, s.frameOf(&s.view))
}

func (s *Session) info(v *View, p *pastFrame) FrameInfo {
	s.digest()
	i := FrameInfo{
		Age: v.Age, Budget: s.budget, Paused: s.paused, Recording: s.recording, Average: v.Average,
		Frames: s.past.next, Memory: s.memoryMode(), Live: v.Age == 0 && !s.paused, Lane: s.laneName(v.Lane),
		Gone: p == nil && s.past.next > 0 || p != nil && p.lost,
	}
	if s.describe(&i, v, p); p == nil {
		return i
	}
	w := wholes{p.length, p.busy, p.idle, p.span, p.cost, p.gpu, p.cpu, p.joined, float64(p.RunQueue),
		float64(p.LockWait)}
	if s.smooth(v) {
		w = s.live.whole[v.Average]
	}
	if v.Lane != 0 {
		w.busy = s.busyIn(v, p)
		w.idle = math.Max(0, w.length-w.busy)
	}
	i.Index, i.Label = p.Index, p.Label
	i.Length, i.Busy, i.Idle = w.length, w.busy, w.idle
	i.GPU, i.HasGPU, i.CPU = w.gpu, p.devices, w.cpu
	s.setJoined(&i, v, p, w.joined)
	i.RunQueue, i.LockWait = w.queue, w.locks
	i.Over = s.over(i.Busy)
	if w.length > 0 {
		i.FPS = 1000 / w.length
		i.Overhead = min(1, (w.cost+s.heapCost(v, p))/w.length)
	}
	i.MaxHold, i.P99 = s.hold.longest(), s.p99()
	return i
}

// laneName returns the lane's name for reports.
func (s *Session) laneName(id LaneID) string {
	if id == 0 {
		return "all goroutines"
	}
	if at, ok := s.lanes.index[id]; ok {
		return s.lanes.list[at].name
	}
	return fmt.Sprintf("goroutine %d", id)
}

// p99 returns the 99th percentile of the lengths of the frames in the history. It is computed once a frame.
func (s *Session) p99() float64 {
	r := &s.rows
	if r.lengthsOf == s.past.next && s.past.next > 0 {
		return r.p99
	}
	r.sorted = r.sorted[:0]
	for seq := s.past.first(); seq < s.past.next; seq++ {
		r.sorted = append(r.sorted, s.past.at(seq).length)
	}
	slices.Sort(r.sorted)
	r.p99 = quantile(r.sorted, 0.99)
	r.lengthsOf = s.past.next
	return r.p99
}

// quantile returns the nearest-rank quantile of sorted values, or 0 without values.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(rank, 0), len(sorted)-1)]
}

// appendTitle writes the first line of a report.
func (s *Session) appendTitle(dst []byte, v *View, i *FrameInfo) []byte {
	// Not with fmt, which would allocate for each number of each drawn frame.
	if i.Averaged() {
		dst = append(dst, "average "...) // in ASCII, for terminals without Unicode
	}
	dst = strconv.AppendFloat(dst, i.Length, 'f', 3, 64)
	dst = i.AppendTitleParts(append(dst, " ms"...))
	dst = strconv.AppendFloat(append(dst, "  "...), i.FPS, 'f', 2, 64)
	dst = append(dst, " fps"...)
	if i.Label != "" { // early: narrow terminals cut the line
		dst = append(append(append(dst, "  \""...), i.Label...), '"')
	}
	dst = append(append(dst, "  "...), sortNames[min(int(v.Mode), len(sortNames)-1)]...)
	if v.Mode == ReportCallGraphDescendants && len(s.zones) > 0 {
		dst = append(append(dst, " of "...), s.zones[s.focus(v).zone].Name...)
	}
	dst = append(dst, "  "...)
	switch {
	case i.Frames == 0:
		dst = append(dst, "since the start"...)
	case i.Gone:
		dst = append(dst, "frame no longer in the history"...)
	case i.Lens.Kind != LensOff:
		dst = i.AppendLens(dst)
	case i.Kept:
		dst = strconv.AppendUint(append(dst, "kept frame "...), i.Index, 10)
	case i.Age == 0:
		dst = append(append(dst, "newest frame"...), averageWords[min(v.Average, AverageInstant)]...)
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

var sortNames = [NumReportModes]string{
	"sort self", "sort with callees", "call graph", "call graph, descendants", "tree", "slow frames",
}

// rate follows the clock's rate, for the warning about an unsteady clock.
type rate struct{ mean, variance, weight float64 }

func (r *rate) add(x, seconds float64) {
	if !(x > 0) {
		return
	}
	keep := remains(max(seconds, 1e-3), settling[AverageShort])
	r.weight = r.weight*keep + 1 - keep
	a := (1 - keep) / r.weight
	d := x - r.mean
	r.mean += a * d
	r.variance = (1 - a) * (r.variance + a*d*d)
}

func (r *rate) unsteady() bool { return r.mean > 0 && math.Sqrt(r.variance)/r.mean > unsteady }
