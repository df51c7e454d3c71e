package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

func usage(w io.Writer) {
	fmt.Fprint(w, "usage:\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  iprof %-8s %s\n", c.name, c.words)
	}
	fmt.Fprint(w, flagHelp)
}

const flagHelp = `
The flags of the go command may be given as usual, before the package: -tags, -race, -o and so on. Besides these:

  -n                 list the functions that would get a zone, and why the others do not; build nothing
  -include REGEXP    functions that get a zone whatever their size: 'world\.\(\*World\)\..*'
  -exclude REGEXP    functions that get none
  -min N             fewest statements of a function that gets a zone (8; 16 where the clock
                     is slow: docs/cost.md)
  -all               every function, also those that the compiler inlines; none is muted
  -relearn           forget which functions were muted in earlier runs
  -deps MODULE,…     functions of these dependencies, too
  -std PACKAGE,…     functions of these packages of the standard library, too: net/http,encoding/json
  -frame FUNC        a frame ends when this function returns: 'game.(*Game).Update', or any end of a name that is clear
                     of a handler of net/http: its requests, with the median and the 99th percentile of each route
  -frame 16ms        a frame ends every 16 ms
  -frame none        no frames: one report of the whole run
  -o FILE            run: record all frames; glviewer FILE and iprof top FILE open it. build: the program's file
  -view              run: shows the program in the window of glviewer, over a private connection
  -live              run: shows the live page in this terminal; the program's own output follows when the page is left
  -listen ADDR       the program serves its frames: http://ADDR/debug/iprof/ in a browser. :6061 is of this machine;
                     of :0 it prints the free port that it has taken
  -token TOKEN       what other machines have to show to -listen, 16 characters at least
  -cpuprofile FILE   run: a CPU profile as well, for go tool pprof and iprof diff
  -report FILE       where the report at the end goes; - is standard error, none no report; FILE.json has it as JSON
  -full              the report has all functions and go statements
  -lines=false       the report has no lines: Go's CPU profiler does not run. It does not where the program uses it
  -module DIR        the sources of example.com/iprof, in place of those that this program carries or was built from

Without -frame, frames end where the program shows a picture: SwapBuffers of GLFW, Draw of Ebitengine, Present of SDL,
EndDrawing of raylib, the frame event of Gio, Update of Pixel, the paint of Fyne (a copy of Fyne is built once).

What only waits is idle: time.Sleep, group.Wait(), SwapBuffers and the like, <-ticker.C, a select or a range that only
receives, and functions that do nothing else. Their rows say [idle].

The report of -full ends with the go statements: how many goroutines each started, in which zones, how long the
innermost of these zones ran itself (own) and waited, and how long the goroutines were busy (forked).

A function that is called so often for so little that measuring takes more than a tenth of it is muted within a second:
it is measured for one frame every two seconds, and its row is marked. So are the functions with the most calls until
measuring the others takes at most 5 % of the rest. Later runs mute them from the start, and the next build leaves
them out. -relearn, -include and //iprof:zone bring them back.

In place of a capture, most commands take the address of a program that serves its profile (package debug): HOST:PORT or
http://HOST:PORT. They look at its next 5 seconds. The variable IPROF_TOKEN has the token that it may ask for.

What a file or a program elsewhere may cost is limited. Where that is too little, the error says which limit, and
commands take -limits memory=1GB,written=4GB,rate=64MB,frames=5000000,depth=20000,time=1h, or some of these.

  iprof top localhost:6061
  iprof verdicts game.iprof
  iprof graph physics game.iprof
  iprof serve game.iprof
  iprof record localhost:6061 -o game.iprof -for 30s
  iprof live localhost:6061

-json makes top, tree, frames, verdicts, graph and diff write one JSON object, html, export, import and record say in
one what they wrote, and serve where the page is. The status is 0 if all went well, 1 if not, and 2 for a wrong command
line; that of diff is 1 if anything became slower. NO_COLOR is heeded.

For completion of the commands' names: source <(iprof completion bash), or zsh or fish.

A comment //iprof:skip above a function leaves it out, //iprof:zone NAME gives it a zone of that name.
`

// usageStatus is the status after a command line that was not parsed. Asking for help is no error.
func usageStatus(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return 2
}
