package web_test

import (
	"testing"

	"example.com/iprof/internal/must"
)

// mostProgram is how many bytes of the viewer's program a browser loads at most, gzipped.
const mostProgram = 4_100_000

// TestTheProgramIsSmall builds it as iprof does.
func TestTheProgramIsSmall(t *testing.T) {
	v := must.Get(viewer())(t)
	if n := len(v.Program); n > mostProgram {
		t.Errorf("got %d bytes gzipped; want at most %d", n, mostProgram)
	}
}
