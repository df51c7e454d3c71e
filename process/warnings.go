package process

import (
	"fmt"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// appendWarnings appends the warnings of a report, most important first. r is nil for trees, which have no
// sign "!".
func (s *builder) appendWarnings(dst []string, i *FrameInfo, r *Report) []string {
	switch {
	case !gather.Enabled && s.running():
		dst = append(dst, CompiledOut)
	case i.Frames > 0 || !gather.Enabled:
	case i.Paused:
		dst = append(dst, "paused: frames are thrown away until Resume")
	default:
		dst = append(dst, "no frame has ended yet: call iprof.Update once a frame")
	}
	if i.Gone && i.Frames > 0 {
		dst = append(dst, "this frame is no longer in the history: SetHistory keeps more")
	}
	dst = s.appendMisuse(dst)
	if i.Overhead > history.CostlyFrame || s.limit > 0 && i.Overhead > s.limit {
		dst = append(dst, s.overheadWarning(i.Overhead, r.Costly()))
	}
	if s.rate.Unsteady() {
		dst = append(dst, "the clock's rate is unsteady: times may be wrong")
	}
	if line := s.clockLine(); line != "" {
		dst = append(dst, line)
	}
	return s.appendDropped(dst)
}

// appendMisuse appends the latest notes of misuse, and the counts of each kind.
func (s *builder) appendMisuse(dst []string) []string {
	dst = append(dst, s.misuse.Notes...)
	m, r := &s.misuse, &s.rows
	folded := min(s.dropped.Nodes, 1) // entries folded into "(other)", whose mistakes are not all seen
	counts := [...]uint64{m.ExtraEnd, m.MissingEnd, m.OtherLane, m.DeferInLoop, m.ClockBack, m.ClockJump, folded}
	if counts == r.misuseOf {
		if r.misuse != "" {
			dst = append(dst, r.misuse)
		}
		return dst
	}
	r.misuseOf = counts
	text := make([]string, 0, len(counts))
	for i, n := range counts[:len(misuseNames)] {
		if n > 0 {
			text = append(text, fmt.Sprintf(misuseNames[i], n))
		}
	}
	r.misuse = "repaired since the start: "
	if folded > 0 {
		r.misuse = "repaired since the start, at least: "
	}
	r.misuse += strings.Join(text, ", ")
	return append(dst, r.misuse)
}

// memoryWarning is the warning about the profiler's own memory.
func (s *builder) memoryWarning(n uint64) string {
	if r := &s.rows; r.memoryOf != n {
		r.memoryOf = n
		m := gather.MemoryUsed()
		r.memory = fmt.Sprintf("the profiler's memory was full %d times (limit %d MB; nodes now %.1f, "+
			"goroutines %.1f, names %.1f, events %.1f, calls %.1f): iprof.SetLimits allows more", n, m.Limit>>20,
			mb(m.Nodes), mb(m.Lanes), mb(m.Names), mb(m.Events), mb(m.Calls))
	}
	return s.rows.memory
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// longNamesWarning is the warning about names that were cut.
func (s *builder) longNamesWarning(n uint64) string {
	if r := &s.rows; r.longNamesOf != n {
		r.longNamesOf = n
		r.longNames = fmt.Sprintf("%d names are longer than 1,024 bytes: they were cut, and end in \"…\"", n)
	}
	return s.rows.longNames
}

// foreignWarning is the warning about zones of the GPU, or of another device, whose times came late or never.
func (s *builder) foreignWarning(lost, late uint64) string {
	if r := &s.rows; r.foreignOf != [2]uint64{lost, late} {
		r.foreignOf = [2]uint64{lost, late}
		r.foreign = "times of the GPU: " + foreignWords(lost, late)
	}
	return s.rows.foreign
}

// foreignWords says what is wrong with the times of foreign lanes, and nothing of what is not.
func foreignWords(lost, late uint64) string {
	theirs := "zones lost theirs"
	if lost == 1 {
		theirs = "zone lost its own"
	}
	later := "zones have theirs in a later frame than they belong to"
	if late == 1 {
		later = "zone has its own in a later frame than it belongs to"
	}
	switch {
	case late == 0:
		return fmt.Sprintf("%d %s", lost, theirs)
	case lost == 0:
		return fmt.Sprintf("%d %s", late, later)
	}
	return fmt.Sprintf("%d %s, %d %s", lost, theirs, late, later)
}

var misuseNames = [...]string{"%d End too many", "%d scopes never ended", "%d ended on another goroutine",
	"%d deferred in a loop", "%d steps back of the clock", "%d jumps of the clock"}

// appendDropped appends the warnings about limits that were reached.
func (s *builder) appendDropped(dst []string) []string {
	d := &s.dropped
	if d.Counters > 0 {
		dst = append(dst, s.countersWarning(d.Counters))
	}
	if d.Memory > 0 {
		dst = append(dst, s.memoryWarning(d.Memory))
	}
	if d.LongNames > 0 {
		dst = append(dst, s.longNamesWarning(d.LongNames))
	}
	if d.Marks > 0 {
		dst = append(dst, s.marksWarning(d.Marks))
	}
	if d.States > 0 {
		dst = append(dst, s.statesWarning(d.States))
	}
	if d.Foreign|d.Late > 0 {
		dst = append(dst, s.foreignWarning(d.Foreign, d.Late))
	}
	if s.tree.Folded > 0 {
		dst = append(dst, "more than a million distinct stacks: "+
			"what is below the last of them is counted in the zones around it; Reset begins anew")
	}
	if d.Names|d.Nodes|d.Lanes == 0 {
		return dst
	}
	if r := &s.rows; r.droppedOf[0] != d.Names || r.droppedOf[1] != d.Nodes || r.droppedOf[2] != d.Lanes {
		r.droppedOf = [3]uint64{d.Names, d.Nodes, d.Lanes}
		r.dropped = fmt.Sprintf("beyond the limits: %d calls by name, %d by node, %d by goroutine, "+
			"counted in \"(other)\" and \"(unmeasured goroutines)\": iprof.SetLimits allows more",
			d.Names, d.Nodes, d.Lanes)
	}
	return append(dst, s.rows.dropped)
}
