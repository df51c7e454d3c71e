package process

import (
	"math"

	"example.com/iprof/gather"
)

// value holds the numbers of a path, or of a zone, in one frame or average. Times are in ms. A report walks over
// several lists of values, so a value is small: BenchmarkReport of the root package depends on it.
type value struct {
	self, hier, count float64
	variance          float64 // of self, in ms squared; above 0 only where self has estimated time, or lost some
	age               float32 // of a muted zone: ms since it was measured
	errors            uint32  // clock steps and repairs; stays at the largest uint32
	extra             int32   // the place of its charges in Session.charged, 0 for none
	open              bool    // a scope is open at the frame's end
	alive             bool    // it or a path below it has any number, or an open scope
	noted             bool    // one of errors, variance, estimated and age may be set: few values have any
	estimated         gather.Estimated
}

// note adds the errors, the variance and the like of another value.
func (v *value) note(w *value) {
	v.noted = true
	v.errors = saturated(v.errors, w.errors)
	v.variance += w.variance
	v.estimated, v.age = max(v.estimated, w.estimated), max(v.age, w.age)
}

// saturated is a + b, and the largest uint32 where that is beyond it.
func saturated(a, b uint32) uint32 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxUint32
}

// zoneValue is the sum of the paths of a zone. hier counts recursion once.
type zoneValue struct {
	value
	depth  int32 // deepest recursion with an entry or time
	seen   bool  // has ever been entered
	kids   bool  // something was entered from it
	listed bool  // has a row in the report being made
}

// plus adds the value of another frame. Hierarchical time is derived later.
func (v *value) plus(w *value) {
	v.self += w.self
	v.count += w.count
	if w.noted {
		v.note(w)
	}
	v.open = v.open || w.open
}
