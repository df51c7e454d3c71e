package importer_test

import (
	"fmt"
	"testing"
)

// Marks and values as near as the slices are long, or a second, extend the time, and those further away are left out,
// to the microsecond.
func TestMarksNearTheSlices(t *testing.T) {
	for _, test := range []struct{ begin, length, near int }{
		{10_000_000, 500_000, 1_000_000}, {10_000_000, 2_500_000, 2_500_000}, {-4_000_000, 1_000_000, 1_000_000},
	} {
		slices := fmt.Sprintf(`{"ph":"X","name":"a","ts":%d,"dur":%d,"tid":1}`, test.begin, test.length)
		end := test.begin + test.length
		for _, what := range []string{`{"ph":"i","name":"m","s":"g","ts":%d}`,
			`{"ph":"C","name":"v","args":{"x":1},"ts":%d}`} {
			for at, near := range map[int]bool{test.begin - test.near: true, test.begin - test.near - 1: false,
				end + test.near: true, end + test.near + 1: false, end: true, test.begin: true} {
				s, r := seeText(t, "["+slices+","+fmt.Sprintf(what, at)+"]")
				want := max(end, at) - min(test.begin, at)
				if !near {
					want = test.length
				}
				if got := int(s.whole.Microseconds()); got != want || s.all["a"] != int64(test.length)*1000 {
					t.Errorf("%v, at %d: got %d us, %v; want %d", test, at, got, s.all, want)
				}
				// a value before all frames applies to the first
				if left := leftOut(r); (left == 0) != (near || at < test.begin && len(s.values) > 0) {
					t.Errorf("%v, at %d: got %v left out", test, at, r.Left)
				}
			}
		}
	}
}
