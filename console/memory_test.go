//go:build !iprof_off

package console

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// The program's own session: the command switches what is measured.
func TestMemoryModeByCommand(t *testing.T) {
	s := process.Default()
	defer gather.SetMemoryMode(gather.Memory())
	for _, word := range []string{"off", "own", "frame", "zone"} {
		t.Run(word, func(t *testing.T) {
			if got := output(t, s, "memory "+word[:2]); got != "memory "+word || gather.Memory().String() != word {
				t.Errorf("memory %s: got %q, mode %v; want it chosen", word[:2], got, gather.Memory())
			}
		})
	}
	s.Update()
	if got := output(t, s, "memory"); !strings.Contains(got, "mode zone") {
		t.Errorf("got %q; want the name of the mode", got)
	}
}
