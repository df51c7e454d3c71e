package process

import "fmt"

// countersWarning is the warning about too many names. Its text changes only with the number, so that a report does not
// allocate.
func (s *store) countersWarning(calls uint64) string {
	if t := &s.numbers; t.Dropped != calls {
		t.Dropped = calls
		t.Warning = fmt.Sprintf("beyond the limit of names: %d calls of Count and Value, which no value shows", calls)
	}
	return s.numbers.Warning
}
