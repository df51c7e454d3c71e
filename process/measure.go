package process

import (
	"math"
	"strconv"
)

// This file defines the numbers of a frame. All displays take them from here, so that one word means one number:
//
//	frame    the time from one Update to the next
//	waiting  the part of the frame in Idle zones, on the lane that ends the frames
//	busy     frame less waiting
//	fps      1000 ms / frame
//	share    a time in percent of the frame, or of the run in a Dump
//	mean     of a zone: its time in the frames of the history / their number, since its first frame
//	max      of a zone: its time in the frame of the history where it is greatest
//	(root)   hierarchical time: the frame; self time: the part of it outside all zones
//
// An averaged number has AverageSign before it, or stands beside words that name the average. A lane's numbers are
// those of its goroutine in the same frame: see View.Lane.

// AverageSign stands before a number that is the mean of several frames.
const AverageSign = "ø "

// onTime is the share of the budget that a frame's length may reach before the frame is late. It is greater than 1
// because displays are not exact: the waits for a 60 Hz display vary by a millisecond.
const onTime = 1.1

// Pace is whether a frame was on time.
type Pace uint8

// The paces.
const (
	PaceOnTime Pace = iota
	PaceWaited      // busy within budget, but the wait made the frame longer than the budget
	PaceOver        // busy for longer than the budget
)

// String returns a word for a display: "", "waited" or "over".
func (p Pace) String() string { return [...]string{"", "waited", "over"}[min(p, PaceOver)] }

// paceOf judges a frame. Times are in ms.
func paceOf(over bool, length, budget float64) Pace {
	switch {
	case over:
		return PaceOver
	case budget > 0 && length > onTime*budget:
		return PaceWaited
	}
	return PaceOnTime
}

// Waiting is the time in ms that the frame waited: Length less Busy.
func (i *FrameInfo) Waiting() float64 { return math.Max(0, i.Length-i.Busy) }

// Pace returns whether the frame was on time. Its budget is FrameInfo.Budget.
func (i *FrameInfo) Pace() Pace { return paceOf(i.Over, i.Length, i.Budget.Seconds()*1000) }

// Averaged reports whether the numbers are means of several frames: a moving average or a lens.
func (i *FrameInfo) Averaged() bool {
	return i.Lens.Kind != LensOff || i.Age == 0 && !i.Kept && !i.Gone && i.Frames > 0 && i.Average != AverageInstant
}

// Sign is AverageSign for averaged numbers, else "".
func (i *FrameInfo) Sign() string {
	if i.Averaged() {
		return AverageSign
	}
	return ""
}

// Averages reports whether a column's values are means of several frames because the report is: see
// FrameInfo.Averaged. Statistics are of several frames always, and their names say so.
func (r *Report) Averages(c Column) bool {
	switch c {
	case ColumnSelf, ColumnHier, ColumnCount, ColumnSelfPercent, ColumnHierPercent, ColumnSelfPerCall,
		ColumnHierPerCall:
		return r.Frame.Averaged()
	}
	return false
}

// AppendParts appends the parts of the frame's length: "14.90 busy + 133.70 waiting".
//
// With a GPU lane these are "CPU 4.10 · GPU 12.30 ms · GPU-bound". A wait for another goroutine says for which.
func (i *FrameInfo) AppendParts(dst []byte, decimals int) []byte {
	if i.HasGPU {
		return i.appendBound(dst, decimals, " · ")
	}
	dst = append(strconv.AppendFloat(dst, i.Busy, 'f', decimals, 64), " busy + "...)
	return i.appendWorker(append(strconv.AppendFloat(dst, i.Waiting(), 'f', decimals, 64), " waiting"...))
}

// leastWaits is the share of a frame from which on waits of all goroutines are told with its length.
const leastWaits = 0.05

// AppendWaits appends what all goroutines waited in the frame, added up: "runnable 3.1 · locks 1.2 ms", until they got
// a processor, and for locks. What is less than 5 % of the frame, or than 0.05 ms, is left out.
func (i *FrameInfo) AppendWaits(dst []byte) []byte { return i.appendWaits(dst, "", " · ") }

func (i *FrameInfo) appendWaits(dst []byte, before, between string) []byte {
	told := false
	for _, w := range [...]struct {
		name string
		ms   float64
	}{{"runnable ", i.RunQueue}, {"locks ", i.LockWait}} {
		if !waited(w.ms, i.Length) {
			continue
		}
		if told {
			before = between
		}
		dst, told = append(append(dst, before...), w.name...), true
		dst = strconv.AppendFloat(dst, w.ms, 'f', 1, 64)
	}
	if told {
		dst = append(dst, " ms"...)
	}
	return dst
}

// waited reports whether a wait in ms is worth telling with the length of its frame.
func waited(ms, length float64) bool { return ms >= 0.05 && ms >= leastWaits*length }

// Waited reports whether FrameInfo.AppendWaits has something to tell of the frame.
func (f *FrameSummary) Waited() bool {
	return waited(float64(max(f.RunQueue, f.LockWait)), float64(f.Length))
}

// appendParts appends the parts of a frame that waited, and the word for its pace, to a title.
func (i *FrameInfo) appendParts(dst []byte) []byte {
	if i.HasGPU {
		dst = i.appendBound(append(dst, " = "...), 1, ", ")
	} else if i.Waiting() >= 0.05 {
		dst = i.AppendParts(append(dst, " = "...), 1)
	}
	if word := i.Pace().String(); word != "" {
		dst = append(append(dst, ", "...), word...)
	}
	return dst
}

// Waiting is the time in ms that the frame waited: Length less Busy.
func (f *FrameSummary) Waiting() float32 { return max(0, f.Length-f.Busy) }

// Pace says whether the frame was on time for a budget in ms.
func (f *FrameSummary) Pace(budget float64) Pace { return paceOf(f.Over, float64(f.Length), budget) }

// Share returns a time in percent of a whole, or 0 if there is no whole.
func Share(part, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return 100 * part / whole
}
