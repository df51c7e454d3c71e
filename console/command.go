package console

import (
	"fmt"
	"io"
	"strings"

	"example.com/iprof/internal/goroutines"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
)

// Command runs one line: the name of a command and its arguments. A name may be shortened as long as it is unambiguous.
// The line "help" lists the commands. An empty line does nothing.
//
// The answer goes to w. If the line is wrong, w gets one line that describes the error. Command returns that error,
// too. It also returns the first error of w; the command has run in that case. Any goroutine may call Command while
// others measure.
func Command(s *process.Session, w io.Writer, line string) error {
	typed, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if typed == "" {
		return nil
	}
	if s == process.Default() {
		goroutines.Offer(nil)
	}
	found, err := find(s, typed)
	if err != nil {
		return writeError(w, err)
	}
	wrong, failed := found.Run(s, w, strings.TrimSpace(rest))
	switch {
	case failed != nil:
		return fmt.Errorf("console: %s: %w", nameOf(&found), failed)
	case wrong != nil:
		return writeError(w, wrong)
	}
	return nil
}

// writeError writes an error for the user and returns it for the program. An error of the system may quote the typed
// line, so it is escaped.
func writeError(w io.Writer, err error) error {
	if _, failed := fmt.Fprintln(w, printed.Of(err.Error())); failed != nil {
		return fmt.Errorf("console: %w", failed)
	}
	return fmt.Errorf("console: %w", err)
}
