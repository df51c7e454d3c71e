//go:build !iprof_off

package process_test

import (
	"slices"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestClockReplacedDuringTheRun measures by a clock of a thousand million ticks a second, and then by one of a
// thousand.
func TestClockReplacedDuringTheRun(t *testing.T) {
	now := int64(1 << 40)
	platform.SetClock(func() int64 { return now }, 1e9)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	s := process.NewSession()
	var f gather.Frame
	frames := func(ticks int64) {
		for range 3 {
			scope := replacedZone.Begin()
			now += ticks
			scope.End()
			gather.Collect(&f)
			write(t, s, &f)
		}
	}
	gather.Collect(&f)
	frames(1e9)
	now = 0
	platform.SetClock(func() int64 { return now }, 1000)
	gather.Collect(&f)
	frames(1000)
	d := s.Dump(report.DumpOptions{})
	if d.RunTime < 0 || d.RunTime > 7*time.Second {
		t.Errorf("run time: got %v; want at most 6 seconds", d.RunTime)
	}
	for _, n := range d.Merged {
		if n.Self < 0 || n.Hier > 7000 {
			t.Errorf("node: got %v ms, %v with what is inside; want at most 6000", n.Self, n.Hier)
		}
	}
	var r report.Report
	for _, average := range []report.Average{report.AverageInstant, report.AverageShort, report.AverageLong} {
		s.View().AppendReportOf(&r, report.View{Average: average})
		for _, rec := range r.Records {
			if ms := rec.Values[report.ColumnHier]; !(ms >= 0 && ms < 1001) {
				t.Errorf("%v, %s: got %v ms; want at most 1000", average, rec.Name, ms)
			}
		}
	}
}

// Marks of a clock that was replaced are dropped and counted. Those by the new clock, whose times are earlier, are in
// the next frame.
func TestMarksOfAReplacedClock(t *testing.T) {
	now := int64(1 << 40)
	platform.SetClock(func() int64 { return now }, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	s, f := process.Default(), gather.Frame{}
	t.Cleanup(s.AddSink(newest{&f}))
	s.Update()
	before := f.Dropped.Marks
	s.Mark("old")
	now = 0
	platform.SetClock(func() int64 { return now }, 1000)
	s.Update()
	s.Mark("new")
	now++
	s.Update()
	if len(f.Marks) != 1 || f.Marks[0].Text != "new" || f.Dropped.Marks != before+1 {
		t.Errorf("got marks %+v, %d dropped; want the new one, and the old one dropped", f.Marks,
			f.Dropped.Marks-before)
	}
}

// newest keeps what the newest frame says of marks.
type newest struct{ *gather.Frame }

func (n newest) WriteFrame(f *gather.Frame) error {
	n.Marks, n.Dropped = slices.Clone(f.Marks), f.Dropped
	return nil
}

// A dump before the first frame since Reset has the clock of those before, also while the session is paused.
func TestADumpAfterResetHasTheClock(t *testing.T) {
	now := int64(1)
	platform.SetClock(func() int64 { return now }, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	s := process.Default()
	t.Cleanup(s.Resume)
	for range 3 {
		now += 10
		s.Update()
	}
	s.Pause()
	s.Reset()
	if d := s.Dump(report.DumpOptions{}); d.TicksPerSecond != 1000 {
		t.Errorf("got %v ticks a second; want 1000", d.TicksPerSecond)
	}
}

var replacedZone = gather.Zone{Name: "replaced"}

// TestSlowClocksAreMentioned has the sentence about each kind of clock, in a report and in a dump.
func TestSlowClocksAreMentioned(t *testing.T) {
	hpet := "the kernel keeps time by hpet"
	for _, c := range []struct {
		name      string
		clock     measure.Clock
		perSecond float64
		pair      float64 // nanoseconds
		want      string
	}{
		{"quick counter", measure.Clock{Source: measure.ClockCounter, Why: "it is so", Reading: 18}, 2.5e9, 30, ""},
		{"slow counter", measure.Clock{Source: measure.ClockCounter, Why: "it is so", Reading: 36}, 2.5e9, 79,
			"clock: the processor's counter, 36 ns a reading, as it is so; a zone takes about 80 ns"},
		{"coarse counter", measure.Clock{Source: measure.ClockCounter, Reading: 9}, 24e6, 0,
			"clock: the processor's counter in steps of 42 ns, 9 ns a reading"},
		{"Go's", measure.Clock{Source: measure.ClockGo, Why: hpet, Reading: 41}, 1e9, 90,
			"clock: Go's, 41 ns a reading, as " + hpet + "; a zone takes about 90 ns"},
		{"the program's", measure.Clock{Source: measure.ClockProgram}, 1000, 90, ""},
		{"of an older file", measure.Clock{}, 1e9, 90, ""},
		{"of a file that lies", measure.Clock{Source: measure.ClockCounter, Reading: 99}, 0, 0,
			"clock: the processor's counter in steps of 1000000000 ns, 99 ns a reading"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := process.NewSession()
			f := gather.Frame{TicksPerSecond: c.perSecond, End: 1000, Clock: c.clock,
				Zones: []gather.ZoneInfo{{Name: "(root)"}}}
			f.ScopeCost = platform.Ticks(c.pair * c.perSecond / 1e9 * 1024)
			write(t, s, &f)
			var r report.Report
			s.View().AppendReport(&r)
			d := s.Dump(report.DumpOptions{})
			for _, got := range [][]string{r.Warnings, d.Warnings} {
				if slices.Contains(got, c.want) != (c.want != "") || c.want == "" && len(got) > 0 {
					t.Errorf("got %q; want %q", got, c.want)
				}
			}
			if d.Clock != c.clock {
				t.Errorf("clock: got %+v; want %+v", d.Clock, c.clock)
			}
		})
	}
}
