package report

// Section is a section of the run: see iprof.Section. Times are those by which its frames are judged (FrameSummary), in
// ms.
type Section struct {
	Number      uint64  // rises from each section of the run to the next
	Name        string  // any bytes; sinks escape it
	First, Last uint64  // the numbers of its frames, from 0 for the first frame since the start or Reset
	From, To    uint64  // FrameSummary.Index of these frames
	Frames      uint64  // that were kept of it
	Mean        float64 // ms
	P99         float64 // ms, within 0.8 %
	Worst       float64 // ms
	WorstFrame  uint64  // FrameSummary.Index of the worst
}

// MostSections is the number of sections that an Overview has. The oldest are dropped first.
const MostSections = 256
