package main

import (
	"flag"
	"os"
	"slices"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/printed"
)

// All text for the terminal goes through stdout and stderr. Names, paths and errors may be hostile, so these writers
// escape control characters. Exports, the streams of started programs, and the live page, which moves the cursor,
// bypass them.
var stdout, stderr = printed.To(stream{&os.Stdout}), printed.To(stream{&os.Stderr})

// stream writes to the current value of a standard stream.
type stream struct{ file **os.File }

func (s stream) Write(p []byte) (int, error) { return (*s.file).Write(p) }

// limits is the budget for files and remote programs: the flag -limits.
var limits = budget.Usual

// sample is the type of the times of profiles of pprof: the flag -sample.
var sample string

// withoutFiles are commands that read no files.
var withoutFiles = []string{"record", "live", "completion", "version"}

// newFlags returns the flags of a command that opens files or remote programs.
func newFlags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Var(&limits, "limits", "allow a file or a remote program to cost more: `LIMIT=N,...`, such as memory=1GB,\n"+
		"written=4GB,rate=64MB,frames=5000000,depth=20000,time=1h")
	if !slices.Contains(withoutFiles, command) {
		f.StringVar(&sample, "sample", "", "of a profile of pprof, the times of `TYPE`, such as wall; else its default")
	}
	return f
}
