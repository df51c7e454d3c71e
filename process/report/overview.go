package report

// Overview is the whole run or recording at a glance: the longest frame of each stretch of all frames since the start
// or Reset, and the late frames, grouped by what made them late. Frames have numbers here, from 0 for the first. Its
// size is bounded: stretches get longer as time goes on, but none loses its longest frame.
type Overview struct {
	Frames    uint64      // number of all frames
	First     uint64      // the oldest frame that can be shown, apart from the slowest that are kept
	Each      uint64      // frames in a stretch; the last stretch may have fewer
	Stretches []Stretch   // oldest first
	Late      []LateFrame // oldest first; of more than some thousand, the longest
	Groups    []LateGroup // in the order in which they were found
	Pending   int         // late frames whose causes are still to be found

	Sections        []Section // oldest first, at most MostSections
	SectionsDropped uint64    // older ones
}

// Stretch is some frames in a row, by the longest of them.
type Stretch struct {
	Judged float32 // ms of the longest frame: see FrameSummary.Judged
	Group  int16   // of that frame in Overview.Groups, or one of the constants below 0
	Frame  uint64  // its number
}

// What a frame without a group has in its place.
const (
	LateUnknown = -1 // not late; or its cause is not known, because its records were lost
	LatePending = -2 // its cause is still to be found
)

// LateFrame is a frame over budget.
type LateFrame struct {
	Frame  uint64  // its number
	Index  uint64  // FrameSummary.Index
	Judged float32 // ms
	Group  int16   // as in Stretch
	Here   bool    // it can be shown: see Session.ShowFrame
}

// LateGroup is late frames of one cause.
type LateGroup struct {
	Name    string    // the zone's, or what else it was; not escaped
	Zone    ZoneID    // -1 if it was no zone
	Kind    CauseKind // CauseLonger for all that a zone did; CauseLargest if the frames were as usual
	Count   int       // frames
	Longest float32   // ms
	Every   int       // frames between them, if that is regular; else 0
	Rising  bool      // they get longer and longer
}

// At returns the place in Stretches of a frame, or -1.
func (o *Overview) At(frame uint64) int {
	if o.Each == 0 || frame/o.Each >= uint64(len(o.Stretches)) {
		return -1
	}
	return int(frame / o.Each)
}
