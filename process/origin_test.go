package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// frameWith returns a frame of a program with some zones and counters, the last of which it uses once.
func frameWith(o gather.Origin, index uint64, names ...string) *gather.Frame {
	f := &gather.Frame{Origin: o, Index: index, TicksPerSecond: 1000, Begin: platform.Ticks(10 * index),
		Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	f.End = f.Begin + 10
	for _, name := range names {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name})
		f.Counters = append(f.Counters, gather.CounterInfo{Name: name})
	}
	last := len(names)
	f.Values = []gather.CounterValue{{Counter: int32(last - 1), Value: 1}}
	f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End, Nodes: []gather.Node{
		{Parent: -1, Self: 4, Open: true}, {ID: gather.NodeID(last), Zone: gather.ZoneID(last), Self: 6, Count: 1}}}}
	return f
}

// sumsOf returns the entries of each zone of a session in all, and the values of its counters.
func sumsOf(s *process.Session) string {
	d := s.Dump(report.DumpOptions{})
	var all []string
	for _, t := range d.ZoneTotals() {
		all = append(all, fmt.Sprint(d.Zones[t.Zone].Name, " ", t.Count))
	}
	for _, v := range d.Values {
		if v.Total != 0 {
			all = append(all, fmt.Sprint("count of ", v.Name, " ", v.Total))
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// A frame that ended before others were known has fewer zones and counters.
func TestFewerZonesAreNotAnotherProgram(t *testing.T) {
	for _, driven := range []bool{false, true} {
		s, o := process.NewSession(), gather.Origin{Program: 7, Clock: 2}
		var w totals.Whole
		for i, names := range [][]string{{"a", "b", "c"}, {"a", "b"}, {"a"}, {"a", "b", "c", "d"}} {
			f := frameWith(o, uint64(i), names...)
			f.EventDriven = driven
			write(t, s, f)
			must.Do(t, w.Add(f))
			if i == 2 && s.Zone(3).Name != "c" {
				t.Errorf("zone 3 after a frame without it: got %q; want c", s.Zone(3).Name)
			}
		}
		want := "(root) 0, a 1, b 1, c 1, count of a 1, count of b 1, count of c 1, count of d 1, d 1"
		if got := sumsOf(s); got != want || s.View().Info().Frames != 4 || w.Frames != 4 {
			t.Errorf("got %s, of %d and %d frames; want %s, of 4", got, s.View().Info().Frames, w.Frames, want)
		}
		if got := s.Dump(report.DumpOptions{}).Warnings; slices.ContainsFunc(got, forgotten) {
			t.Errorf("warnings: got %q; want none about forgotten frames", got)
		}
	}
}

func forgotten(warning string) bool { return strings.HasPrefix(warning, "forgot ") }

// A session forgets the frames of another origin, whatever its zones are, and says so once.
func TestAnotherProgramIsRecognised(t *testing.T) {
	before := gather.Origin{Program: 7, Clock: 2}
	for _, c := range []struct {
		name   string
		origin gather.Origin
		zones  []string
		reason string
	}{
		{"more zones", gather.Origin{Program: 8}, []string{"x", "y", "z"}, "another program"},
		{"as many zones", gather.Origin{Program: 8, Clock: 2}, []string{"x", "y"}, "another program"},
		{"fewer zones", gather.Origin{Program: 8, Clock: 2}, []string{"x"}, "another program"},
		{"the same zones", gather.Origin{}, []string{"a", "b"}, "another program"},
		{"another clock", gather.Origin{Program: 7, Clock: 4}, []string{"a", "b"}, "clock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, last := process.NewSession(), c.zones[len(c.zones)-1]
			for i := range uint64(5) {
				write(t, s, frameWith(before, i, "a", "b"))
			}
			write(t, s, frameWith(c.origin, 9, c.zones...))
			got, want := sumsOf(s), [...]string{"(root) 0", last + " 1", "count of " + last + " 1"}
			if slices.Sort(want[:]); got != strings.Join(want[:], ", ") || s.View().Info().Frames != 1 {
				t.Errorf("got %s, of %d frames; want %s, of 1", got, s.View().Info().Frames, want)
			}
			checkForgot(t, s, "forgot 5 earlier frames: ", c.reason)
			write(t, s, frameWith(c.origin, 10, c.zones...))
			checkForgot(t, s, "forgot 5 earlier frames: ", c.reason)
			if s.Reset(); slices.ContainsFunc(s.Dump(report.DumpOptions{}).Warnings, forgotten) {
				t.Error("after Reset: got the warning still")
			}
		})
	}
}

// checkForgot checks the only warning about forgotten frames, in dumps and in reports.
func checkForgot(t *testing.T, s *process.Session, begin, reason string) {
	t.Helper()
	var r report.Report
	s.View().AppendReport(&r)
	for name, all := range map[string][]string{"dump": s.Dump(report.DumpOptions{}).Warnings, "report": r.Warnings,
		"totals": s.Dump(report.DumpOptions{NoTrees: true, NoHistory: true}).Warnings} {
		var got []string
		for _, w := range all {
			if forgotten(w) {
				got = append(got, w)
			}
		}
		if len(got) != 1 || !strings.HasPrefix(got[0], begin) || !strings.Contains(got[0], reason) {
			t.Errorf("%s: got %q; want one warning that begins %q, because of %q", name, got, begin, reason)
		}
	}
}
