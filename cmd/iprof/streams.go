package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
)

// All text for the terminal goes through stdout and stderr. Names, paths and errors may be hostile, so these writers
// escape control characters. Exports, the streams of started programs, and the live page, which moves the cursor,
// bypass them.
var stdout, stderr = printed.To(&printing), printed.To(&stream{file: &os.Stderr})

// printing is the stream of stdout.
var printing = stream{file: &os.Stdout}

// stream writes to the current value of a standard stream, and keeps the first error.
type stream struct {
	file   **os.File
	mu     sync.Mutex
	failed error
}

func (s *stream) Write(p []byte) (int, error) {
	n, err := (*s.file).Write(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
	return n, err
}

// unprinted returns the exit status of a command: if all else went well, but not all was printed, it prints the cause,
// and the status is 1.
func unprinted(code int) int {
	printing.mu.Lock()
	defer printing.mu.Unlock()
	err := printing.failed
	if printing.failed = nil; code == 0 && err != nil {
		return fail(fmt.Errorf("standard output: %w", outfile.Cause(err)))
	}
	return code
}

// limits is the budget for files and remote programs: the flag -limits.
var limits = budget.Usual

// sample is the type of the times of profiles of pprof: the flag -sample.
var sample string

// withoutFiles are commands that read no files.
var withoutFiles = []string{"record", "live", "completion", "clean", "version"}

// withoutSets are commands that read no frames, or start a viewer.
var withoutSets = []string{"completion", "clean", "version", "import", "view", "serve"}

// newFlags returns the flags of a command that opens files or remote programs.
func newFlags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Var(&limits, "limits", "raise limits on what files and remote programs may cost: `LIMIT=N,...`, such as\n"+
		"memory=1GB,written=4GB,rate=64MB,frames=5000000,depth=20000,time=1h")
	if !slices.Contains(withoutSets, command) {
		f.StringVar(&set, "set", "", setUsage)
	}
	if !slices.Contains(withoutFiles, command) {
		f.StringVar(&sample, "sample", "", "show the times of `TYPE`, such as wall, in a profile of pprof")
	}
	return f
}
