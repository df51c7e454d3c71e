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
)

// Exit statuses.
const (
	exitFailed = 1 // no display, no GL, a file that cannot be written
	exitUsage  = 2
)

func init() {
	runtime.LockOSThread() // window systems want the main thread
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program; what it returns is the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "glviewer:", err)
		return exitUsage
	case o.version:
		fmt.Fprintln(stdout, version())
		return 0
	}
	if err := view(o, stdout); err != nil {
		fmt.Fprintln(stderr, "glviewer:", err)
		return exitFailed
	}
	return 0
}
