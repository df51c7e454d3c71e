package history

import (
	"cmp"
	"sort"

	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// The limits of the slowest frames.
const (
	defaultKept = 16
	MaxKept     = 1024
	keptBytes   = 16 << 20 // of their records
	mostRanked  = 60
)

// Slowest has the frames with the most judged time since start or Reset, the slowest first. A few are whole copies,
// which have reports after they left the history. More frames have a summary only.
type Slowest struct {
	Most   int // greatest number of whole frames; 0 is defaultKept, below 0 none
	Frames []Frame
	Ranked []report.FrameSummary // slowest frames since ClearSlowest; HasReport is not valid here
	bytes  int

	NoBudget bool // no frame is over budget, and the user did not choose that
}

// Limit returns the greatest number of whole frames.
func (k *Slowest) Limit() int { return max(cmp.Or(k.Most, defaultKept), 0) }

// Take keeps a frame if it is among the slowest. Of equally slow frames, the first stay.
func (k *Slowest) Take(p *Frame) {
	at, ok := placeOf(len(k.Ranked), mostRanked, p.JudgedMS(),
		func(i int) float64 { return float64(k.Ranked[i].Judged()) })
	if ok {
		if k.Ranked == nil {
			k.Ranked = make([]report.FrameSummary, 0, mostRanked)
		}
		k.Ranked = resize.Insert(k.Ranked[:min(len(k.Ranked), mostRanked-1)], at, p.FrameSummary)
	}
	at, ok = placeOf(len(k.Frames), k.Limit(), p.JudgedMS(), func(i int) float64 { return k.Frames[i].JudgedMS() })
	if !ok {
		return
	}
	var spare Frame
	if len(k.Frames) >= k.Limit() {
		spare = k.Pop()
	}
	k.Frames = resize.Insert(k.Frames, at, *p)
	k.Frames[at].copyRecords(p, &spare)
	k.bytes += k.Frames[at].Bytes()
	for k.bytes > keptBytes && len(k.Frames) > 1 {
		k.Pop()
	}
}

// placeOf returns the place of a frame among n of at most most frames, the slowest first, after equally slow frames. ok
// is false if the frame is not slow enough.
func placeOf(n, most int, ms float64, judged func(i int) float64) (at int, ok bool) {
	if most == 0 || n >= most && !(ms > judged(n-1)) {
		return 0, false
	}
	return sort.Search(n, func(i int) bool { return judged(i) < ms }), true
}

// copyRecords replaces a frame's records by a copy, in the memory of a spare frame.
func (f *Frame) copyRecords(from, spare *Frame) {
	f.Records = append(spare.Records[:0], from.Records...)
	f.Lanes = append(spare.Lanes[:0], from.Lanes...)
	f.Extras = append(spare.Extras[:0], from.Extras...)
}

// Pop drops the fastest frame, and returns it for its memory.
func (k *Slowest) Pop() Frame {
	last := &k.Frames[len(k.Frames)-1]
	f := *last
	k.bytes -= f.Bytes()
	*last = Frame{}
	k.Frames = k.Frames[:len(k.Frames)-1]
	return f
}

// Find returns the kept frame of an index, or nil.
func (k *Slowest) Find(index uint64) *Frame {
	for i := range k.Frames {
		if k.Frames[i].Index == index {
			return &k.Frames[i]
		}
	}
	return nil
}

// Late reports whether a frame is over budget, or if there is no budget, whether it could be one of the slowest.
func (k *Slowest) Late(f *Frame) bool { return f.Over || k.NoBudget }

// NearLate returns a kept late frame that is near another frame, or nil.
func (k *Slowest) NearLate(seq uint64) *Frame {
	for i := range k.Frames {
		if f := &k.Frames[i]; k.Late(f) && Near(f.Seq, seq) {
			return f
		}
	}
	return nil
}

// Near reports whether two frames are at most KeptAround frames apart.
func Near(a, b uint64) bool { return a <= b+KeptAround && b <= a+KeptAround }

// KeptAround is the number of frames on either side of a slow frame whose events are copied, too.
const KeptAround = 2
