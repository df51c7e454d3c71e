package export

import "example.com/iprof/gather"

// stackTarget is a target that has the stacks of the tree in each frame. It does not write a slice's place in time.
type stackTarget interface {
	top(at int64) (row stackRow, hier int64)
}

// stackRows follow the slices of a lane.
type stackRows struct{ stack []stackRow }

type stackRow struct {
	zone         gather.ZoneID
	calls        uint64
	begin, below int64 // below is the sum of its children's times
}

func (s *stackRows) begin(_ gather.LaneID, at int64, zone gather.ZoneID, calls uint64) {
	s.stack = append(s.stack, stackRow{zone: zone, begin: at, calls: calls})
}

// top returns the innermost slice, which ends at a time, and its length.
func (s *stackRows) top(at int64) (row stackRow, hier int64) {
	n := len(s.stack) - 1
	row = s.stack[n]
	hier = at - row.begin
	if n > 0 {
		s.stack[n-1].below += hier
	}
	return row, hier
}

// pop ends the innermost slice.
func (s *stackRows) pop() { s.stack = s.stack[:len(s.stack)-1] }

func (s *stackRows) value(int, string, int64, float64) {}

func (s *stackRows) mark(int64, string) {}
