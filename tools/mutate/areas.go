package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// area is a part of the module that gets an equal share of the faults.
type area struct {
	name    string
	folders []string // with the code
	tests   []string // folders of the test packages that are to find its faults, the nearest first
}

// measure is the folder of the package that measures.
const measure = "internal/measure"

// oracle is the folder of the random programs, which find faults of both.
const oracle = "internal/oracle"

var areas = []area{
	{"gather", []string{measure, measure + "/internal/counters", measure + "/internal/eventlog", measure + "/histogram",
		measure + "/internal/heap", measure + "/internal/eviction"},
		[]string{measure, measure + "/histogram", measure + "/internal/counters", measure + "/internal/eventlog",
			measure + "/internal/heap", measure + "/internal/eviction", oracle, "process"}},
	{"governor", []string{measure + "/internal/governor"}, []string{measure + "/internal/governor", measure, oracle}},
	{"process", []string{"process", "process/internal/history", "process/internal/rows", "process/internal/store",
		"process/timeline", "process/internal/totals", "process/report"},
		[]string{"process", "process/internal/history", "process/timeline", "process/internal/totals", "process/report",
			"process/internal/rows", oracle, "capture"}},
	{"verdict", []string{"process/internal/verdict"}, []string{"process"}},
	{"capture", []string{"capture", "internal/framefile"}, []string{"capture", "internal/framefile"}},
	{"viewer", []string{"viewer", "viewer/internal/strip", "viewer/internal/table", "viewer/internal/timeline",
		"viewer/internal/card", "viewer/internal/icicle", "viewer/internal/answer", "viewer/internal/list"},
		[]string{"viewer", "viewer/internal/table"}},
	{"instrument", []string{"internal/instrument"}, []string{"internal/instrument", "cmd/iprof"}},
	{"importer", []string{"internal/importer"}, []string{"internal/importer", "cmd/iprof"}},
}

// chosenAreas returns the areas of these names, with commas between them, or all.
func chosenAreas(names string) (chosen []*area, err error) {
	wanted := strings.Split(names, ",")
	for i := range areas {
		if names == "" || slices.Contains(wanted, areas[i].name) {
			chosen = append(chosen, &areas[i])
		}
	}
	if len(chosen) == 0 || names != "" && len(chosen) != len(wanted) {
		return nil, fmt.Errorf("no area in %q: see areas.go for their names", names)
	}
	return chosen, nil
}

// sources returns the Go files of the folders that this system builds, without tests, in order.
func sources(folders []string) ([]string, error) {
	var files []string
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.FromSlash(folder))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				files = append(files, folder+"/"+name)
			}
		}
	}
	slices.Sort(files)
	return files, nil
}

// withTests returns the folders that have tests.
func withTests(folders []string) []string {
	return slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		found, _ := filepath.Glob(filepath.FromSlash(folder + "/*_test.go"))
		return len(found) == 0
	})
}
