package instrument

import (
	"maps"
	"os"
	"slices"
	"strings"

	"example.com/iprof/gather"
)

// tooCostly is the Reason of functions that were muted in earlier runs.
const tooCostly = "measuring took too much of it"

// learnedLines reads a file of muted functions. Each line has a source file and a name.
func learnedLines(path string) map[string]bool {
	lines := map[string]bool{}
	text, err := os.ReadFile(path)
	if err != nil {
		return lines // no function was muted yet
	}
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSuffix(line, "\n")] = true
	}
	return lines
}

// A run mutes functions. The build has zones for them, so its next start gets their names: see Pending. They
// lose their zones when the program is built anyway, or when that makes it much quicker.
const (
	pendingEnd = ".pending" // of the file of functions that are muted from the start
	lockEnd    = ".lock"    // of the file whose lock who changes one of the two has: several runs may end at once
	largeGain  = 0.03       // of the processor time
)

// Pending returns the functions that earlier runs have muted and that still have a zone, as lines of a source file and
// a name. learned is Plan.Learned.
func Pending(learned string) []string {
	return slices.Sorted(maps.Keys(learnedLines(learned + pendingEnd)))
}

// Learn keeps which functions a run has muted. gain is the share of the processor time that their zones still take.
// Errors are dropped: the next run mutes them again. Several processes and goroutines may call it at once; on systems
// without a lock of files, such as Plan 9, one of them may do so in vain.
func Learn(learned string, muted []gather.ZoneInfo, gain float64) {
	if learned == "" || len(muted) == 0 {
		return
	}
	defer lockFile(learned + lockEnd)()
	lines := learnedLines(learned + pendingEnd)
	for _, z := range muted {
		lines[z.File+"\t"+z.Name] = true
	}
	_ = writeLines(learned+pendingEnd, lines)
	if gain > largeGain {
		settleLocked(learned)
	}
}

// settle moves the functions that are muted from the start to those that have no zone.
func settle(learned string) {
	defer lockFile(learned + lockEnd)()
	settleLocked(learned)
}

func settleLocked(learned string) {
	pending := learnedLines(learned + pendingEnd)
	if len(pending) == 0 {
		return
	}
	all := learnedLines(learned)
	maps.Copy(all, pending)
	if writeLines(learned, all) == nil {
		_ = os.Remove(learned + pendingEnd)
	}
}

func writeLines(path string, lines map[string]bool) error {
	return writeChanged(path, []byte(strings.Join(sortedKeys(lines), "\n")+"\n"))
}
