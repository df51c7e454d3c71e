package main

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
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
	if sets != isDirectory(after) {
		return 0, errMixed
	}
	if sets {
		d, err := compareSets(before, after, percent)
		if err != nil {
			return 0, err
		}
		return d.Slower, d.write(w, asJSON)
	}
	d, err := compare(before, after, percent)
	if err != nil {
		return 0, err
	}
	return d.Slower, d.write(w, asJSON)
}

// side is a capture, a profile, or the address of a program.
type side struct {
	name string
	file *os.File // nil of an address; it is opened once, as it may be a pipe
}

// compare compares two captures or two profiles.
func compare(before, after string, percent float64) (*difference, error) {
	var sides [2]side
	for i, name := range []string{before, after} {
		if sides[i].name = name; remote.Is(name) {
			continue
		}
		file, err := openFile(name)
		if err != nil {
			return nil, err
		}
		defer file.Close() // a second time, if it is closed
		sides[i].file = file
	}
	profiles := isProfile(sides[0].file)
	if profiles != isProfile(sides[1].file) {
		return nil, errMixed
	}
	if profiles {
		return compareProfiles(sides[0], sides[1], percent)
	}
	return compareCaptures(sides, percent)
}

// compareCaptures compares two captures.
func compareCaptures(sides [2]side, percent float64) (*difference, error) {
	var times [2]*changes.Times
	for i, side := range sides {
		session, c, err := side.open()
		if err != nil {
			return nil, err
		}
		c.close()
		if times[i], err = changes.Take(side.name, session); err != nil {
			return nil, err
		}
	}
	return &difference{Difference: *changes.Between(times[0], times[1], percent)}, nil
}

// open is openNewest for a side.
func (s side) open() (*process.Session, *opened, error) {
	if s.file == nil {
		return openNewest(s.name)
	}
	in, err := imported(s.name, s.file)
	if err != nil {
		return nil, nil, err
	}
	return newestOf(s.name, in)
}

// write writes the changes as lines or as JSON. Lines leave out zones that are the same.
func (d *difference) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return asjson.Write(w, &asjson.File{Comparison: d.comparison()})
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
	for _, words := range d.Busy {
		fmt.Fprintln(w, words+".")
	}
	_, err := fmt.Fprintln(w, d.Summary())
	if d.profiles != "" && err == nil {
		_, err = fmt.Fprintln(w, "Profiles have no frames, so the noise is unknown. "+
			"They do not show which functions wait.")
	}
	return err
}
