package console

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// replayed returns a session with so many frames of a program that does not exist.
func replayed(t testing.TB, frames int) *process.Session {
	t.Helper()
	s := process.NewSession()
	r := replay.New(1, s)
	for range frames {
		must.Do(t, r.Step())
	}
	return s
}

// output runs a line and returns the answer.
func output(t testing.TB, s *process.Session, line string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Command(s, &b, line); err != nil {
		t.Errorf("%q: got error %v; want none", line, err)
	}
	return strings.TrimSpace(b.String())
}

// typedCommands returns the commands that take arguments or print.
func typedCommands() []viewer.Command {
	all, own := commands(process.Default())
	return all[:own]
}

// names returns their names in lines of text.
func names() (list []string) {
	for _, c := range typedCommands() {
		list = append(list, nameOf(&c))
	}
	return list
}
