// Glviewer shows the profiler at work: it runs a sample program in a window of its own and draws where its time goes.
//
//	go run example.com/iprof/cmd/glviewer -workload game
//
// See glviewer -h for the flags, and ? in the window for the keys.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/version"
)

// Exit statuses.
const (
	exitFailed = 1 // no display, no GL, or a file that cannot be read or written
	exitUsage  = 2 // a wrong command line
)

func init() {
	runtime.LockOSThread() // some window systems only work on the main thread
}

func main() { os.Exit(run(os.Args[1:], printed.To(os.Stdout), printed.To(os.Stderr))) }

// output is standard output. It keeps the first error, so that the program checks for errors only once, at its end.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (n int, err error) {
	if o.err == nil {
		n, o.err = o.w.Write(p)
	}
	return n, o.err
}

// run runs the program and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	status := runTo(out, args, stderr)
	if out.err != nil && status == 0 {
		fmt.Fprintln(stderr, "glviewer: standard output:", outfile.Cause(out.err))
		status = exitFailed
	}
	return status
}

func runTo(stdout *output, args []string, stderr io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "glviewer:", err)
		return exitUsage
	case o.version:
		fmt.Fprintln(stdout, version.Line("glviewer"))
		return 0
	}
	for _, line := range o.unused {
		fmt.Fprintln(stderr, "glviewer:", line)
	}
	if err := view(o, stdout); err != nil {
		fmt.Fprintln(stderr, "glviewer:", err)
		return exitFailed
	}
	return 0
}
