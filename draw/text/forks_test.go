package text_test

import (
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/process/report"
)

// TestForksOfACoarseClock: no decimals below a tick of the clock.
func TestForksOfACoarseClock(t *testing.T) {
	forks := []report.Fork{{Own: 12, Forked: 431.2, Waited: 8000, Spawn: report.Spawn{Crowd: "a.go:1", Goroutines: 2}}}
	for tick, want := range map[float64]string{
		0: " 12.000    431.200   8000.000 ", 1: " 12        431       8000 ", 0.1: " 12.0      431.2     8000.0 ",
		4e-5: " 12.000    431.200   8000.000 ",
	} {
		var b strings.Builder
		if err := text.WriteForks(&b, forks, tick); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("tick %v ms: got %q, %v; want %q", tick, b.String(), err, want)
		}
	}
}
