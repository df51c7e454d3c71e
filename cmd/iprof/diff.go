package main

import (
	"cmp"
	"fmt"
	"io"

	"example.com/iprof/internal/changes"
)

// difference is the output of diff.
type difference struct {
	changes.Difference
	profiles string // of profiles, the heading of the names
}

// The exit statuses of diff, as of the Unix command diff.
const (
	diffSame    = 0
	diffSlower  = 1
	diffTrouble = 2
)

// diff is the command diff. It compares two captures. Its status is 1 if anything became slower.
func diff(args []string) int {
	f := newFlags("diff")
	asJSON := f.Bool("json", false, "write one JSON object")
	percent := f.Float64("percent", changes.Percent, "changes below `N` percent are noise")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 2 || !(*percent >= 0) {
		stderr.Println("usage: iprof diff [-json] [-percent 5] BEFORE AFTER: captures, profiles for " +
			"go tool pprof, or directories of captures or profiles")
		return diffTrouble
	}
	slower, err := writeDiff(stdout, f.Arg(0), f.Arg(1), *percent, *asJSON)
	switch {
	case err != nil:
		fail(err)
		return diffTrouble
	case slower > 0:
		return diffSlower
	}
	return diffSame
}

// writeDiff compares two captures or profiles, or two directories of them.
func writeDiff(w io.Writer, before, after string, percent float64, asJSON bool) (slower int, err error) {
	sets := isDirectory(before)
	profiles := !sets && isProfile(before)
	if sets != isDirectory(after) || !sets && profiles != isProfile(after) {
		return 0, errMixed
	}
	if sets {
		d, err := compareSets(before, after, percent)
		if err != nil {
			return 0, err
		}
		return d.Slower, d.write(w, asJSON)
	}
	by := compare
	if profiles {
		by = compareProfiles
	}
	d, err := by(before, after, percent)
	if err != nil {
		return 0, err
	}
	return d.Slower, d.write(w, asJSON)
}

// compare compares two captures.
func compare(before, after string, percent float64) (*difference, error) {
	var times [2]*changes.Times
	for i, path := range []string{before, after} {
		session, c, err := openNewest(path)
		if err != nil {
			return nil, err
		}
		c.close()
		if times[i], err = changes.Take(path, session); err != nil {
			return nil, err
		}
	}
	return &difference{Difference: *changes.Between(times[0], times[1], percent)}, nil
}

// write writes the changes as lines or as JSON. Lines leave out zones that are the same.
func (d *difference) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, d)
	}
	line := func(c [len(changes.Headings)]string, name string) {
		fmt.Fprintf(w, "%10s %10s %10s %8s %8s  %-6s  %s\n", c[0], c[1], c[2], c[3], c[4], c[5], name)
	}
	line(changes.Headings, cmp.Or(d.profiles, changes.Zones))
	for _, c := range d.Shown() {
		cells := c.Cells()
		if d.profiles != "" {
			cells[4] = "-"
		}
		line(cells, c.Title())
	}
	_, err := fmt.Fprintln(w, d.Summary())
	if d.profiles != "" && err == nil {
		_, err = fmt.Fprintln(w, "Profiles have no frames, so noise is not known, and do not say what waits.")
	}
	return err
}
