package text

import (
	"fmt"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
)

const shownMuted = 30 // zones in the list

// WriteMuted lists the zones that a program built by iprof run has muted, in their order, and explains their numbers.
// It lists at most 30 zones, and writes nothing without muted zones. It returns the first error of w.
func WriteMuted(w io.Writer, zones []gather.ZoneInfo) error {
	if len(zones) == 0 {
		return nil
	}
	p := newPrinter(w)
	p.put(printed.Count(uint64(len(zones)), "function"),
		" with calls too short to measure, muted and left out of the next build.\n",
		"~ above: counted exactly, and timed at random. Zones in them are rows below the enclosing zone.\n")
	for _, z := range zones[:min(len(zones), shownMuted)] {
		p.put("  ", shown(z.Name), "  ", printed.Distinct(z.Site()), "\n")
	}
	if more := len(zones) - shownMuted; more > 0 {
		p.put(fmt.Sprintf("  and %d more\n", more))
	}
	return p.flush()
}
