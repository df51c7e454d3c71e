package iprof

import (
	"context"
	"io"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/process"
)

// Command carries out one line of words, for a game's console or a debug socket: "pause", "mode calltree", "dump-html".
// Words may be shortened as long as they are clear; "help" lists them. What the user should read goes to w; the error says
// that the line could not be carried out, or is w's. See console.Command.
func Command(w io.Writer, line string) error { return console.Command(process.Default(), w, line) }

// Terminal shows the report as a live page in a plain terminal, with the keys of the window, until q is pressed or ctx is
// done, and leaves the terminal as it was. Without a terminal it answers lines with commands. It blocks:
//
//	go iprof.Terminal(ctx, os.Stdin, os.Stdout)
//
// See console.Terminal.
func Terminal(ctx context.Context, in io.Reader, out io.Writer) error {
	return console.Terminal(ctx, process.Default(), in, out)
}

// LogEvery writes, once an interval, a line for each lane that was in one of the zones meanwhile: the time inside and how
// often it was entered. Without zones it is all public ones, those that are variables; what Begin and Func mark is not logged.
// stop writes the last lines and ends it:
//
//	defer iprof.LogEvery(os.Stderr, time.Second, &pool)()
//
// See console.LogEvery.
func LogEvery(w io.Writer, interval time.Duration, zones ...*Zone) (stop func()) {
	return console.LogEvery(process.Default(), w, interval, zones...)
}
