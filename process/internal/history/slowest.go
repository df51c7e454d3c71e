package history

import (
	"cmp"
	"slices"
)

// The limits of the slowest frames kept.
const (
	defaultKept = 16
	MaxKept     = 1024
	keptBytes   = 16 << 20 // of their records
)

// Slowest holds whole copies of the frames with the most busy time since start or Reset. They have reports after they
// left the history. The slowest is first.
type Slowest struct {
	Most   int // greatest number of frames; 0 is defaultKept, below 0 none
	Frames []Frame
	bytes  int
}

func (k *Slowest) Limit() int { return max(cmp.Or(k.Most, defaultKept), 0) }

// Take keeps a frame if it is among the slowest. Of equally slow ones, the first stay.
func (k *Slowest) Take(p *Frame) {
	n := k.Limit()
	full := len(k.Frames) >= n
	if n == 0 || full && p.BusyMS <= k.Frames[n-1].BusyMS {
		return
	}
	at, _ := slices.BinarySearchFunc(k.Frames, p.BusyMS, func(have Frame, busy float64) int {
		if have.BusyMS >= busy {
			return -1
		}
		return 1
	})
	var spare Frame
	if full {
		spare = k.Pop()
	}
	k.Frames = slices.Insert(k.Frames, at, *p)
	k.Frames[at].copyRecords(p, &spare)
	k.bytes += k.Frames[at].Bytes()
	for k.bytes > keptBytes && len(k.Frames) > 1 {
		k.Pop()
	}
}

// copyRecords replaces a frame's records by a copy of them, in the memory of a spare frame.
func (f *Frame) copyRecords(from, spare *Frame) {
	f.Records = append(spare.Records[:0], from.Records...)
	f.Lanes = append(spare.Lanes[:0], from.Lanes...)
	f.Extras = append(spare.Extras[:0], from.Extras...)
}

// Pop drops the least slow frame, and returns it for its memory.
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

// NearOver returns a kept frame over budget that is near another frame, or nil.
func (k *Slowest) NearOver(seq uint64) *Frame {
	for i := range k.Frames {
		if f := &k.Frames[i]; f.Over && Near(f.Seq, seq) {
			return f
		}
	}
	return nil
}

// Near reports whether two frames are at most KeptAround frames apart.
func Near(a, b uint64) bool { return a <= b+KeptAround && b <= a+KeptAround }

// KeptAround is the number of frames on either side of a slow frame whose events are copied with its own.
const KeptAround = 2
