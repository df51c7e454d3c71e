package integration_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// measureParts are the parts of package measure, lowest first. The part of a file is the word before its first
// underscore, and the last part has all other files. See the package's documentation.
var measureParts = []string{"frame", "lane", "census", "reader", "functions"}

// mostUp is the greatest share of the references between files of different parts that go up.
const mostUp = 0.05

func partOf(file string) int {
	name := strings.TrimSuffix(filepath.Base(file), ".go")
	word, _, _ := strings.Cut(name, "_")
	if at := slices.Index(measureParts, word); at >= 0 {
		return at
	}
	return len(measureParts) - 1
}

// Who changes a part of package measure needs to know the parts below it, not those above.
func TestRoomsReferDown(t *testing.T) {
	_, packages := list(t)
	at := slices.IndexFunc(packages, func(p listed) bool { return p.name() == "internal/measure" })
	var up []string
	all := 0
	for from, files := range references(t, packages[at], packages[at].GoFiles) {
		for _, to := range files {
			if partOf(from) != partOf(to) {
				all++
			}
			if partOf(from) < partOf(to) {
				up = append(up, fmt.Sprintf("%s refers to %s", filepath.Base(from), filepath.Base(to)))
			}
		}
	}
	slices.Sort(up)
	if all < 100 {
		t.Fatalf("references between parts: got %d; want some hundred", all)
	}
	if share := float64(len(up)) / float64(all); share > mostUp {
		t.Errorf("got %d of %d references between parts that go up; want at most %g %%:\n%s", len(up), all, 100*mostUp,
			strings.Join(up, "\n"))
	}
}
