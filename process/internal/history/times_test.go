package history

import (
	"reflect"
	"testing"
)

// TestAllTimesAreSummed: numbers has each number of Times once.
func TestAllTimesAreSummed(t *testing.T) {
	var one, sum Times
	of := reflect.ValueOf(&one).Elem()
	for i := range of.NumField() {
		if f := of.Field(i); f.CanFloat() {
			f.SetFloat(float64(i + 1))
		}
	}
	sum.Add(&one)
	sum.Add(&one)
	if sum.Divide(2); sum != one {
		t.Errorf("got half of two frames %+v; want %+v", sum, one)
	}
	if sum.Ease(0.5, new(Times)); sum.LocksMS != one.LocksMS/2 {
		t.Errorf("got %+v on half the way to nothing; want half of %+v", sum, one)
	}
}
