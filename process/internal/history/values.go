package history

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// EveryLane is the index of all lanes merged.
const EveryLane = -1

// Incomparable keeps a struct from being compared with ==. Every program has code to compare each struct that can be.
type Incomparable [0]func()

// Value holds the numbers of a path, or of a zone, in one frame or average. Times are in ms. A report walks over
// several lists of values, so a value is small: BenchmarkReport of the root package depends on it.
type Value struct {
	_                 Incomparable
	Self, Hier, Count float64
	Variance          float64 // of self, in ms squared; above 0 only if self has or has lost estimated time
	Errors            uint32  // clock steps and repairs; stays at the largest uint32
	Extra             int32   // the place of its charges in Session.charged, or 0
	Open              bool    // a scope is open at the frame's end
	Alive             bool    // it or a path below has a number or an open scope
	Noted             bool    // one of errors, variance and estimated may be set; few values have one
	Estimated         gather.Estimated
}

// Note adds the rare numbers of another value: errors, variance and so on.
func (v *Value) Note(w *Value) {
	v.Noted = true
	v.Errors = saturated(v.Errors, w.Errors)
	v.Variance += w.Variance
	v.Estimated = max(v.Estimated, w.Estimated)
}

// Extend adds the rare numbers of a node. perTick converts its time.
func (v *Value) Extend(x *gather.NodeExtra, perTick float64, charges *ChargeList) {
	v.Count += float64(x.More) * (1 << 32)
	v.Note(&Value{Errors: uint32(min(x.Errors, math.MaxUint32)), Variance: x.Variance * perTick * perTick,
		Estimated: x.Estimated})
	if c := report.ChargesOf(x); c != (report.Charges{}) {
		charges.Add(&v.Extra, &c)
	}
}

// saturated returns a + b, clamped to the largest uint32.
func saturated(a, b uint32) uint32 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxUint32
}

// ZoneValue is the sum of the paths of a zone. Hier counts recursion once.
type ZoneValue struct {
	_ Incomparable
	Value
	Depth  int32 // deepest recursion with an entry or time
	Seen   bool  // has ever been entered
	Kids   bool  // it has entered another zone
	Listed bool  // has a row in the report being made
}

// Plus adds the value of another frame. Hierarchical time is derived later.
func (v *Value) Plus(w *Value) {
	v.Self += w.Self
	v.Count += w.Count
	if w.Noted {
		v.Note(w)
	}
	v.Open = v.Open || w.Open
}

// noLane is the index of an unknown lane.
const noLane = math.MaxInt32
