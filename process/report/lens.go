package report

import (
	"cmp"
	"sort"
)

// LensKind chooses the frames of a report.
type LensKind uint8

// The kinds of lens.
const (
	LensOff      LensKind = iota // the frame or the moving average that Age and Average choose
	LensAll                      // every frame of the history
	LensOver                     // frames over budget
	LensWithin                   // frames within budget
	LensSlowest                  // the slowest frames: see Lens.Slowest
	LensRange                    // a range of frames: see Lens.From
	NumLensKinds = iota
)

// Lens chooses frames of the history. A report through it shows means per frame, or sums. The zero Lens is off. See
// [ParseFrames] for a lens in words.
type Lens struct {
	Kind     LensKind
	Slowest  int      // number of frames of LensSlowest; below 1 is 16
	Of       LensKind // LensOver and LensWithin: LensSlowest chooses among these frames only
	From, To uint64   // FrameSummary.Index of LensRange and of Ranged, both included, in either order
	Ranged   bool     // LensOver, LensWithin and LensSlowest choose among the frames From to To only

	Sum bool // values are sums over all frames, not means per frame; only for LensAll

	Undisturbed bool // it leaves out disturbed frames, and frames that are in a file only: see FrameSummary.Disturbed
}

// Clamp brings a lens into range.
func (l *Lens) Clamp() {
	if l.Kind >= NumLensKinds || l.Of >= NumLensKinds {
		*l = Lens{}
	}
	l.Sum = l.Sums()
	if l.From > l.To {
		l.From, l.To = l.To, l.From
	}
}

// Frames returns the number of frames of LensSlowest: Slowest, or 16 if Slowest is below 1.
func (l *Lens) Frames() int { return cmp.Or(max(l.Slowest, 0), 16) }

// Sums reports whether values are sums over all frames, as a user asks of a run.
func (l *Lens) Sums() bool { return l.Sum && l.Kind == LensAll }

// Per returns the number by which sums over n frames are divided: n, at least 1, for means, else 1.
//
//go:noinline
func (l *Lens) Per(n int) float64 {
	if l.Sums() {
		return 1
	}
	return float64(max(n, 1))
}

// Range returns the first and the last index of a frame that the lens may choose. some reports whether there are
// frames outside, as with LensRange and Ranged.
func (l *Lens) Range() (first, last uint64, some bool) {
	if l.Kind == LensRange || l.Ranged {
		return min(l.From, l.To), max(l.From, l.To), true
	}
	return 0, ^uint64(0), false
}

// OfBudget returns LensOver or LensWithin if the lens chooses among the frames over or within budget only. Else it
// returns LensAll.
func (l *Lens) OfBudget() LensKind {
	kind := l.Kind
	if kind == LensSlowest {
		kind = l.Of
	}
	if kind == LensOver || kind == LensWithin {
		return kind
	}
	return LensAll
}

// Takes reports whether a lens may choose a frame. LensSlowest chooses the slowest of the frames for which it is true.
func (l *Lens) Takes(p *FrameSummary) bool {
	first, last, _ := l.Range()
	if l.Kind == LensOff || l.Undisturbed && p.Disturbed() || p.Index < first || p.Index > last {
		return false
	}
	of := l.OfBudget()
	return of == LensAll || p.Over == (of == LensOver)
}

// Choose returns the frames that the lens chooses of some frames of a history, in their order. Of equally slow frames,
// LensSlowest chooses the newer one.
func (l Lens) Choose(frames []FrameSummary) (list []FrameSummary) {
	for i := range frames {
		if l.Takes(&frames[i]) {
			list = append(list, frames[i])
		}
	}
	if l.Kind == LensSlowest {
		SortBySlowness(list)
		list = list[:min(len(list), l.Frames())]
		sort.Slice(list, func(i, k int) bool { return list[i].Index < list[k].Index })
	}
	return list
}

// SortBySlowness sorts frames, the slowest first. Of equal frames the newer is first.
func SortBySlowness(list []FrameSummary) {
	sort.Slice(list, func(i, k int) bool {
		a, b := list[i].Judged(), list[k].Judged()
		return a > b || a == b && list[i].Index > list[k].Index
	})
}
