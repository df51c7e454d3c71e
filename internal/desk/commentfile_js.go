package desk

import (
	"errors"

	"example.com/iprof/process/report"
)

// readComments returns none: a page has no files beside a capture, and a browser need not load what writes them.
func readComments(string) ([]report.Comment, error) { return nil, nil }

func writeComments(string, []report.Comment) error { return errors.New("a browser writes no files") }
