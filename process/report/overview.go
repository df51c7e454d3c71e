package report

// Overview is the whole run or recording at a glance: the longest frame of each stretch of all frames since the start
// or Reset, and the late frames, grouped by what made them late. Frames have numbers here, from 0 for the first. The
// size is bounded: stretches get longer as time goes on, but each keeps its longest frame.
type Overview struct {
	Frames    uint64      // number of all frames
	First     uint64      // the oldest frame that can be shown, apart from the kept slowest
	Each      uint64      // frames in a stretch; the last stretch may have fewer
	Stretches []Stretch   // oldest first
	Late      []LateFrame // oldest first; if they are more than some thousand, only the longest
	Groups    []LateGroup // in the order in which they were found
	Pending   int         // late frames whose cause has not been searched for yet

	Sections        []Section // oldest first, at most MaxSections
	SectionsDropped uint64    // number of older sections
}

// Stretch stands for some consecutive frames, and shows the longest of them.
type Stretch struct {
	Judged float32 // ms of the longest frame: see FrameSummary.Judged
	Group  int16   // of that frame in Overview.Groups, or one of the constants below 0
	Frame  uint64  // its number
}

// These values stand in place of a group.
const (
	LateUnknown = -1 // not late; or its cause is not known, because its records were lost
	LatePending = -2 // its cause has not been searched for yet
)

// LateFrame is a frame over budget.
type LateFrame struct {
	Frame  uint64  // its number
	Index  uint64  // FrameSummary.Index
	Judged float32 // ms
	Group  int16   // as in Stretch
	Here   bool    // it can be shown: see View.ShowFrame
}

// LateGroup has the late frames of one cause.
type LateGroup struct {
	_       incomparable
	Name    string    // name of the zone, or of another cause; not escaped
	Zone    ZoneID    // -1 if the cause is not a zone
	Kind    CauseKind // CauseLonger for all kinds with a zone; CauseLargest of all frames that were as usual
	Count   int       // frames
	Longest float32   // ms
	Every   int       // frames from one to the next if they are regular, else 0
	Rising  bool      // each is longer than the one before
}

// At returns the place in Stretches of a frame, or -1.
func (o *Overview) At(frame uint64) int {
	if o.Each == 0 || frame/o.Each >= uint64(len(o.Stretches)) {
		return -1
	}
	return int(frame / o.Each)
}
