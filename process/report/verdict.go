package report

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/resize"
)

// CauseKind is the reason why a path took more time than usual.
type CauseKind uint8

// The kinds of causes.
const (
	CauseNone       CauseKind = iota
	CauseLonger               // each call took longer
	CauseMoreCalls            // it was called more often
	CauseNewPath              // its caller usually does not call it
	CauseWaiting              // a wait that the program chose, or a Blocked zone: see Cause.Chosen
	CauseCollector            // the garbage collector stopped the program
	CauseOutside              // time outside all zones
	CauseSpread               // no single callee: most of them took longer
	CauseLargest              // nothing took longer than usual; this zone took the most time
	CauseProcessor            // goroutines waited for a processor meanwhile; Time is an estimate of all their waits
	CauseLocks                // goroutines waited for locks meanwhile; Time is an estimate of all their waits
	CauseGPU                  // the GPU worked longer, and the program waited for it
	CauseWorker               // another goroutine worked longer while the frame waited: Lane names it
	CauseState                // the goroutine did not run: State gives the reason, Lane the goroutine that ended it
	CauseAllocated            // far more was allocated meanwhile: see Bytes. Time is work for the collector
	CauseAway                 // the machine gave the processor to other programs: see gather.Away and Whole
	CauseNotRunning           // the goroutine did not run for at least Time, by processor times; nothing says why
)

var causeNames = [...]string{
	"none", "longer", "more calls", "new path", "waiting", "collector", "outside", "spread", "largest",
	"processor", "locks", "GPU", "worker", "state", "allocated", "machine busy",
	"not running"}

// String returns the name of the kind, such as "more calls". Kinds out of range are "none".
func (k CauseKind) String() string {
	if int(k) >= len(causeNames) {
		k = CauseNone
	}
	return causeNames[k]
}

// Cause is a path of the call tree that explains a part of a frame's excess. Times are in ms per frame.
type Cause struct {
	Kind    CauseKind
	Zone    ZoneID           // for CauseCollector the zone that was stopped, for CauseOutside 0
	Path    int32            // path id of the merged call tree, as in Record.Path
	Name    string           // of the zone; not escaped
	Lane    string           // for CauseWorker the lane, for CauseState the lane or function that ended it; not escaped
	Callers []string         // names of its callers, innermost first, at most 8
	Self    bool             // Time and Usual are self time, else hierarchical time
	Time    float64          // in the frame, or the mean of the frames
	Usual   float64          // median over the earlier frames
	Spread  float64          // standard deviation over the earlier frames, estimated from quantiles to ignore outliers
	Excess  float64          // Time less Usual less Taken: its part of the frame's excess
	Taken   float64          // the part of Time that the machine took away and that fits no other place
	Certain bool             // the machine took Taken in this path; else perhaps in another
	Whole   float64          // for CauseAway the length of the frame
	AtMost  bool             // for CauseAway: Time is a bound
	Count   float64          // entries in the frame; for CauseProcessor and CauseLocks goroutines: see WaitingAtOnce
	State   gather.LaneState // for CauseState the longest state; as for CauseNotRunning, Usual below 0 is unknown
	Often   float64          // median of the same number over the earlier frames

	// Chosen is of CauseWaiting: the program chose the wait, so it is said but blamed for nothing. It is a zone with
	// Idle set and Blocked not, or a sleep, a timer or ticker, or the display, by the states that package exectrace
	// reads from an execution trace: then State has its place, and Path is the zone whose time it most likely is.
	// Without states, a wait in a zone that is not idle is not known to be one.
	Chosen bool

	Pattern           Pattern // for the first cause only
	Bytes, OftenBytes float64 // for CauseAllocated: bytes in the frame, and their median; Count is collections
}

// PatternKind is a kind of Pattern.
type PatternKind uint8

// The kinds of patterns.
const (
	PatternNone   PatternKind = iota
	PatternPeriod             // it takes long every Every frames
	PatternRise               // it has grown from Low to High since frame Since
	PatternTurns              // it alternates between Low and High
	PatternStep               // it has taken about High since frame Since, and about Low before
)

// Pattern says in which other frames the path of a cause took long.
type Pattern struct {
	Kind      PatternKind
	Every     int     // frames
	Since     uint64  // FrameSummary.Index
	Low, High float64 // ms
	Oftener   bool    // for PatternTurns: High is more frequent in the newest frames than before
}

// Part is a part of a frame, with its usual time. The parts of a frame do not overlap. They are in drawing order: the
// verdict's causes, other zones by their time, the rest, and waits that the program chose. Times are in ms.
type Part struct {
	Zone        ZoneID  // 0: time outside all zones, or the rest
	Path        int32   // path id of the merged call tree; RestPath for the rest
	Cause       int     // 1 + the index in Verdict.Causes, 0 without a cause
	Idle        bool    // the program chose to wait
	Time, Usual float64 // in the frame, and the median over the earlier frames; 0 with too few frames
	Count       float64 // for a cause: its entries in the frame,
	Often       float64 // and their median
}

// RestPath is the path of the Part that sums all parts too small to show.
const RestPath = -1

// OfMachine reports whether the machine took time away: see [gather.LaneState] and [gather.Away].
func (c *Cause) OfMachine() bool {
	return c.Kind == CauseAway || c.Kind == CauseState && c.State.OfMachine()
}

// isElse reports whether the cause is one only if the machine did not take the time that may have been away.
func (c *Cause) isElse(v *Verdict) bool {
	return v.Causes[0].Kind == CauseAway && v.Causes[0].AtMost && c.Excess <= 0 && c.Taken > 0 && !c.Certain
}

// within returns the time of the cause without the part that the machine certainly took.
func (c *Cause) within() float64 {
	if c.Certain {
		return c.Time - c.Taken
	}
	return c.Time
}

// Absent reports whether the cause is usually absent: a path that is usually not called, or a wait or a stop that
// usually does not happen. For such a cause a usual time of 0 ms would mislead.
func (c *Cause) Absent() bool {
	switch c.Kind {
	case CauseNewPath:
		return true
	case CauseOutside, CauseSpread, CauseLargest, CauseAllocated, CauseAway:
		return false
	}
	return c.Usual == 0 && c.Often == 0
}

// Verdict explains a frame that is over budget or unusual: its excess over the usual time, and its causes. The
// usual time is the median of up to 128 earlier frames. Times are in ms. Functions that fill a Verdict reuse its
// memory.
type Verdict struct {
	Index   uint64  // FrameSummary.Index of the frame, or of the slowest of several
	Frames  int     // number of frames that it explains; the times are their means
	Among   int     // if it explains the frames over budget, the number of all frames, else 0
	Ranged  bool    // Among counts the frames of a range, else the last frames
	Over    bool    // over budget
	Working bool    // Excess is excess of judged time: the program worked longer or was blocked, and waited less
	Time    float64 // length of the frame, or its judged time if Working
	Usual   float64 // median of the same time over the earlier frames; 0 with too few frames
	Excess  float64 // Time less Usual, and less Own
	Own     float64 // excess of the profiler's own zones
	Budget  float64
	Tick    float64 // resolution of the frame's clock, ms; 0 is not known
	Rest    float64 // the part of Excess that the causes do not explain; only if the machine took time away
	// At most two zones, the greater first. For CauseSpread and CauseLargest the second is the largest part of the
	// first. Then what else is known: one state, one hint or late worker, and time that the machine took away. If that
	// is the greatest, it comes first.
	Causes []Cause
}

// EndedBy returns the zone in which another goroutine was before it ended the wait Causes[i]: the CauseWorker after it.
// It is nil if that zone is not known, or took no longer than usual.
func (v *Verdict) EndedBy(i int) *Cause {
	if i < 0 || i+1 >= len(v.Causes) {
		return nil
	}
	if c := &v.Causes[i+1]; v.Causes[i].Kind == CauseState && c.Kind == CauseWorker && c.Lane == v.Causes[i].Lane {
		return c
	}
	return nil
}

// Clear clears a verdict and keeps its memory.
func (v *Verdict) Clear() { *v = Verdict{Causes: v.Causes[:0]} }

// Blames returns the key by which verdicts are grouped: the kind of cause, and the zone's id or another name. The key
// of frames in which nothing took longer than usual is CauseLargest.
func (v *Verdict) Blames() (kind CauseKind, zone ZoneID, name string) {
	if c := v.Cause(); c.Kind == CauseAway {
		return CauseAway, -1, CauseAway.String()
	}
	c := v.Target()
	for i := range v.Causes { // a wait that the program chose makes no frame late
		if c.Kind == CauseWaiting && v.Causes[i].Kind != CauseSpread {
			c = v.Causes[i]
		}
	}
	switch c.Kind {
	case CauseCollector, CauseAllocated:
		return CauseCollector, -1, "collector"
	case CauseGPU, CauseProcessor, CauseLocks:
		return c.Kind, -1, c.Kind.String()
	case CauseOutside:
		return c.Kind, -1, "outside zones"
	case CauseWaiting:
		if c.Chosen {
			return c.Kind, -1, "a wait that the program chose"
		}
	case CauseSpread:
		return c.Kind, -1, "many zones"
	case CauseWorker:
		return c.Kind, -1, c.Lane
	case CauseState:
		if c.OfMachine() {
			return c.Kind, -1, "the machine"
		}
	}
	if v.AsUsual() {
		return CauseLargest, -1, "as usual"
	}
	return CauseLonger, c.Zone, c.Name
}

// CopyTo copies a verdict and reuses the memory of dst.
func (v *Verdict) CopyTo(dst *Verdict) {
	causes := dst.Causes[:0]
	for i := range v.Causes {
		next := &v.Causes[i]
		causes = resize.To(causes, i+1)
		callers := append(causes[i].Callers[:0], next.Callers...)
		causes[i] = *next
		causes[i].Callers = callers
	}
	*dst = *v
	dst.Causes = causes
}

// Found reports whether the verdict explains anything.
func (v *Verdict) Found() bool { return len(v.Causes) > 0 }

// AsUsual reports whether no part of the program took longer than usual, or than its alternating times, although the
// frame is over budget.
func (v *Verdict) AsUsual() bool {
	if !v.Found() {
		return false
	}
	p := &v.Causes[0].Pattern
	return v.Causes[0].Kind == CauseAway && v.Excess == 0 || v.Causes[len(v.Causes)-1].Kind == CauseLargest ||
		p.Kind == PatternTurns && !p.Oftener
}

// Decimals returns how many decimals to write for the verdict's milliseconds, except for the budget: wanted, but not
// more than the frame's clock resolves. Times of several frames are means and always get wanted.
func (v *Verdict) Decimals(wanted int) int {
	if v.Frames != 1 {
		return wanted
	}
	return Decimals(wanted, 1, v.Tick)
}

// FromStart reports whether the verdict is on the first frame of a program, which includes the program's start.
func (v *Verdict) FromStart() bool { return v.Frames == 1 && v.Index == 0 }

// Cause returns the main cause, or the zero Cause.
func (v *Verdict) Cause() Cause {
	if len(v.Causes) == 0 {
		return Cause{}
	}
	return v.Causes[0]
}

// Target returns the cause to show to a reader. That is the main cause. If the main cause is spread over many zones, it
// is its largest part. If the machine took the time away, it is the next cause.
func (v *Verdict) Target() Cause {
	if c := v.Causes; len(c) > 1 && (c[0].Kind == CauseSpread || c[0].Kind == CauseLargest || c[0].OfMachine()) {
		return c[1]
	}
	return v.Cause()
}
