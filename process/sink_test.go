package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// ends is a sink whose values cannot be compared, as it is a map. It counts the frames by their ends.
type ends map[platform.Ticks]int

func (e ends) WriteFrame(f *gather.Frame) error {
	e[f.End]++
	return nil
}

// A sink may be of any type, and may be added twice. Each remove function takes one of the two away.
func TestSinksNeedNotBeComparable(t *testing.T) {
	s, r := process.NewSession(), make(ends)
	removeFirst, removeSecond := s.AddSink(r), s.AddSink(r)
	for i, after := range []func(){removeFirst, removeSecond, func() {}} {
		end := platform.Ticks(i + 1)
		write(t, s, &gather.Frame{TicksPerSecond: 1000, Begin: end - 1, End: end})
		if got, want := r[end], 2-i; got != want {
			t.Errorf("frame %d went to %d sinks; want %d", i, got, want)
		}
		after()
	}
}
