package instrument

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
)

// tooCostly is the Reason of functions muted by earlier runs.
const tooCostly = "measuring took too much of its time"

// learnedLines reads a file of muted functions. Each line has a source file and a name.
func learnedLines(path string) map[string]bool {
	lines := map[string]bool{}
	text, err := os.ReadFile(path)
	if err != nil {
		return lines // no function has been muted
	}
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSuffix(line, "\n")] = true
	}
	return lines
}

// A run mutes functions. The present build still has their zones, so its next start gets their names: see Pending. They
// lose their zones at the next build, which is started early if it makes the program much faster.
const (
	pendingEnd = ".pending" // of the file of functions muted from the start
	runsEnd    = ".runs"    // of the file of what a build without their zones would have saved in the last runs
	lockEnd    = ".lock"    // of the lock file for changes of these files: several runs may end at once

	lastRuns  = 8                     // in that file
	largeGain = 0.03                  // of the processor time of these runs
	leastGain = 20 * time.Millisecond // in all of them, as a build takes tenths of a second
)

// Pending returns the functions that earlier runs have muted and that still have a zone. Each line has a source file
// and a name. learned is Plan.Learned.
func Pending(learned string) []string {
	return slices.Sorted(maps.Keys(learnedLines(learned + pendingEnd)))
}

// Learn stores the functions that a run has muted. gain is the processor time that their zones still took, of that of
// the run. It ignores errors: the next run mutes them again. Several processes and goroutines may call it at once; on
// systems without file locks, such as Plan 9, the changes of one may be lost. It returns the number of functions that
// lose their zones at the next start, as the last runs together would have gained much.
func Learn(learned string, muted []gather.ZoneInfo, gain, of time.Duration) (leaving int) {
	if learned == "" || len(muted) == 0 {
		return 0
	}
	defer lockFile(learned + lockEnd)()
	lines := learnedLines(learned + pendingEnd)
	for _, z := range muted {
		lines[z.File+"\t"+z.Name] = true
	}
	_ = writeLines(learned+pendingEnd, lines)
	saved, took := addRun(learned+runsEnd, gain, of)
	if saved >= float64(leastGain) && saved > largeGain*took {
		leaving = settleLocked(learned)
	}
	return leaving
}

// addRun adds a run to a file of the last runs, and returns their sums. Each line has a gain and a processor time in
// nanoseconds. Damaged lines count nothing.
func addRun(path string, gain, of time.Duration) (gains, times float64) {
	text, _ := os.ReadFile(path)
	lines := slices.Collect(strings.Lines(string(text)))
	lines = append(lines[max(0, len(lines)-lastRuns+1):], fmt.Sprintf("%d %d\n", gain, of))
	for _, line := range lines {
		var gain, of uint64
		if _, err := fmt.Sscanf(line, "%d %d\n", &gain, &of); err == nil {
			gains, times = gains+float64(gain), times+float64(of)
		}
	}
	_ = writeChanged(path, []byte(strings.Join(lines, "")))
	return gains, times
}

// settle moves functions from the muted ones to the ones without a zone.
func settle(learned string) {
	defer lockFile(learned + lockEnd)()
	settleLocked(learned)
}

// settleLocked is settle with the lock. It returns the number of functions.
func settleLocked(learned string) int {
	pending := learnedLines(learned + pendingEnd)
	all, kept := learnedLines(learned), map[string]bool{}
	for line := range pending {
		if _, round := sampled.RoundOf(line); round { // without its zone, its time would be the iterator's
			kept[line] = true
		} else {
			all[line] = true
		}
	}
	switch {
	case len(kept) == len(pending) || writeLines(learned, all) != nil:
		return 0
	case len(kept) == 0:
		_ = os.Remove(learned + pendingEnd)
	default:
		_ = writeLines(learned+pendingEnd, kept)
	}
	_ = os.Remove(learned + runsEnd) // the next build does not have these zones
	return len(pending) - len(kept)
}

func writeLines(path string, lines map[string]bool) error {
	return writeChanged(path, []byte(strings.Join(sortedKeys(lines), "\n")+"\n"))
}
