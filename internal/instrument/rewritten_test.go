package instrument_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// overlayOf returns the files of a folder that a plan replaces, with the text that replaces each.
func overlayOf(t *testing.T, dir string, plan *instrument.Plan) map[string]string {
	t.Helper()
	b := must.Get(plan.Write())(t)
	var overlay struct{ Replace map[string]string }
	for _, flag := range b.Flags {
		name, ok := strings.CutPrefix(flag, "-overlay=")
		if !ok {
			continue
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &overlay)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	texts := map[string]string{}
	for own, path := range overlay.Replace {
		if short, err := filepath.Rel(dir, own); err == nil && filepath.IsLocal(short) {
			text := must.Get(os.ReadFile(path))(t)
			texts[short] = string(text)
		}
	}
	return texts
}

// tableName is the name of a file's table of zones, which depends on the folder.
var tableName = regexp.MustCompile(`iprofZones[0-9a-f]{8}`)

// rewritten compares the lines that a plan changes with a golden file: all lines that differ from the program's own,
// and all behind these. No line moves, so that positions in messages and stack traces stay.
func rewritten(t *testing.T, name, dir string, plan *instrument.Plan) {
	t.Helper()
	var all bytes.Buffer
	texts := overlayOf(t, dir, plan)
	for _, short := range slices.Sorted(maps.Keys(texts)) {
		own, err := os.ReadFile(filepath.Join(dir, short))
		if top, _, _ := strings.Cut(filepath.ToSlash(short), "/"); err != nil || top == "cgo" || top == "assembly" {
			continue // a file that the program does not have, or not on all systems
		}
		before := strings.Split(string(own), "\n")
		for i, line := range strings.Split(tableName.ReplaceAllString(texts[short], "zones"), "\n") {
			if i >= len(before) || line != before[i] {
				fmt.Fprintf(&all, "%s:%d:%s\n", short, i+1, line)
			}
		}
	}
	golden.Text(t, name, all.Bytes())
}

// TestEveryWaitAndLoopIsRewritten: the corpus has each form of a statement with a wait, a loop or a go statement.
func TestEveryWaitAndLoopIsRewritten(t *testing.T) {
	dir := copied(t, "corpus")
	rewritten(t, "corpus.golden", dir, planned(t, dir, instrument.Options{Selection: everything}))
}
