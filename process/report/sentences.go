package report

import (
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// EndedWord returns the word for the end of a wait: "ended", or "released" for a lock, which its holder releases.
func EndedWord(reason string) string {
	if reason == "mutex" || strings.HasPrefix(reason, "lock ") || strings.HasPrefix(reason, "read lock ") {
		return "released"
	}
	return "ended"
}

// PartOf writes a time and the whole that it is a part of: "38.5 of 113.6 ms". Both have one decimal, or more for small
// times, but not more than a clock with a tick of tick ms resolves. A tick of 0 is unknown.
func PartOf(ms, whole, tick float64) string {
	w := words{decimals: Decimals(mostDecimals, 1, tick), units: whole >= longTime}
	w.ms(ms)
	w.put(" of ")
	w.time(whole)
	return string(w.dst)
}

// state writes why the goroutine did not run.
func (w *words) state(v *Verdict, i int) {
	c := &v.Causes[i]
	q := &c.State
	switch q.Kind {
	case gather.StateRunnable:
		w.put("it wanted a processor for ")
	case gather.StateSyscall:
		w.put("it was in a system call for ")
	case gather.StateAssist:
		w.put("it worked for the garbage collector for ")
	case gather.StateStopped:
		w.put("the runtime stopped all goroutines for ")
	case gather.StateGone:
		if c.OfMachine() {
			w.taken(c, i)
			return
		}
		w.put("the process was stopped for ")
	default:
		w.put("it waited for ")
		w.put(w.shown(q.Reason))
		w.put(" for ")
	}
	w.usually(c)
	if q.Kind == gather.StateSyscall {
		w.at(q.Place)
	}
	if c.Lane != "" && q.Kind == gather.StateWaiting && v.EndedBy(i) == nil {
		w.put(", ")
		w.put(EndedWord(q.Reason))
		w.put(" by ")
		w.put(w.shown(c.Lane))
		w.at(q.At)
	}
}

// usually writes the time of a cause that did not run, and its usual time, if it is known.
func (w *words) usually(c *Cause) {
	w.ms(c.Time)
	switch {
	case c.Absent():
		w.put(" (usually not)")
	case c.Usual > 0:
		w.put(" (usually ")
		w.ms(c.Usual)
		w.put(")")
	}
}

// at writes a place in the source, if it is known.
func (w *words) at(place string) {
	if place != "" {
		w.put(" at ")
		w.put(w.shown(place))
	}
}

// worker writes in which zone another goroutine was meanwhile, and that it ended the wait then.
func (w *words) worker(v *Verdict, i int) {
	c := &v.Causes[i]
	ended := i > 0 && v.EndedBy(i-1) == c
	if !ended {
		w.put("meanwhile ")
	}
	w.put(w.shown(c.Lane))
	w.put(" was in ")
	w.zone(c)
	w.put(" for ")
	if w.change(c); ended {
		q := &v.Causes[i-1].State
		w.put(", then ")
		w.put(EndedWord(q.Reason))
		w.put(" it")
		w.at(q.At)
	}
}

// away writes how long other programs had the processor.
func (w *words) away(c *Cause, i int) {
	w.word(i, "the machine gave the processor to other programs for ")
	if c.AtMost {
		w.put("at most ")
	}
	if c.Whole >= longTime {
		w.units = true
	}
	w.ms(c.Time)
	w.put(" of ")
	w.time(c.Whole)
}

// taken writes how much time the machine took away. The system reports it to ten milliseconds at best.
func (w *words) taken(c *Cause, i int) {
	if c.State.Reason == measure.ReasonThrottled {
		w.word(i, "the CPU quota of its container held it for about ")
	} else {
		w.word(i, "the machine was taken away for about ")
	}
	w.whole(c.Time)
}

// String returns the verdict as one line of English, with names unescaped. It is "" without a cause.
func (v *Verdict) String() string { return string(v.AppendText(nil, nil)) }

// AppendText appends the verdict as one line of English, or nothing without a cause. All displays use it. The function
// name escapes and cuts each name for the display; if name is nil, names stay as they are.
//
//	Frame 1237: +105 ms. sprites 121.7 (usually 3.5), called by render; 40.0 ms of it garbage collection.
func (v *Verdict) AppendText(dst []byte, name func(string) string) []byte {
	if !v.Found() {
		return dst
	}
	w := words{dst: dst, name: name, decimals: v.Decimals(mostDecimals)}
	if v.Frames > 1 {
		w.several(v)
	} else {
		w.put("Frame ")
		w.dst = strconv.AppendUint(w.dst, v.Index, 10)
	}
	if v.FromStart() {
		w.put(", the start")
	}
	w.put(": ")
	w.excess(v)
	w.put(". ")
	for i := range v.Causes {
		w.cause(v, i)
	}
	if v.Rest > 0 {
		w.put("; the other ")
		w.time(v.Rest)
		w.put(" are not explained")
	}
	w.put(".")
	return w.dst
}

// words writes a verdict as text.
type words struct {
	dst      []byte
	name     func(string) string
	decimals int // decimals of milliseconds

	units bool // a long time has been written, so short times have their unit, too
}

// mostDecimals is the number of decimals of the smallest times.
const mostDecimals = 3

// put writes a text. It has so many callers that inlining would make each program larger.
//
//go:noinline
func (w *words) put(s string) { w.dst = append(w.dst, s...) }

// several writes the number of frames.
func (w *words) several(v *Verdict) {
	w.count(float64(v.Frames))
	if v.Among > 0 {
		if w.put(" of "); !v.Ranged {
			w.put("the last ")
		}
		w.count(float64(v.Among))
		w.put(" frames over budget")
		return
	}
	w.put(" frames")
}

// excess writes the excess, or the time and the budget of a frame that is as long as usual.
func (w *words) excess(v *Verdict) {
	if v.AsUsual() {
		w.time(v.Time)
		if v.Usual > 0 {
			w.put(", as usual")
		}
		w.put(", over the budget of ")
		w.exact(v.Budget) // the program chose it
		return
	}
	w.put("+")
	if v.Excess >= 99.95 {
		w.whole(v.Excess)
	} else {
		w.time(v.Excess)
	}
	switch {
	case v.Working:
		if v.Cause().Kind == CauseWaiting {
			w.put(" of waiting")
		} else {
			w.put(" of work")
		}
		if !v.Over {
			w.put(", still on time")
		}
	case v.Frames > 1:
		w.put(" each")
	}
}

// cause writes a cause. The words of the second cause depend on the first.
func (w *words) cause(v *Verdict, i int) {
	c := &v.Causes[i]
	switch {
	case i == 0:
	case v.Causes[0].Kind == CauseSpread, c.Kind == CauseLargest:
		w.part(v, c)
	case c.isElse(v):
		w.put("; if it did not, ")
	default:
		w.put("; ")
	}
	switch c.Kind {
	case CauseCollector:
		w.collector(c, i)
		return
	case CauseAllocated:
		w.allocated(c)
		return
	case CauseProcessor, CauseLocks:
		w.meanwhile(c)
		return
	case CauseWorker:
		w.worker(v, i)
		return
	case CauseState:
		w.state(v, i)
		return
	case CauseAway:
		w.away(c, i)
		return
	case CauseNotRunning:
		w.put("it did not run for ")
		w.usually(c)
		w.put(": an execution trace (exectrace.Watch) would show why")
		return
	case CauseOutside:
		w.word(i, "time outside all zones")
	case CauseSpread:
		w.spread(c)
		return
	case CauseLargest:
		w.largest(v, c, i)
		return
	case CauseGPU:
		w.put("The GPU worked longer: ")
		w.zone(c)
	case CauseWaiting:
		if !w.waited(c, i) {
			return
		}
	default:
		w.zone(c)
	}
	w.put(" ")
	w.change(c)
	w.callers(c)
	if w.pattern(&c.Pattern); c.Taken > 0 && !c.Certain && !c.isElse(v) {
		w.put(", perhaps with that time")
	}
}

// waited writes the beginning of a wait, or all of one that states tell of: then it returns false.
func (w *words) waited(c *Cause, i int) bool {
	switch {
	case c.State.Reason != "":
		w.chosen(c, i)
		return false
	case c.Chosen:
		w.word(i, "the program chose to wait: ")
	default:
		w.word(i, "waiting in ")
	}
	w.zone(c)
	return true
}

// chosen writes a sleep or the like.
func (w *words) chosen(c *Cause, i int) {
	if w.word(i, "the program "); c.State.Reason == measure.ReasonSleep {
		w.put("slept for ")
	} else {
		w.put("waited for the ")
		w.put(c.State.Reason)
		w.put(" for ")
	}
	w.usually(c)
	w.put(" in ")
	w.zone(c)
	w.at(c.State.Place)
	w.pattern(&c.Pattern)
}

// part writes the words before the largest part of a time that is spread over many zones.
func (w *words) part(v *Verdict, c *Cause) {
	part, whole := c.Excess, v.Excess
	if c.Kind == CauseLargest {
		part, whole = c.Time, v.Time
	}
	if part >= whole/2 {
		w.put(", most of it in ")
	} else {
		w.put(", the largest part in ")
	}
}

// largest writes a zone that took most of a frame, or much of it.
func (w *words) largest(v *Verdict, c *Cause, i int) {
	switch {
	case i > 0:
	case !c.Self || c.Time >= v.Time/2:
		w.put("Most of it: ")
	default:
		w.put("The largest part: ")
	}
	w.zone(c)
	w.put(" ")
	if c.Pattern.Kind == PatternTurns {
		w.change(c)
	} else {
		w.ms(c.Time)
	}
	w.callers(c)
	if !c.Self {
		w.put(", spread over what it calls")
	}
	w.pattern(&c.Pattern)
}

// pattern writes in which other frames the path of a cause took long.
func (w *words) pattern(p *Pattern) {
	switch p.Kind {
	case PatternPeriod:
		w.put(", every ")
		w.count(float64(p.Every))
		w.put(" frames")
	case PatternRise:
		w.put(", rising since frame ")
		w.dst = strconv.AppendUint(w.dst, p.Since, 10)
		w.put(" (")
		w.ms(p.Low)
		w.put(" to ")
		w.ms(p.High)
		w.put(")")
	case PatternStep:
		w.put(", since frame ")
		w.dst = strconv.AppendUint(w.dst, p.Since, 10)
	case PatternTurns:
		if p.Oftener {
			w.put(", more often ")
			w.ms(p.High)
			w.put(" now")
		}
	}
}

// word writes the first words of a cause, with a capital letter in the first cause.
func (w *words) word(i int, s string) {
	at := len(w.dst)
	w.put(s)
	if i == 0 {
		w.dst[at] -= 'a' - 'A'
	}
}

// zone writes the name of the cause's zone.
func (w *words) zone(c *Cause) {
	if c.Path == 0 {
		w.put("time outside all zones")
		return
	}
	w.put(w.shown(c.Name))
	if c.Kind == CauseLonger && c.Self {
		w.put(" itself")
	}
}

// change writes the time and the usual time of a cause.
func (w *words) change(c *Cause) {
	if w.ms(c.within()); c.Certain && c.Taken > 0 {
		w.put(" of its own")
	}
	if p := &c.Pattern; p.Kind == PatternTurns {
		w.put(" (alternates between ")
		w.ms(p.Low)
		w.put(" and ")
		w.ms(p.High)
		w.put(")")
		return
	}
	if c.Absent() {
		w.absent(c)
		return
	}
	w.put(" (usually ")
	w.ms(c.Usual)
	if w.put(")"); c.Kind == CauseMoreCalls {
		w.put(", called ")
		w.count(c.Count)
		w.put(" times instead of ")
		w.count(c.Often)
	}
}

// absent writes that a cause is usually absent.
func (w *words) absent(c *Cause) {
	switch c.Kind {
	case CauseNewPath, CauseLonger, CauseMoreCalls, CauseWorker, CauseGPU:
		w.put(" (usually not called)")
	default:
		w.put(" (usually not)")
	}
}

// collector writes the pauses of the garbage collector, alone or as a part of the main cause.
func (w *words) collector(c *Cause, i int) {
	if i > 0 {
		w.time(c.Time)
		w.put(" of it garbage collection")
		return
	}
	w.put("The garbage collector stopped it for ")
	w.change(c)
	if c.Path > 0 {
		w.put(", in ")
		w.put(w.shown(c.Name))
	}
}

// spread writes an excess without a single place.
func (w *words) spread(c *Cause) {
	if c.Path == 0 {
		w.put("Spread over many zones")
		return
	}
	w.put(w.shown(c.Name))
	w.put(" ")
	w.change(c)
	w.callers(c)
	w.put(", spread over what it calls")
}

// callers writes the name of the caller.
func (w *words) callers(c *Cause) {
	if len(c.Callers) == 0 {
		return
	}
	if c.Kind == CauseMoreCalls {
		w.put(" by ")
	} else {
		w.put(", called by ")
	}
	w.put(w.shown(c.Callers[0]))
}

func (w *words) shown(name string) string {
	if w.name != nil {
		name = w.name(name)
	}
	if name == "" {
		return "(unnamed)"
	}
	return name
}

// exact writes milliseconds that do not come from the frame's clock.
func (w *words) exact(v float64) {
	read := w.decimals
	w.decimals = mostDecimals
	w.ms(v)
	w.decimals = read
}

// longTime is the least time, in ms, that is written with its own unit.
const longTime = 1e4

// long writes a time of at least longTime in seconds, minutes or hours. It reports false for shorter times.
func (w *words) long(v float64) bool {
	unit, per := " s", 1e3
	switch {
	case v < longTime:
		return false
	case v >= 6e7:
		unit, per = " h", 3.6e6
	case v >= 6e5:
		unit, per = " min", 6e4
	}
	w.dst = strconv.AppendFloat(w.dst, v/per, 'f', 1, 64)
	w.put(unit)
	w.units = true
	return true
}

// time writes a time with its unit.
func (w *words) time(v float64) {
	if w.ms(v); !w.units {
		w.put(" ms")
	}
}

// whole writes a time in whole milliseconds, or in a longer unit.
func (w *words) whole(v float64) {
	if !w.long(v) {
		w.dst = strconv.AppendFloat(w.dst, v, 'f', 0, 64)
		w.put(" ms")
	}
}

// ms writes milliseconds with one decimal, or more for small values, as far as the clock resolves them. Long times have
// their unit.
func (w *words) ms(v float64) {
	if w.long(v) {
		return
	}
	decimals := 1
	switch {
	case v < 0.0005:
	case v < 0.0995:
		decimals = mostDecimals
	case v < 0.995:
		decimals = 2
	}
	w.dst = strconv.AppendFloat(w.dst, v, 'f', min(decimals, w.decimals), 64)
	if w.units {
		w.put(" ms")
	}
}

// count writes a number of entries. Small means of several frames have one decimal.
func (w *words) count(v float64) {
	decimals := 0
	if v < 10 && v != float64(int(v)) {
		decimals = 1
	}
	w.dst = strconv.AppendFloat(w.dst, v, 'f', decimals, 64)
}

// allocated writes how much was allocated, and the work that this caused for the collector.
func (w *words) allocated(c *Cause) {
	w.put("meanwhile ")
	w.megabytes(c.Bytes)
	w.put(" MB were allocated (usually ")
	w.megabytes(c.OftenBytes)
	w.put("), with ")
	w.count(c.Count)
	if w.put(" collection"); c.Count != 1 {
		w.put("s")
	}
	if c.Time >= 0.05 {
		w.put(" that took ")
		w.exact(c.Time) // the runtime's own number
		if !w.units {
			w.put(" ms")
		}
		w.put(" of goroutines")
	}
}

func (w *words) megabytes(v float64) { w.dst = strconv.AppendFloat(w.dst, v/1e6, 'f', 1, 64) }

// atOnce writes how many goroutines waited at once: see [WaitingAtOnce].
func (w *words) atOnce(c *Cause) {
	w.put("about ")
	w.dst = AppendGoroutines(w.dst, c.Count)
	if w.put(" goroutines at once, on average, waited for "); c.Kind == CauseLocks {
		w.put("locks (usually ")
	} else {
		w.put("a processor (usually ")
	}
	if c.Often < 0.05 {
		w.put("none)")
		return
	}
	w.dst = AppendGoroutines(w.dst, c.Often)
	w.put(")")
}

// meanwhile writes what other goroutines waited for meanwhile. The runtime only estimates the sum of the waits of all.
func (w *words) meanwhile(c *Cause) {
	w.put("meanwhile ")
	switch {
	case c.Count > 0 && (c.Kind == CauseProcessor || c.Kind == CauseLocks):
		w.atOnce(c)
		return
	case c.Kind == CauseProcessor:
		w.put("all goroutines together waited for a processor for about ")
	default:
		w.put("all goroutines together waited for locks for about ")
	}
	w.change(c)
}
