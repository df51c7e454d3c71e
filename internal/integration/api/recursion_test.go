//go:build !iprof_off

package api_test

import (
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/internal/must"
)

var zoneNested = iprof.Zone{Name: "nested"}

func nest(levels int) {
	defer zoneNested.Begin().End()
	if levels > 1 {
		nest(levels - 1)
	}
}

// The depth of a recursion stands behind the name. Measuring ends at a depth, and reports do not take it for the
// deepest one. All calls are counted.
func TestReportsNameTheDepthOfRecursion(t *testing.T) {
	for levels, want := range map[int]string{5: "nested (5)", 500: "nested (128+)"} {
		iprof.Update()
		iprof.Reset()
		nest(levels)
		iprof.Update()
		var b strings.Builder
		must.Do(t, iprof.WriteText(&b))
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d calls in one another: got\n%s\nwant %q", levels, b.String(), want)
		}
	}
}
