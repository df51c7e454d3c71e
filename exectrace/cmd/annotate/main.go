// Command annotate adds the states of goroutines to the frames of a capture with an execution trace, for the viewer and
// for verdicts.
//
//	go run example.com/iprof/exectrace/cmd/annotate hitch.iprof why.iprof
package main

import (
	"errors"
	"fmt"
	"os"

	"example.com/iprof/exectrace"
	"example.com/iprof/internal/outfile"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: annotate CAPTURE OUT")
		os.Exit(2)
	}
	if err := annotate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// annotate writes a new file, and removes it after an error.
func annotate(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := outfile.New(to)
	if err != nil {
		return err
	}
	if err := errors.Join(exectrace.Annotate(in, out), out.Close()); err != nil {
		os.Remove(to)
		return err
	}
	return nil
}
