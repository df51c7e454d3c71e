package history

import (
	"math"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// others are the frames that the lens of ReportExtra leaves out, for comparison.
type others struct {
	Frames  []uint64 // of the history
	Count   int      // of all
	Values  []Value  // by path, as s.values
	Zones   []ZoneValue
	Mean    Frame
	Made    bool
	Gen     uint64
	Of      report.Lens
	Lane    int32
	Pin     []report.ZoneID
	Where   map[int32]string
	warning string
	warned  int
}

// A zone or path with a smaller difference gets no row: in ms, and as a share of the whole excess.
const (
	MinExcess      = 5e-5
	MinExcessShare = 0.001
)

// Extra is the time of a row in the frames of the lens less its time in the other frames, in ms a frame.
type Extra struct{ Self, Hier float64 }

// Below reports whether both times differ by less than least, in ms a frame.
func (e Extra) Below(least float64) bool { return math.Abs(e.Self) < least && math.Abs(e.Hier) < least }

// WhereLevels is the number of callers that the remark "where" of a row names.
const WhereLevels = 3

// LostWarning is the warning about frames without records. Its text changes only with the number, so that a report does
// not allocate.
func (l *LensMeans) LostWarning(n int) string {
	if o := &l.Others; o.warned != n || o.warning == "" {
		o.warned = n
		o.warning = "without " + printed.Count(n, "frame") +
			" that the lens chooses, whose records are lost: SetHistory keeps more"
	}
	return l.Others.warning
}

// LensMeans holds the means over the frames of a lens. They are recomputed after any change.
type LensMeans struct {
	Of      report.Lens
	Lane    int32
	Gen     uint64
	Made    bool
	Frames  []uint64 // sequence numbers of chosen frames of the history with records, oldest first
	Count   int      // number of all summed frames
	Lost    int      // number of chosen frames without records
	Sums    []Value  // by path: self, count and errors per frame
	Mean    Frame
	Scratch []Value
	Charges ChargeList // of Values
	Charged ChargeList // of sums
	Others  others
}
