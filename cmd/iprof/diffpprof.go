package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/pprofread"
)

// isProfile reports whether a file is a profile in pprof's format, compressed with gzip.
func isProfile(file *os.File) bool {
	begin := make([]byte, 2)
	if file == nil {
		return false
	}
	if _, err := file.ReadAt(begin, 0); err != nil || !pprofread.Is(begin) {
		return false
	}
	kind := importer.KindOf(file)
	return kind == importer.KindPprof || kind == importer.KindCapture // a damaged profile is no capture
}

func readProfile(path string, file *os.File) (*pprofread.Profile, error) {
	p, err := pprofread.Read(file, sample, limits.File())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// profileNames is the heading of functions in profiles of known duration.
const profileNames = "function, self ms a second"

// allFunctions is the name of the sum.
const allFunctions = "(all)"

// compareProfiles compares the self times of two profiles: in ms a second if both have a duration. Profiles have no
// frames, so the noise of a difference is unknown.
func compareProfiles(before, after side, percent float64) (*difference, error) {
	was, err := readProfile(before.name, before.file)
	if err != nil {
		return nil, err
	}
	is, err := readProfile(after.name, after.file)
	if err != nil {
		return nil, err
	}
	if was.Type != is.Type {
		return nil, fmt.Errorf("%s has %s times, %s has %s times: choose a type that both have with -sample",
			before.name, was.Type, after.name, is.Type)
	}
	heading, parts := "function, self ms", [2]float64{1e6, 1e6} // of a nanosecond
	if was.Duration > 0 && is.Duration > 0 {
		heading = profileNames
		parts = [2]float64{1e6 * was.Duration.Seconds(), 1e6 * is.Duration.Seconds()}
	}
	whole, functions := changes.Change{Name: allFunctions}, map[pprofread.Place]*changes.Change{}
	of := func(at pprofread.Place) *changes.Change {
		if functions[at] == nil {
			functions[at] = &changes.Change{Name: at.Name, Site: filepath.Base(at.File),
				Info: gather.ZoneInfo{Function: at.Name, File: at.File}}
		}
		return functions[at]
	}
	for at, ns := range was.Self {
		of(at).Before = float64(ns) / parts[0]
		whole.Before += of(at).Before
	}
	for at, ns := range is.Self {
		of(at).After = float64(ns) / parts[1]
		whole.After += of(at).After
	}
	var list []changes.Change
	for _, c := range functions {
		list = append(list, *c)
	}
	return &difference{*changes.Judged(whole, list, percent), heading}, nil
}

var errMixed = errors.New("compare a capture with a capture, a profile with a profile, or a directory with a directory")
