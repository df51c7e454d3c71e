package instrument

import (
	"os"
	"strings"
)

// tooCostly is the Reason of functions that were muted in earlier runs.
const tooCostly = "measuring took too much of it"

// learned reads the file of muted functions. Each line has a source file and a name.
func learned(path string) map[string]bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil // no function was muted yet
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSuffix(line, "\n")] = true
	}
	return lines
}
