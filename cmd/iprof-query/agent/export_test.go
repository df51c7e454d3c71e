package agent

import (
	"context"
	"testing"
)

// SetLongFile changes from which size on files are long, for a test.
func SetLongFile(t *testing.T, bytes int64) {
	before := longFile
	longFile = bytes
	t.Cleanup(func() { longFile = before })
}

// OpenCaptures returns the number of captures that are open.
func (s *Server) OpenCaptures() int { return len(s.open) }

// Ask asks a question whose answer is computed by a function.
func (s *Server) Ask(compute func()) error {
	_, err := s.ask(context.Background(), func(context.Context) (*answer, error) {
		compute()
		return &answer{head: &listHead{}}, nil
	})
	return err
}
