//go:build !iprof_off

package iprof

import (
	"context"
	"io"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/process"
)

// Command runs one command, for a game's console or a debug socket: "pause", "mode calltree", "dump-html". Names may be
// shortened as long as they are unambiguous; "help" lists them. The answer goes to w. The error is a wrong line's or
// w's. Any goroutine may call it. See console.Command.
func Command(w io.Writer, line string) error { return console.Command(process.Default(), w, line) }

// Terminal shows the report as a live page in a terminal, with the keys of the window, until q is pressed or ctx is
// done. Then it restores the terminal. If in or out is not a terminal, it reads commands, one a line. It blocks:
//
//	go iprof.Terminal(ctx, os.Stdin, os.Stdout)
//
// See console.Terminal.
func Terminal(ctx context.Context, in io.Reader, out io.Writer) error {
	return console.Terminal(ctx, process.Default(), in, out)
}

// LogEvery writes lines to w once an interval: for each lane and each of the zones that it was in, the time inside and
// the number of entries. Without zones, all public zones have lines. Private zones, which Begin and Func make, never
// have lines. stop writes the last lines and ends it:
//
//	defer iprof.LogEvery(os.Stderr, time.Second, &pool)()
//
// See console.LogEvery.
func LogEvery(w io.Writer, interval time.Duration, zones ...*Zone) (stop func()) {
	return console.LogEvery(process.Default(), w, interval, zones...)
}
