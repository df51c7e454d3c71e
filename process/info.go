package process

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

// The limits above which a report warns.
const (
	costlyFrame = 0.04 // share of the frame that measuring takes
	costlyRow   = 0.10 // share of a row
	unsteady    = 0.08 // deviation of the clock's rate in relation to its mean
	overFactor  = 1.02 // of the budget
)

// Info describes the frame that the view shows.
func (s *Session) Info() FrameInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.info(&s.view, s.frameOf(&s.view))
}

func (s *Session) info(v *View, p *pastFrame) FrameInfo {
	s.digest()
	i := FrameInfo{
		Age: v.Age, Budget: s.budget, Paused: s.paused, Recording: s.recording, Average: v.Average, Frames: s.past.next, Memory: s.memoryMode(),
		Live: v.Age == 0 && !s.paused, Lane: s.laneName(v.Lane), Gone: p == nil && s.past.next > 0 || p != nil && p.lost,
	}
	if s.describe(&i, v, p); p == nil {
		return i
	}
	w := wholes{p.length, p.busy, p.idle, p.span, p.cost}
	if s.smooth(v) {
		w = s.live.whole[v.Average]
	}
	i.Index, i.Label = p.Index, p.Label
	i.Length, i.Busy, i.Idle = w.length, w.busy, w.idle
	i.Over = s.over(i.Busy)
	if w.length > 0 {
		i.FPS = 1000 / w.length
		i.Overhead = min(1, (w.cost+s.heapCost(v, p))/w.length)
	}
	i.MaxHold, i.P99 = s.hold.longest(), s.p99()
	return i
}

// laneName names a lane of a view.
func (s *Session) laneName(id uint64) string {
	if id == 0 {
		return "all lanes"
	}
	if at, ok := s.lanes.index[id]; ok {
		return s.lanes.list[at].name
	}
	return fmt.Sprintf("lane %d", id)
}

// p99 returns the 99th percentile of the lengths of the frames held; it is worked out once a frame.
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

// quantile returns the nearest-rank quantile of sorted values, 0 when there are none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(rank, 0), len(sorted)-1)]
}

// appendTitle writes a report's first line.
func appendTitle(dst []byte, v *View, i *FrameInfo) []byte {
	// Written by hand: fmt would allocate for each number, each time something is drawn.
	dst = strconv.AppendFloat(dst, i.Length, 'f', 3, 64)
	dst = strconv.AppendFloat(append(dst, " ms  "...), i.FPS, 'f', 2, 64)
	dst = append(append(append(dst, " fps  "...), sortNames[min(int(v.Mode), len(sortNames)-1)]...), "  "...)
	switch {
	case i.Frames == 0:
		dst = append(dst, "since the start"...)
	case i.Gone:
		dst = append(dst, "frame no longer in the history"...)
	case i.Lens.Kind != LensOff:
		dst = i.appendLens(dst)
	case i.Kept:
		dst = strconv.AppendUint(append(dst, "kept frame "...), i.Index, 10)
	case i.Age == 0:
		dst = append(append(dst, "current frame"...), averageWords[min(v.Average, Instant)]...)
	case i.Age == 1:
		dst = append(dst, "1 frame ago"...)
	default:
		dst = append(strconv.AppendInt(dst, int64(i.Age), 10), " frames ago"...)
	}
	dst = append(append(dst, "  "...), i.Lane...)
	if i.Paused {
		dst = append(dst, "  paused"...)
	}
	return dst
}

var sortNames = [NumReportModes]string{"sort self", "sort hier", "call graph", "call graph, descendants", "tree", "extra in slow frames"}

// appendWarnings lists what the user should know, most important first.
func (s *Session) appendWarnings(dst []string, i *FrameInfo) []string {
	if i.Frames == 0 && gather.Enabled {
		dst = append(dst, "no frame has ended yet: call iprof.Update once a frame")
	}
	if i.Gone && i.Frames > 0 {
		dst = append(dst, "this frame is no longer in the history: SetHistory keeps more")
	}
	dst = s.appendMisuse(dst)
	if s.limit > 0 && i.Overhead > s.limit {
		dst = append(dst, s.missedLimit(i))
	} else if i.Overhead > costlyFrame {
		dst = append(dst, s.overheadWarning(i))
	}
	if s.rate.unsteady() {
		dst = append(dst, "the clock's rate is unsteady: times may be wrong")
	}
	return s.appendDropped(dst)
}

// appendMisuse adds what package gather noted of the latest mistakes, and the counts of all kinds.
func (s *Session) appendMisuse(dst []string) []string {
	dst = append(dst, s.misuse.Notes...)
	m, r := &s.misuse, &s.rows
	counts := [...]uint64{m.ExtraEnd, m.MissingEnd, m.OtherLane, m.DeferInLoop, m.ClockBack, m.ClockJump}
	if counts == r.misuseOf {
		if r.misuse != "" {
			dst = append(dst, r.misuse)
		}
		return dst
	}
	r.misuseOf = counts
	text := make([]string, 0, len(counts))
	for i, n := range counts {
		if n > 0 {
			text = append(text, fmt.Sprintf(misuseNames[i], n))
		}
	}
	r.misuse = "repaired since the start: " + strings.Join(text, ", ")
	return append(dst, r.misuse)
}

var misuseNames = [...]string{"%d End too many", "%d scopes never ended", "%d ended on another goroutine", "%d deferred in a loop",
	"%d steps back of the clock", "%d jumps of the clock"}

// overheadWarning says what measuring costs; the text is made anew only when its numbers change.
func (s *Session) overheadWarning(i *FrameInfo) string {
	permille := int(i.Overhead * 1000)
	if r := &s.rows; r.permille != permille || r.overhead == "" {
		r.permille = permille
		r.overhead = fmt.Sprintf("measuring costs %.1f %% of the frame: see the zones marked \"!\"", float64(permille)/10)
	}
	return s.rows.overhead
}

// appendDropped says what limits kept out.
func (s *Session) appendDropped(dst []string) []string {
	d := &s.dropped
	if d.Counters > 0 {
		dst = append(dst, s.countersWarning(d.Counters))
	}
	if s.tree.folded > 0 {
		dst = append(dst, "more than a million distinct stacks: what is below the last of them is counted in the zones around it")
	}
	if d.Names|d.Nodes|d.Lanes == 0 {
		return dst
	}
	if r := &s.rows; r.droppedOf[0] != d.Names || r.droppedOf[1] != d.Nodes || r.droppedOf[2] != d.Lanes {
		r.droppedOf = [3]uint64{d.Names, d.Nodes, d.Lanes}
		r.dropped = fmt.Sprintf("beyond the limits: %d entries by name, %d by node, %d by goroutine, counted in \"(other)\" and \"(unmeasured goroutines)\"", d.Names, d.Nodes, d.Lanes)
	}
	return append(dst, s.rows.dropped)
}

// rate watches the clock's rate for the timer warning.
type rate struct{ mean, variance, weight float64 }

func (r *rate) add(x, seconds float64) {
	if !(x > 0) {
		return
	}
	keep := math.Pow(0.1, max(seconds, 1e-3)/settling[Short])
	r.weight = r.weight*keep + 1 - keep
	a := (1 - keep) / r.weight
	d := x - r.mean
	r.mean += a * d
	r.variance = (1 - a) * (r.variance + a*d*d)
}

func (r *rate) unsteady() bool { return r.mean > 0 && math.Sqrt(r.variance)/r.mean > unsteady }
