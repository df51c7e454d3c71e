package console

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/iprof/process"
)

// Command runs one line: the name of a command and its arguments. A name may be shortened as long as it is unambiguous.
// The line "help" lists the commands. An empty line does nothing.
//
// The answer goes to w. If the line is wrong, w gets one line that describes the error. Command returns that error,
// too. It also returns the first error of w; the command has run then. Any goroutine may call Command while others
// measure.
func Command(s *process.Session, w io.Writer, line string) error {
	typed, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if typed == "" {
		return nil
	}
	found, err := find(s, typed)
	if err != nil {
		return writeError(w, err)
	}
	c := &call{s: s, w: w, rest: strings.TrimSpace(rest)}
	if err := found.run(c); err != nil && c.failed == nil {
		return writeError(w, err)
	}
	if c.failed != nil {
		return fmt.Errorf("console: %s: %w", found.Name, c.failed)
	}
	return nil
}

// writeError writes an error for the user and returns it for the program. An error of the system may quote what was
// typed, so it is escaped.
func writeError(w io.Writer, err error) error {
	if _, failed := fmt.Fprintln(w, visible(err.Error())); failed != nil {
		return fmt.Errorf("console: %w", failed)
	}
	return fmt.Errorf("console: %w", err)
}

// visible returns s with every character escaped that could control a terminal.
func visible(s string) string {
	var b strings.Builder
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if strconv.IsPrint(r) && r != utf8.RuneError {
			b.WriteString(s[:size])
		} else {
			quoted := strconv.QuoteToASCII(s[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		s = s[size:]
	}
	return b.String()
}

// call is one run of a command.
type call struct {
	s      *process.Session
	w      io.Writer
	rest   string // the arguments
	failed error  // the first error of w
}

// printf writes a line to the user.
func (c *call) printf(format string, args ...any) {
	if c.failed == nil {
		_, c.failed = fmt.Fprintf(c.w, format+"\n", args...)
	}
}

// keepError records the error of a function that wrote to c.w itself. It always returns nil, for commands to return.
func (c *call) keepError(err error) error {
	if c.failed == nil {
		c.failed = err
	}
	return nil
}

// noArguments returns an error if the command got arguments.
func (c *call) noArguments() error {
	if c.rest != "" {
		return fmt.Errorf("%q is not expected here", c.rest)
	}
	return nil
}

// choose returns the index of the choice that typed names: in full, or by a prefix that only one choice has. Case does
// not matter. what names the kind of choice in the error.
func choose(what, typed string, choices []string) (int, error) {
	at, prefixed := -1, []string(nil)
	for i, choice := range choices {
		if strings.EqualFold(choice, typed) {
			return i, nil
		}
		if len(typed) < len(choice) && strings.EqualFold(choice[:len(typed)], typed) {
			at, prefixed = i, append(prefixed, choice)
		}
	}
	switch len(prefixed) {
	case 0:
		return -1, fmt.Errorf("no %s %q; there are %s", what, typed, listed(choices))
	case 1:
		return at, nil
	}
	return -1, fmt.Errorf("%s %q could be %s", what, typed, listed(prefixed))
}

// mostListed is how many choices an error lists.
const mostListed = 60

func listed(choices []string) string {
	if len(choices) > mostListed {
		return fmt.Sprintf("%s and %d more", strings.Join(choices[:mostListed], ", "), len(choices)-mostListed)
	}
	return strings.Join(choices, ", ")
}
