package report

import "fmt"

// Window chooses a part of the history for Snapshot.Past. The zero Window has no frames.
type Window struct {
	Frames  int    // number of frames
	Skip    int    // number of newer frames to leave out
	Until   uint64 // sequence number after the last frame, in place of Skip; 0: Skip applies
	Columns int    // greatest number of columns, apart from those cut at the ends; below 1 it is Frames
}

// Past is a part of the history in columns. If there are more frames than columns, a column stands for several
// consecutive frames, and shows the one with the most judged time. So no spike is lost. Only the frame numbers decide
// where columns begin, so a column keeps its frames as time goes on.
type Past struct {
	Window               // clamped to the kept frames
	Kept    int          // frames in the whole history
	Behind  int          // frames of the recording that are newer than the history
	Group   int          // frames in a column; the first and the last column may have fewer
	Columns []PastColumn // oldest first
	Series  []Series     // of the zones of Snapshot.Series: a value for each column, NaN where not known
	Shown   []float32    // by series: ms in the frame of the view's age, or the mean of its lens; NaN if not known
	Lane    LaneID       // lane of Busy and Over of the columns; 0: the lane that ends the frames

	Spare []PastColumn // memory of the last Snapshot, for the next; readers leave it alone
}

// PastColumn is a column of Past. With Past.Lane, Busy is NaN where the records were lost before the lane was viewed.
type PastColumn struct {
	FrameSummary     // of the busiest frame; but AllocBytes and Others are maxima, Cycles the sum over all frames
	Age          int // of the busiest frame
	Oldest       int // age of the first frame
	Newest       int // age of the last frame
	Collector    CollectorTime

	Begin, End float64 // of its frames, ms on the axis of the rows of a timeline.Timeline

	Seq, From, To uint64 // sequence numbers: of the busiest frame, of the first frame, and of the frame after the last
}

// At returns the index of the column that an age is in, or -1.
func (p *Past) At(age int) int {
	if len(p.Columns) == 0 || age > p.Columns[0].Oldest || age < p.Columns[len(p.Columns)-1].Newest {
		return -1
	}
	low, high := 0, len(p.Columns)-1
	for low < high {
		if mid := (low + high) / 2; age < p.Columns[mid].Newest {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Clamp brings a window into a history.
func (w Window) Clamp(kept, most int) Window {
	w.Frames = min(max(w.Frames, 0), most)
	w.Skip = min(max(w.Skip, 0), max(kept-w.Frames, 0))
	if w.Columns < 1 {
		w.Columns = max(w.Frames, 1)
	}
	return w
}

// CollectorTime is the time of the garbage collector in a frame, or in all frames of a column, in ms. It comes from
// states of an execution trace, and is 0 without a trace.
type CollectorTime struct {
	Marking float32 // beside the program
	Assist  float32 // work of goroutines for the collector, summed
	Stopped float32 // all goroutines were stopped
}

// Any reports whether any of the times is not 0.
func (c *CollectorTime) Any() bool { return *c != CollectorTime{} }

// CallsFrom are the calls of a zone by one caller, the shortest first.
type CallsFrom struct {
	Caller ZoneID // 0: none
	Calls  []CallBucket
}

// Around describes the zone of the record under the cursor.
type Around struct {
	Zone    ZoneID    // -1 without one
	Report  Report    // its call graph
	History []float32 // its hierarchical time in the newest frames, ms, oldest first
	Depths  []float64 // entries in the frame by depth of recursion, 0 is outermost; empty without recursion
	Counts  bool      // WantCalls can start counting; false in a capture

	// Calls are those of Session.AppendCalls, Callers the same by caller. They are kept from the last Snapshot while
	// SnapshotOptions.Calls is false. CallFrames is the number of frames in whose events they are, 0 if the program
	// has counted them.
	Calls      []CallBucket
	Callers    []CallsFrom
	CallFrames int

	Hot       *HotLines // lines in which samples fell, nil without samples
	CanSample bool      // there is a HotSource
	Sampling  int       // samples per second of processor time; 0: off

	Allocated fmt.Stringer // the newest traced allocations, nil without any
}
