package main

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/scratch"
	"example.com/iprof/process/report"
)

// set is the name of the set of frames that a command reads: the flag -set.
var set string

const setUsage = "the frames of the set `NAME` of the program: iprof.Frames(\"step\")"

// ofSet returns a file with the frames of the set, in place of a capture, which it closes.
func ofSet(name string, file *os.File) (*os.File, error) {
	defer file.Close()
	one, err := scratch.New()
	if err != nil {
		return nil, err
	}
	all, err := framefile.CopySet(one, limits.File().Reader(file), set)
	if err == nil && !slices.Contains(all, set) {
		err = noSet(all)
	}
	if err == nil {
		_, err = one.Seek(0, io.SeekStart)
	}
	if err != nil {
		one.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return one, nil
}

// noSet is the error for a set that is not one of these.
func noSet(all []string) error {
	if len(all) == 0 {
		return fmt.Errorf("-set %q: the program has one set of frames; leave -set out", set)
	}
	near := ""
	if word := report.Nearest(set, all); word != "" {
		near = "the nearest is " + strconv.Quote(word) + "; "
	}
	quoted := make([]string, len(all))
	for i, name := range all {
		quoted[i] = strconv.Quote(name)
	}
	return fmt.Errorf("-set %q: there is no such set of frames; %sthere are %s", set, near, strings.Join(quoted, ", "))
}

// withSet returns the address of the set of a program.
func withSet(address string) string {
	if set == "" || strings.Contains(address, "?") {
		return address
	}
	place := address
	if _, rest, found := strings.Cut(address, "://"); found {
		place = rest
	}
	if !strings.Contains(place, "/") {
		address += "/"
	}
	return address + "?set=" + url.QueryEscape(set)
}
