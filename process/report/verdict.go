package report

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/resize"
)

// CauseKind is the reason why a path took more time than usual.
type CauseKind uint8

// The kinds of causes.
const (
	CauseNone      CauseKind = iota
	CauseLonger              // each call took longer
	CauseMoreCalls           // it was called more often
	CauseNewPath             // it is usually not called from there
	CauseWaiting             // an Idle zone waited longer
	CauseCollector           // the garbage collector stopped the program
	CauseOutside             // time outside all zones
	CauseSpread              // no single callee: most of them took longer
	CauseLargest             // nothing took longer than usual: this took the most time
	CauseProcessor           // goroutines waited for a processor meanwhile: Time is the sum over all of them
	CauseLocks               // goroutines waited for locks meanwhile: Time is the sum over all of them
	CauseGPU                 // the GPU worked longer, and the program waited for it
	CauseWorker              // another goroutine worked longer while the frame waited: Lane names it
	CauseState               // the goroutine did not run: State says why, Lane who ended that
	CauseAllocated           // far more was allocated meanwhile: Bytes; Time is what the collector took of goroutines
)

var causeNames = [...]string{
	"none", "longer", "more calls", "new path", "waiting", "collector", "outside", "spread", "largest",
	"processor", "locks", "GPU", "worker", "state", "allocated"}

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
	Zone    ZoneID           // of CauseCollector the zone that was stopped, of CauseOutside 0
	Path    int32            // path id of the merged call tree, as in Record.Path
	Name    string           // of the zone; not escaped
	Lane    string           // of CauseWorker the lane, of CauseState the lane or function that ended it; not escaped
	Callers []string         // names of its callers, innermost first, at most 8
	Self    bool             // Time and Usual are self time, else hierarchical time
	Time    float64          // in the frame, or the mean of the frames
	Usual   float64          // median of the earlier frames
	Spread  float64          // standard deviation of the earlier frames, from quantiles, so that outliers do not count
	Excess  float64          // Time less Usual, less Taken: the part of the frame's excess
	Taken   float64          // of Time, what the machine took away as far as no other place can have it
	Count   float64          // entries in the frame
	State   gather.LaneState // the longest one, of CauseState; Usual is below 0 if it is not known
	Often   float64          // median of the entries in the earlier frames

	Pattern           Pattern // of the first cause
	Bytes, OftenBytes float64 // of CauseAllocated: bytes allocated in the frame, and their median; Count is collections
}

// PatternKind is a kind of Pattern.
type PatternKind uint8

// The kinds of patterns.
const (
	PatternNone   PatternKind = iota
	PatternPeriod             // it takes long at regular distances: Every
	PatternRise               // it has grown since a frame: Since, from Low to High
	PatternTurns              // it takes Low or High by turns
)

// Pattern says when else the path of a cause took long.
type Pattern struct {
	Kind      PatternKind
	Every     int     // frames
	Since     uint64  // FrameSummary.Index
	Low, High float64 // ms
	Oftener   bool    // of PatternTurns: High is more frequent in the newest frames than before
}

// OfMachine reports whether the cause is that the machine took time away: see [gather.LaneState].
func (c *Cause) OfMachine() bool { return c.Kind == CauseState && c.State.OfMachine() }

// Verdict explains a frame that is over budget or unusual: its excess over the usual time, and its causes. The
// usual time is the median of up to 128 earlier frames. Times are in ms. Functions that fill a Verdict reuse its
// memory.
type Verdict struct {
	Index   uint64  // FrameSummary.Index of the frame, or of the slowest of several
	Frames  int     // number of frames that it explains; the times are their means
	Among   int     // if it explains the frames over budget, number of frames they are among, else 0
	Over    bool    // over budget
	Working bool    // Excess is of judged time: the program worked longer, or was blocked, and waited less
	Time    float64 // length of the frame, or its judged time if Working
	Usual   float64 // median of the same in the earlier frames; 0 if there are too few frames
	Excess  float64 // Time less Usual
	Budget  float64
	Rest    float64 // of Excess, what the causes leave unexplained; only if the machine took time away
	// At most two, the greater first; of CauseSpread and CauseLargest the second is its largest part. Where the machine
	// took time away, that is one more.
	Causes []Cause
}

// Clear clears a verdict and keeps its memory.
func (v *Verdict) Clear() { *v = Verdict{Causes: v.Causes[:0]} }

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

// AsUsual reports whether nothing took longer than usual, or than it does by turns: the frame is over budget all the
// same.
func (v *Verdict) AsUsual() bool {
	if !v.Found() {
		return false
	}
	p := &v.Causes[0].Pattern
	return v.Causes[len(v.Causes)-1].Kind == CauseLargest || p.Kind == PatternTurns && !p.Oftener
}

// FromStart reports whether it is about the first frame of a program, which includes its start.
func (v *Verdict) FromStart() bool { return v.Frames == 1 && v.Index == 0 }

// Cause returns the main cause, or the zero Cause.
func (v *Verdict) Cause() Cause {
	if len(v.Causes) == 0 {
		return Cause{}
	}
	return v.Causes[0]
}

// Target returns the cause to show to a reader: the main one, or its largest part if that is spread over many zones, or
// the one beside it if the machine took the time away.
func (v *Verdict) Target() Cause {
	if c := v.Causes; len(c) > 1 && (c[0].Kind == CauseSpread || c[0].Kind == CauseLargest || c[0].OfMachine()) {
		return c[1]
	}
	return v.Cause()
}
