package main

import (
	"flag"
	"os"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/printed"
)

// stdout and stderr are the way of all text to the terminal. Names, paths and errors may be hostile: what a terminal
// would act on becomes an escape. What is not this command's own text goes elsewhere: exports, the streams of programs
// that it starts, and the live page, which moves the cursor.
var stdout, stderr = printed.To(stream{&os.Stdout}), printed.To(stream{&os.Stderr})

// stream is a standard stream, as it is when something is written.
type stream struct{ file **os.File }

func (s stream) Write(p []byte) (int, error) { return (*s.file).Write(p) }

// limits are those of what files and programs elsewhere may cost: the flag -limits.
var limits = budget.Usual

// newFlags returns the flags of a command that opens files or programs elsewhere.
func newFlags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Var(&limits, "limits", "allow a file or a program elsewhere to cost more: `LIMIT=N,...`, of memory=1GB,\n"+
		"written=4GB,rate=64MB,frames=5000000,depth=20000,time=1h")
	return f
}
