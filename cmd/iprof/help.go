package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"example.com/iprof/internal/exporter"
)

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: iprof COMMAND [flags] [arguments]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-11s %s\n", c.name, c.words)
	}
	fmt.Fprint(w, allMore)
}

// allMore is the help text on all commands.
const allMore = `
iprof help COMMAND, or iprof COMMAND -h, has the flags of one. They have one dash or two, in any order.

In place of a capture, most commands take the address of a program that serves its profile (package debug): HOST:PORT,
http://HOST:PORT or, behind a proxy, https://HOST/PREFIX. They look at its next 5 seconds. The variable IPROF_TOKEN has
the token that it may ask for. Only this address gets it. For several it is "TOKEN@http://HOST:PORT TOKEN@http://…".

  iprof run ./cmd/game
  iprof top localhost:6061
  iprof verdicts game.iprof
  iprof graph physics game.iprof
  iprof serve game.iprof
  iprof record localhost:6061 -o game.iprof -for 30s
  iprof live localhost:6061

What a file or a remote program may cost is limited. Where that is too little, the error says which limit, and
commands take -limits memory=1GB,written=4GB,rate=64MB,frames=5000000,depth=20000,time=1h, or some of these.

-json makes top, tree, frames, verdicts, graph and diff write one JSON object, html, export, import and record say in
one what they wrote, and serve where the page is. The status is 0 if all went well, 1 if not, and 2 for a wrong command
line; that of diff is 1 if anything became slower. NO_COLOR is heeded.
`

// runMore is the help text of run, build and test after their flags.
const runMore = `
The flags of the go command may be given as usual, before the package: -tags, -race and so on.

iprof run PACKAGE@VERSION runs a program of any module, as go run does: iprof run example.com/tools/cmd/tool@latest. The
go.mod and the workspace of the working directory do not count. A copy of the module stays in the cache.

Without -frame, frames end where the program shows a picture: SwapBuffers of GLFW, Draw of Ebitengine, Present of SDL,
EndDrawing of raylib, the frame event of Gio, Update of Pixel, the paint of Fyne (a copy of Fyne is built once).

-frame routes measures the requests of all handlers, also of those that are function literals, by the route that the
router knows: (w http.ResponseWriter, r *http.Request) with net/http and chi, (c *gin.Context), (c echo.Context).
Handlers that call each other for a request count once: of several routes the innermost, which knows most of it.

Waiting is idle, also beside work: time.Sleep, group.Wait(), SwapBuffers and the like, a send, a receive, a select, a
range over a channel (not what is done with the value), Accept, Read of a connection and io.ReadFull of one, Run and
Output of an exec.Cmd, m.Run of a test program, Run of a bubbletea program, and functions that do nothing else. Whether
a variable, a field or an embedded field is a connection is known by its declaration. Their rows say [idle].

The report of -full ends with the go statements: how many goroutines each started, in which zones, how long the
innermost of these zones ran itself (own) and waited, and how long the goroutines were busy (spawned).

A function that is called so often for so little that measuring takes more than a tenth of it is muted within a second:
it is counted exactly and timed at random, and its row is marked ~. So are the functions with the most calls until
measuring the others takes at most 5 % of the rest. Later runs mute them from the start, and the next build leaves
them out. -relearn, -include and //iprof:zone bring them back.

Plans, rewritten files and programs stay in the folder iprof of the user's cache, 10 to 80 MB a program, so that
later starts are fast. Files that no start has used for a day go by themselves; iprof clean removes all.

A comment //iprof:skip above a function leaves it out, //iprof:zone NAME gives it a zone of that name.
`

const graphMore = `ZONE is a zone's name, or the end of it or of its function where only one ends so: main.listItems.`

const diffMore = `BEFORE and AFTER are captures, profiles for go tool pprof, or directories of captures or profiles.

With -base, the arguments are those of iprof run or, after the word test, of iprof test. The working tree is compared
with a commit, by turns on this machine:

  iprof diff -base main -n 10 -- ./cmd/game -level 3
  iprof diff -base main -- test ./physics -bench Step`

const importMore = `TRACE is in Chrome's trace event format (JSON), an execution trace of Go, a profile of pprof, folded
stacks, or a trace of Perfetto; also compressed: docs/export.md. A frame begins with each
slice or region NAME. Without -frame it is each "frame", or else 16.7 ms, or longer in long files. A file of iprof
export has its own frames, a profile of sums is one.`

const completionMore = `  bash         source <(iprof completion bash)
  zsh          source <(iprof completion zsh)
  fish         iprof completion fish | source
  powershell   iprof completion powershell | Out-String | Invoke-Expression

make install and the package for Debian put those of bash, zsh and fish where the shells look for them. PowerShell
looks nowhere: its own is share/pwsh/completions/_iprof.ps1. In $PROFILE, the line above or this one loads it:

  . /usr/share/pwsh/completions/_iprof.ps1`

// exportMore lists the formats.
func exportMore() (text string) {
	text = "formats:\n"
	for _, f := range exporter.Formats {
		text += fmt.Sprintf("\n  -format %-11s  %s", f.Name, f.Words)
	}
	return text
}

// usageStatus is the status after a command line that was not parsed. Asking for help is no error.
func usageStatus(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return 2
}
