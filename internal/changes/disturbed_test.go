package changes_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// busyTimes are those of 100 frames of a zone. In each frame for which busy is true the machine takes 30 ms more.
func busyTimes(t *testing.T, ms platform.Ticks, busy func(frame int) bool) *changes.Times {
	t.Helper()
	s := process.NewSession()
	f := gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work", Function: "f"}}}
	for i := range 100 {
		took := ms
		if f.Away = (gather.Away{Known: gather.AwayExact}); busy(i) {
			f.Away.Time, took = 30*time.Millisecond, ms+30
		}
		f.Index, f.Begin, f.End = uint64(i), f.End, f.End+took
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: took}}}}
		must.Do(t, s.WriteFrame(&f))
	}
	got := must.Get(changes.Take("run", s))(t)
	return got
}

// TestABusyMachineIsNoChange: the comparison leaves out frames in which other programs had the processor, and says how
// many, as long as enough others are left.
func TestABusyMachineIsNoChange(t *testing.T) {
	never := func(int) bool { return false }
	third := func(i int) bool { return i%3 == 0 }
	most := func(i int) bool { return i > 5 }
	const words = " frames were disturbed: the machine gave the processor to other programs. They are "
	const count = " frames were disturbed: the machine gave the processor to other programs. " +
		"They count, because too few others are left"
	for _, c := range []struct {
		busy   func(int) bool
		ms     platform.Ticks
		slower int
		says   string
	}{
		{never, 10, 0, ""},
		{third, 10, 0, "after: 34 of 100" + words + "left out"},
		{third, 13, 2, "after: 34 of 100" + words + "left out"},
		{most, 10, 2, "after: 94 of 100" + count},
	} {
		d := changes.Between(busyTimes(t, 10, never), busyTimes(t, c.ms, c.busy), changes.Percent)
		if got := strings.Join(d.Busy, "\n"); d.Slower != c.slower || got != c.says {
			t.Errorf("%d ms: got %d slower, %q; want %d, %q", c.ms, d.Slower, got, c.slower, c.says)
		}
	}
}
