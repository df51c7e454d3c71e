package history

import "example.com/iprof/process/report"

// LaneHistory holds the times of one lane in the frames of the history. It is made from the records while the lane is
// viewed alone, and costs nothing before. Frames that have lost their records by then are gaps.
type LaneHistory struct {
	Of   report.LaneID
	Next uint64  // sequence number of the next frame to add
	Past Ring    // only zones and paths
	Busy *Series // ms
	Led  bool    // it has ended a frame, so its time outside zones is not idle
}

// NewLaneHistory returns the history of a lane from frame first on, of at most frames frames.
func NewLaneHistory(of report.LaneID, first uint64, frames int) LaneHistory {
	l := LaneHistory{Of: of, Next: first}
	l.Past.memory, l.Past.Gap = new(Chunks), &Gaps{Lost: make([]bool, frames)}
	busy := l.Past.memory.NewSeries(l.Past.Gap)
	l.Busy = &busy
	return l
}

// Trim forgets the frames before first.
func (l *LaneHistory) Trim(first uint64) { l.Past.memory.trim(first) }

// Smooth returns the moving average of the busy time. Its weights are those of a smoother.
func (l *LaneHistory) Smooth(h *Ring, average report.Average) (busy float64) {
	left, weight := 1.0, 0.0
	for seq := h.Next; seq > h.First() && left > 1e-6; seq-- {
		keep := Remains(h.At(seq-1).LengthMS/1000, Settling[average])
		w := left * (1 - keep)
		if !l.Busy.Known(seq - 1) {
			w = 0
		}
		busy += w * float64(l.Busy.At(seq-1))
		left, weight = left*keep, weight+w
	}
	if weight == 0 {
		return 0
	}
	return busy / weight
}
