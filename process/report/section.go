package report

// Section is a section of the run: see iprof.Section. Times are judged times of its frames (FrameSummary.Judged), in
// ms.
type Section struct {
	Number      uint64  // increases from section to section
	Name        string  // any bytes; sinks escape it
	First, Last uint64  // the numbers of its frames, from 0 for the first frame since the start or Reset
	From, To    uint64  // FrameSummary.Index of these frames
	Frames      uint64  // number of its frames that were kept
	Mean        float64 // ms
	P99         float64 // ms, within 0.8 %
	Worst       float64 // ms
	WorstFrame  uint64  // FrameSummary.Index of the worst frame
}

// MaxSections is the greatest number of sections in an Overview. The oldest are dropped first.
const MaxSections = 256
