package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// readSurvivors reads the survivors that were looked at: file, change and reason, by tabs. The change has the line of
// code instead of its number, so the list outlives other changes of the file.
func readSurvivors(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if parts := strings.SplitN(strings.TrimSpace(line), "\t", 3); len(parts) == 3 {
			known[parts[0]+"\t"+parts[1]] = parts[2]
		}
	}
	return known, nil
}

// write writes all outcomes, what no test found first.
func write(name string, all []outcome, known map[string]string) error {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b outcome) int {
		return cmp.Or(-cmp.Compare(a.result, b.result), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	var text strings.Builder
	for _, o := range all {
		fmt.Fprintf(&text, "%s\t%s:%d\t%s\t%s%s\n", o.result, o.file, o.line, o.change, o.by, known[o.key()])
	}
	return os.WriteFile(name, []byte(text.String()), 0o644)
}

// key identifies a fault in files.
func (f *fault) key() string { return f.file + "\t" + f.change }

// readMissed reads the keys of the faults of an earlier result that no test found.
func readMissed(name string) (map[string]bool, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	missed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 4)
		if len(parts) == 4 && parts[0] != found {
			file, _, _ := strings.Cut(parts[1], ":")
			missed[file+"\t"+parts[2]] = true
		}
	}
	return missed, nil
}

// summary prints the shares by area, and fails if too few faults were found. Known survivors do not count.
func summary(all []outcome, known map[string]string, wanted float64) error {
	tried, caught := 0, 0
	for _, a := range areas {
		n, of, excused := 0, 0, 0
		for _, o := range all {
			switch {
			case o.area.name != a.name:
			case o.result != found && known[o.key()] != "":
				excused++
			default:
				of++
				if o.result == found {
					n++
				}
			}
		}
		if of > 0 {
			fmt.Printf("%-10s %3d of %3d found, %d known to have no effect\n", a.name, n, of, excused)
		}
		tried, caught = tried+of, caught+n
	}
	share := float64(caught) / float64(max(tried, 1))
	fmt.Printf("%.1f %% of %d faults found\n", 100*share, tried)
	if share < wanted {
		return fmt.Errorf("tests found %.1f %% of the faults; want %.0f %%", 100*share, 100*wanted)
	}
	return nil
}
