package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/remote"
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
	form := addForms(f)
	base := f.String("base", "", "compare the working tree with the commit `REF`, by running both in turns")
	runs := f.Int("n", 10, "with -base: run each commit `N` times")
	percent := f.Float64("percent", changes.Percent, "changes below `N` percent are noise")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if *base != "" {
		return diffBase(*base, *runs, f.Args(), *percent, form)
	}
	if f.NArg() != 2 || !(*percent >= 0) {
		stderr.Println("usage: iprof diff [-json|-markdown|-github] [-percent 5] BEFORE AFTER: captures, profiles " +
			"for go tool pprof, or directories of captures or profiles")
		return diffTrouble
	}
	slower, err := writeDiff(stdout, f.Arg(0), f.Arg(1), *percent, form)
	switch {
	case err != nil:
		fail(err)
		return diffTrouble
	case slower > 0:
		return diffSlower
	}
	return diffSame
}

// diffBase compares the working tree with a commit.
func diffBase(ref string, runs int, args []string, percent float64, as *form) int {
	c, err := newTwoCommits(ref, runs, args)
	if err != nil {
		fail(err)
		return diffTrouble
	}
	d, err := c.compare(percent)
	if err == nil {
		err = as.write(stdout, d)
	}
	switch {
	case err != nil:
		fail(err)
		return diffTrouble
	case d.Slower > 0:
		return diffSlower
	}
	return diffSame
}

// writeDiff compares two captures or profiles, or two directories of them.
func writeDiff(w io.Writer, before, after string, percent float64, as *form) (slower int, err error) {
	sets := isDirectory(before)
	if sets != isDirectory(after) {
		return 0, errMixed
	}
	if sets {
		d, err := compareSets(before, after, percent)
		if err != nil {
			return 0, err
		}
		return d.Slower, as.write(w, d)
	}
	d, err := compare(before, after, percent)
	if err != nil {
		return 0, err
	}
	return d.Slower, as.write(w, d)
}

// form is how a difference is written: the flags of diff.
type form struct{ json, markdown, github bool }

func addForms(f *flag.FlagSet) *form {
	as := new(form)
	f.BoolVar(&as.json, "json", false, "write one JSON object")
	f.BoolVar(&as.markdown, "markdown", false, "write a comment on a review: a sentence, a table, and the rest folded")
	f.BoolVar(&as.github, "github", false, "write annotations of a GitHub workflow at the lines of slower zones")
	return as
}

// either is a difference of two runs or of two sets.
type either interface {
	comparison() *asjson.Comparison
	shown() *comparison
}

func (as *form) write(w io.Writer, d either) error {
	switch {
	case as.json:
		return asjson.Write(w, &asjson.File{Comparison: d.comparison()})
	case as.markdown:
		return d.shown().writeMarkdown(w)
	case as.github:
		return d.shown().writeGitHub(w)
	}
	return d.shown().writeText(w)
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
		c, err := side.open()
		if err != nil {
			return nil, err
		}
		c.close()
		if times[i], err = changes.Take(side.name, c.Session); err != nil {
			return nil, err
		}
	}
	return &difference{Difference: *changes.Between(times[0], times[1], percent)}, nil
}

// open is openNewest for a side.
func (s side) open() (*opened, error) {
	if s.file == nil {
		return openNewest(s.name)
	}
	in, err := imported(s.name, s.file)
	if err != nil {
		return nil, err
	}
	return newestOf(s.name, in)
}

// shown returns the difference as people read it.
func (d *difference) shown() *comparison {
	c := &comparison{names: cmp.Or(d.profiles, changes.Zones), noise: "noise", within: "the same or within noise"}
	for i := range d.Changes {
		of := &d.Changes[i]
		r := compared{before: of.Before, after: of.After, noise: fmt.Sprintf("%.3f", of.Noise), verdict: of.Verdict,
			title: of.Title(), zone: of.Info, whole: i == 0}
		if d.profiles != "" {
			r.noise = "-"
		}
		c.rows = append(c.rows, r)
	}
	for _, words := range d.Busy {
		c.notes = append(c.notes, words+".")
	}
	if d.profiles != "" {
		c.last = append(c.last, "Profiles have no frames, so the noise is unknown. They do not show which functions "+
			"wait.")
	}
	return c
}
