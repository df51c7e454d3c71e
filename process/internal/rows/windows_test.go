package rows

import (
	"slices"
	"testing"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// Beyond their memory, sorted histories are made anew each time: slower, and the same.
func TestWindowsAreBounded(t *testing.T) {
	s := New(new(store.Store))
	s.store.Resize(history.DefaultFrames, history.DefaultFrames)
	s.store.Past.Zones.Grow(1)
	trace := new(history.Chunks).NewSeries(nil)
	for seq := range uint64(400) {
		trace.Put(seq, float32(seq*7919%400))
	}
	s.store.Past.Next = 400
	want := slices.Clone(s.sorted(&row{path: -1}, &report.View{}, &trace, 0, true))
	s.store.Windows.Bytes = history.WindowBytes
	if got := s.sorted(&row{path: -1}, &report.View{}, &trace, 0, false); !slices.Equal(got, want) ||
		s.store.Windows.Bytes != history.WindowBytes {
		t.Errorf("got %d values, %d bytes; want the same %d, no more bytes", len(got), s.store.Windows.Bytes, len(want))
	}
	if s.store.Windows.Zones[0].Self.Made() {
		t.Error("got a window beyond the memory for them")
	}
}
