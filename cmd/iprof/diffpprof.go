package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"example.com/iprof/internal/pprofread"
)

// isProfile reports whether a file is a profile in pprof's format.
func isProfile(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin, _ := bufio.NewReader(file).Peek(2)
	return pprofread.Is(begin)
}

func readProfile(path string) (*pprofread.Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := pprofread.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// compareProfiles compares the self times of two profiles: in ms a second if both know how long they took. They have no
// frames, so what is chance is not known.
func compareProfiles(before, after string, percent float64) (*difference, error) {
	was, err := readProfile(before)
	if err != nil {
		return nil, err
	}
	is, err := readProfile(after)
	if err != nil {
		return nil, err
	}
	if was.Type != is.Type {
		return nil, fmt.Errorf("%s has %s times, %s has %s times", before, was.Type, after, is.Type)
	}
	d := &difference{words: "function, self ms"}
	parts := [2]float64{1e6, 1e6} // of a nanosecond
	if was.Duration > 0 && is.Duration > 0 {
		d.words = "function, self ms a second"
		parts = [2]float64{1e6 * was.Duration.Seconds(), 1e6 * is.Duration.Seconds()}
	}
	whole := change{Name: "(all)"}
	changes := map[pprofread.Place]*change{}
	for at, ns := range was.Self {
		ms := float64(ns) / parts[0]
		whole.Before += ms
		changes[at] = &change{Name: at.Name, Site: filepath.Base(at.File), Before: ms}
	}
	for at, ns := range is.Self {
		if changes[at] == nil {
			changes[at] = &change{Name: at.Name, Site: filepath.Base(at.File)}
		}
		changes[at].After = float64(ns) / parts[1]
		whole.After += changes[at].After
	}
	d.judgeAll(whole, changes, percent)
	return d, nil
}

// judgeAll puts the whole first, and then the functions with the largest change.
func (d *difference) judgeAll(whole change, changes map[pprofread.Place]*change, percent float64) {
	whole.judge(percent)
	d.Changes = []change{whole}
	for _, c := range changes {
		if c.judge(percent); c.Before == 0 && c.Verdict == "slower" {
			c.Verdict = "new"
		}
		d.Changes = append(d.Changes, *c)
	}
	slices.SortFunc(d.Changes[1:], func(a, b change) int {
		return cmp.Or(cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before)), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Site, b.Site))
	})
	for _, c := range d.Changes {
		if c.Verdict == "slower" {
			d.Slower++
		}
	}
}

var errMixed = errors.New("compare a capture with a capture, a profile with a profile, or a directory with a directory")
