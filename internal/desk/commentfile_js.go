package desk

import (
	"errors"

	"example.com/iprof/process/report"
)

// readComments returns nil: a page has no files beside a capture. This file keeps the code for comment files out of the
// browser's program.
func readComments(string) ([]report.Comment, error) { return nil, nil }

func writeComments(string, []report.Comment) error { return errors.New("a browser writes no files") }
