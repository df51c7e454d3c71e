package rows

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// AppendWarnings appends the warnings of a report, the most important first. r is nil for trees, which have no sign
// "!".
func (b *Builder) AppendWarnings(dst []string, i *report.FrameInfo, r *report.Report) []string {
	switch {
	case !gather.Enabled && b.store.Running():
		dst = append(dst, report.CompiledOut)
	case i.Frames > 0 || !gather.Enabled:
	case i.Paused:
		dst = append(dst, "paused: frames are thrown away until Resume")
	case b.store.None:
		dst = append(dst, "no frames: the program has 4 sets of frames, which is the most")
	case b.store.Set != "":
		dst = append(dst, "no frame of this set has ended yet: call its Update, or BeginFrame and EndFrame")
	default:
		dst = append(dst, "no frame has ended yet: call iprof.Update once a frame")
	}
	if b.store.Running() && measure.RefusedSets() > 0 {
		dst = append(dst, "some calls of Frames have no frames: a program has at most 4 sets of frames")
	}
	if b.store.Forgotten != "" {
		dst = append(dst, b.store.Forgotten)
	}
	if i.Gone && i.Frames > 0 {
		dst = append(dst, "this frame is no longer in the history: SetHistory keeps more")
	}
	if err := b.store.Unread(i.Lens); err != nil {
		dst = append(dst, "the chosen frames are those in memory, as others cannot be read: "+err.Error())
	}
	dst = b.appendCut(b.appendMisuse(dst))
	if i.Overhead > history.CostlyFrame || b.store.Limit > 0 && i.Overhead > b.store.Limit {
		dst = append(dst, b.overheadWarning(i.Overhead, r.Costly()))
	}
	if b.store.Rate.Unsteady() {
		dst = append(dst, "the clock's rate is unsteady: times may be wrong")
	}
	if line := b.clockLine(); line != "" {
		dst = append(dst, line)
	}
	return b.appendDropped(dst)
}

// The reasons for forgetting frames without a Reset.
const (
	OtherProgram = "another program, or another run of it, began, and numbers of zones changed their meaning"
	OtherClock   = "the program replaced its clock, and times of two clocks have no sum"
)

// Forgot returns the warning that some frames were forgotten, or "".
func Forgot(frames uint64, reason string) string {
	if frames == 0 {
		return ""
	}
	return "forgot " + printed.Count(frames, "earlier frame") + ": " + reason
}

// appendCut appends the warning about a history that memory cuts short.
func (b *Builder) appendCut(dst []string) []string {
	h, r := &b.store.Past, &b.rows
	if !h.Cut || h.Length() >= h.Want {
		return dst
	}
	if r.cutOf != h.Want {
		r.cutOf = h.Want
		r.cut = fmt.Sprintf("the history has fewer frames than the %d asked for: their times take %d MB, which is the "+
			"most", h.Want, history.SeriesBytes>>20)
	}
	return append(dst, r.cut)
}

// appendMisuse appends the latest notes of misuse, and the counts of each kind.
func (b *Builder) appendMisuse(dst []string) []string {
	dst = append(dst, b.store.Misuse.Notes...)
	m, r := &b.store.Misuse, &b.rows
	folded := min(b.store.Dropped.Nodes, 1) // folded entries in "(other)", some of whose mistakes go unnoticed
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
			text = append(text, printed.Count(n, misuseNames[i][0])+misuseNames[i][1])
		}
	}
	r.misuse = "repaired since the start: "
	if folded > 0 {
		r.misuse = "repaired since the start, at least: "
	}
	r.misuse += strings.Join(text, ", ")
	return append(dst, r.misuse)
}

// memoryWarning returns the warning about the profiler's own memory.
func (b *Builder) memoryWarning(n uint64) string {
	if r := &b.rows; r.memoryOf != n {
		r.memoryOf = n
		m := gather.MemoryUsed()
		r.memory = fmt.Sprintf("the profiler's memory was full %s (limit %d MB; nodes now %.1f, "+
			"goroutines %.1f, names %.1f, events %.1f, calls %.1f): iprof.SetLimits allows more",
			printed.Count(n, "time"), m.Limit>>20, mb(m.Nodes), mb(m.Lanes), mb(m.Names), mb(m.Events), mb(m.Calls))
	}
	return b.rows.memory
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// longNamesWarning returns the warning about names that were cut.
func (b *Builder) longNamesWarning(n uint64) string {
	if r := &b.rows; r.longNamesOf != n {
		r.longNamesOf = n
		r.longNames = "cut " + printed.Count(n, "name") + " at 1,024 bytes, with \"…\" as the end"
	}
	return b.rows.longNames
}

// foreignWarning returns the warning about zones of the GPU, or of another device, whose times came late or never.
func (b *Builder) foreignWarning(lost, late uint64) string {
	if r := &b.rows; r.foreignOf != [2]uint64{lost, late} {
		r.foreignOf = [2]uint64{lost, late}
		r.foreign = "times of the GPU: " + foreignWords(lost, late)
	}
	return b.rows.foreign
}

// foreignWords returns a warning of lost and late times of foreign lanes. It mentions only kinds that occurred.
func foreignWords(lost, late uint64) string {
	var words []string
	if lost > 0 {
		words = append(words, "lost for "+printed.Count(lost, "zone"))
	}
	if late > 0 {
		words = append(words, "in a later frame than their own for "+printed.Count(late, "zone"))
	}
	return strings.Join(words, ", ")
}

// misuseNames are the kinds of mistakes: a noun and what comes after it.
var misuseNames = [...][2]string{{"End", " too many"}, {"scope", " never ended"},
	{"scope", " ended on another goroutine"}, {"scope", " deferred in a loop"}, {"step", " back of the clock"},
	{"jump", " of the clock"}}

// appendDropped appends the warnings about limits that were reached.
func (b *Builder) appendDropped(dst []string) []string {
	d := &b.store.Dropped
	if d.Counters > 0 {
		dst = append(dst, b.countersWarning(d.Counters))
	}
	if d.Memory > 0 {
		dst = append(dst, b.memoryWarning(d.Memory))
	}
	if d.LongNames > 0 {
		dst = append(dst, b.longNamesWarning(d.LongNames))
	}
	if n := d.Marks + d.Remarks; n > 0 {
		dst = append(dst, b.marksWarning(n))
	}
	if d.States > 0 {
		dst = append(dst, b.statesWarning(d.States))
	}
	if d.Foreign|d.Late > 0 {
		dst = append(dst, b.foreignWarning(d.Foreign, d.Late))
	}
	if b.store.Tree.Folded > 0 {
		dst = append(dst, "more than a million distinct stacks: "+
			"what is below the last of them is counted in the zones around it; Reset begins anew")
	}
	if d.Names|d.Nodes|d.Lanes == 0 {
		return dst
	}
	if r := &b.rows; r.droppedOf[0] != d.Names || r.droppedOf[1] != d.Nodes || r.droppedOf[2] != d.Lanes {
		r.droppedOf = [3]uint64{d.Names, d.Nodes, d.Lanes}
		r.dropped = fmt.Sprintf("beyond the limits: %s by name, %d by node, %d by goroutine, "+
			"counted in \"(other)\" and \"(unmeasured goroutines)\": iprof.SetLimits allows more",
			printed.Count(d.Names, "call"), d.Nodes, d.Lanes)
	}
	return append(dst, b.rows.dropped)
}

// MaxWaiting is the greatest number of frames that wait for a reader of the session.
const MaxWaiting = 64

// appendJoined appends the warning about Updates that ended no frame.
func (b *Builder) appendJoined(dst []string) []string {
	if b.store.Joined == 0 {
		return dst
	}
	if r := &b.rows; r.joinedOf != b.store.Joined {
		r.joinedOf = b.store.Joined
		r.joined = fmt.Sprintf("%s of Update ended no frame: %d frames waited for a reader of the session; "+
			"the next frame has the measurements", printed.Count(b.store.Joined, "call"), MaxWaiting)
	}
	return append(dst, b.rows.joined)
}

// overheadTexts caches the texts of the warning about overhead by their numbers. Overhead changes from frame to frame
// but has few values. So soon all texts are cached, and a report does not allocate.
type overheadTexts struct {
	limit float64
	texts map[overheadText]string
}

type overheadText struct {
	permille       int // 0..1000
	missed, marked bool
}

// overheadWarning is the warning about high overhead, or about overhead above its limit. It mentions the sign "!" only
// if a row has it.
func (b *Builder) overheadWarning(overhead float64, marked bool) string {
	w := &b.rows.overhead
	if w.texts == nil || w.limit != b.store.Limit {
		*w = overheadTexts{b.store.Limit, make(map[overheadText]string)}
	}
	key := overheadText{int(math.Round(overhead * 1000)), b.store.Limit > 0 && overhead > b.store.Limit, marked}
	text, known := w.texts[key]
	if !known {
		text = fmt.Sprintf("measuring costs %.1f %% of the frame", float64(key.permille)/10)
		if key.missed {
			text = fmt.Sprintf("limit %.3g %% missed: %s", b.store.Limit*100, text)
		} else if marked {
			text += report.SeeMarked
		}
		w.texts[key] = text
	}
	return text
}

// A clock is mentioned if it is slower or coarser than these.
const (
	quickReading = 35 * time.Nanosecond
	fineTick     = 10 * time.Nanosecond
)

// clockLine returns the sentence about the clock in use, or "".
func (b *Builder) clockLine() string {
	c, r := &b.store.Clock, &b.rows
	c.Zone = 5 * math.Round(c.Zone/5) // each calibration differs a little
	if r.clockOf != *c {
		r.clockOf, r.clock = *c, lineOf(c)
	}
	return r.clock
}

// lineOf returns the clock line for a clock.
func lineOf(c *store.Clock) string {
	tick := time.Duration(math.Round(min(1e9/max(c.PerSecond, 1), 1e9)))
	name := "the processor's counter"
	switch {
	case c.Source == measure.ClockGo:
		name = "Go's"
	case c.Source != measure.ClockCounter, c.Reading <= quickReading && tick <= fineTick:
		return ""
	}
	line := "clock: " + name
	if tick > fineTick {
		line += fmt.Sprintf(" in steps of %d ns", tick.Nanoseconds())
	}
	line += fmt.Sprintf(", %d ns a reading", c.Reading.Nanoseconds())
	if c.Why != "" {
		line += ", as " + c.Why
	}
	if c.Zone >= 1 {
		line += fmt.Sprintf("; a zone takes about %.0f ns", c.Zone)
	}
	return line
}

// statesWarning returns the warning about dropped states.
func (b *Builder) statesWarning(n uint64) string {
	if r := &b.rows; r.statesOf != n {
		r.statesOf = n
		r.states = fmt.Sprintf("dropped %s: a frame has at most %d", printed.Count(n, "wait"), measure.MaxStates)
	}
	return b.rows.states
}
