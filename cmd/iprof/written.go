package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/iprof/internal/importer"
)

// written is the -json output of commands that write a file.
type written struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Frames uint64 `json:"frames"`

	Overlaps uint64 `json:"overlaps,omitempty"` // export only: number of cut states of goroutines

	// Import only: the number of skipped things, the number of slices cut for overlapping others, and whether the file
	// has no end.
	Skipped    int  `json:"skipped,omitempty"`
	Cut        int  `json:"cut,omitempty"`
	Unfinished bool `json:"unfinished,omitempty"`

	// Import only: the kinds that Skipped counts, other differences from the file, and the reason for frames of unusual
	// length.
	Left    []importer.Count `json:"left,omitempty"`
	Changed []importer.Count `json:"changed,omitempty"`
	Note    string           `json:"note,omitempty"`
}

// errNoFile is the error for -json when the file itself goes to standard output.
var errNoFile = errors.New("-json describes a written file: name one with -o FILE")

// print writes the object, with the size of the file.
func (o written) print(w io.Writer) error {
	info, err := os.Stat(o.File)
	if err != nil {
		return err
	}
	o.Bytes = info.Size()
	text, err := json.Marshal(o)
	if err == nil {
		_, err = fmt.Fprintf(w, "%s\n", text)
	}
	return err
}

// beforeReading returns an error if a command cannot write its output, or would replace its own input file, even under
// another name.
func beforeReading(input, output string) error {
	if output == "-" {
		return nil
	}
	in, err := os.Stat(input)
	if err != nil {
		return nil // reading reports the cause
	}
	if out, err := os.Stat(output); err == nil && out.Mode().IsRegular() && os.SameFile(in, out) {
		return fmt.Errorf("%s is the input file and would be overwritten; name another output", output)
	}
	return writable(output)
}
