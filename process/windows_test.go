package process

import (
	"slices"
	"testing"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Beyond their memory, sorted histories are made anew each time: slower, and the same.
func TestWindowsAreBounded(t *testing.T) {
	s := NewSession()
	s.past.Zones = []history.ZoneSeries{{}}
	s.lock()
	s.mu.Unlock()
	trace := history.Series{Values: make([]float32, len(s.past.Frames))}
	for seq := range uint64(400) {
		trace.Put(seq, float32(seq*7919%400))
	}
	s.past.Next = 400
	want := slices.Clone(s.sorted(&row{path: -1}, &report.View{}, &trace, 0, true))
	s.windows.Bytes = history.WindowBytes
	if got := s.sorted(&row{path: -1}, &report.View{}, &trace, 0, false); !slices.Equal(got, want) ||
		s.windows.Bytes != history.WindowBytes {
		t.Errorf("got %d values, %d bytes; want the same %d, no more bytes", len(got), s.windows.Bytes, len(want))
	}
	if s.windows.Zones[0].Self.Ring != nil {
		t.Error("got a window beyond the memory for them")
	}
}
