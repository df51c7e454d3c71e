package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"example.com/iprof/process/report"
)

const (
	shownZones = 4  // the innermost zones of a path that are shown
	shownForks = 30 // rows of the table
)

// WriteSpawns writes a table of go statements: the number of goroutines that each has started, and its times of
// report.SpawnTimes in milliseconds. tick is the resolution of the clock in milliseconds; finer decimals are left out.
// 0 leaves out none. WriteSpawns writes at most 30 rows, and nothing without spawns. It returns the first error of w.
func WriteSpawns(w io.Writer, spawns []report.SpawnTimes, tick float64) error {
	if len(spawns) == 0 {
		return nil
	}
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "goroutines\town ms\tspawned ms\twaited ms\t  go statement, and the zones open there\n")
	decimals := report.Decimals(3, 1, tick)
	for i := range spawns[:min(len(spawns), shownForks)] {
		f := &spawns[i]
		fmt.Fprintf(t, "%d\t%.*f\t%.*f\t%.*f\t  %q\n", f.Goroutines, decimals, f.Own, decimals, f.Spawned, decimals,
			f.Waited, forkPlace(f))
	}
	t.Flush()
	if more := len(spawns) - shownForks; more > 0 {
		fmt.Fprintf(&b, "and %d go statements whose goroutines took less\n", more)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// forkPlace returns the position of a go statement and the zones around it.
func forkPlace(f *report.SpawnTimes) string {
	text := f.Crowd
	if n := len(f.Path); n > shownZones {
		text += ", in … > " + strings.Join(f.Path[n-shownZones:], " > ")
	} else if n > 0 {
		text += ", in " + strings.Join(f.Path, " > ")
	}
	if more := f.Paths - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}
