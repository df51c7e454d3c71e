package console

import (
	"fmt"
	"io"
	"strings"

	"example.com/iprof/process"
)

// Command carries out one line: a word, which may be shortened as long as it is clear, and its arguments. The line "help"
// lists the words. What the user should read goes to w, complaints about the line included; an unknown word gets the list.
//
// The error is for the program: the line could not be carried out, or w failed, after the command was carried out. An empty
// line does nothing. Any goroutine may call it, while others measure.
func Command(s *process.Session, w io.Writer, line string) error {
	typed, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if typed == "" {
		return nil
	}
	found, err := choose("command", typed, names())
	if err != nil {
		return complain(w, err)
	}
	c := &call{s: s, w: w, rest: strings.TrimSpace(rest)}
	if err := words()[found].run(c); err != nil && c.failed == nil {
		return complain(w, err)
	}
	if c.failed != nil {
		return fmt.Errorf("console: %s: %w", names()[found], c.failed)
	}
	return nil
}

// complain tells the user and the program.
func complain(w io.Writer, err error) error {
	if _, failed := fmt.Fprintln(w, err); failed != nil {
		return fmt.Errorf("console: %w", failed)
	}
	return fmt.Errorf("console: %w", err)
}

// call is one command being carried out.
type call struct {
	s      *process.Session
	w      io.Writer
	rest   string // what follows the word
	failed error  // the writer's first error
}

// say writes a line for the user.
func (c *call) say(format string, args ...any) {
	if c.failed == nil {
		_, c.failed = fmt.Fprintf(c.w, format+"\n", args...)
	}
}

// pass keeps the error of something that wrote to c.w itself.
func (c *call) pass(err error) error {
	if c.failed == nil {
		c.failed = err
	}
	return nil
}

// none complains about arguments that the word does not take.
func (c *call) none() error {
	if c.rest != "" {
		return fmt.Errorf("%q is not expected here", c.rest)
	}
	return nil
}

// choose returns the index of the choice that is typed in full or by a beginning that no other has.
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

// mostListed is how many choices a complaint lists.
const mostListed = 40

func listed(choices []string) string {
	if len(choices) > mostListed {
		return fmt.Sprintf("%s and %d more", strings.Join(choices[:mostListed], ", "), len(choices)-mostListed)
	}
	return strings.Join(choices, ", ")
}
