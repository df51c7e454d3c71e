package process_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// budgeted returns a session whose frame has 10 ms of physics and 3 ms of walls.
func budgeted() *process.Session {
	s := process.NewSession()
	s.WriteFrame(&gather.Frame{TicksPerSecond: 1000, End: 16,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}, {Name: "walls"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, End: 16, Nodes: []gather.Node{
			{Parent: -1, Self: 3}, {ID: 1, Zone: 1, Count: 1, Self: 10}, {ID: 2, Zone: 2, Count: 1, Self: 3}}}}})
	return s
}

func ExampleSession_SetBudget() {
	s := budgeted()
	for zone := range report.ZoneID(3) {
		s.SetBudget(zone, 4*time.Millisecond)
	}
	var r report.Report
	s.View().AppendReport(&r)
	for _, rec := range r.Records {
		fmt.Println(rec.Name, rec.OverBudget())
	}
	// Output:
	// physics true
	// (root) true
	// walls false
}

func TestBudgetsOfZones(t *testing.T) {
	s := budgeted()
	over := func() (n int) {
		var r report.Report
		s.View().AppendReport(&r)
		for i := range r.Records {
			if r.Records[i].OverBudget() {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		zone report.ZoneID
		d    time.Duration
		over int
	}{{1, 10 * time.Millisecond, 0}, {1, 9999 * time.Microsecond, 1}, {2, time.Millisecond, 2}, {1, -1, 1}, {2, 0, 0},
		{-1, 1, 0}, {3, 1, 0}, {1 << 30, 1, 0}} {
		s.SetBudget(step.zone, step.d)
		if got := over(); got != step.over {
			t.Errorf("%+v: got %d rows over budget; want %d", step, got, step.over)
		}
		want := max(step.d, 0)
		if step.zone != 1 && step.zone != 2 {
			want = 0
		}
		if got := s.Budget(step.zone); got != want {
			t.Errorf("%+v: got budget %v; want %v", step, got, want)
		}
	}
}

func TestRowsSayThatTheyAreOverBudget(t *testing.T) {
	s := budgeted()
	s.SetBudget(1, 4*time.Millisecond)
	var r report.Report
	s.View().AppendReport(&r)
	var b strings.Builder
	if err := text.WriteReport(&b, &r, text.Options{}); err != nil || strings.Count(b.String(), "[over 4ms]") != 1 {
		t.Errorf("got %v\n%s\nwant one row over 4 ms", err, &b)
	}
}

// With a budget of an hour there is none: displays have 0, which draws no line and scales nothing.
func TestABudgetOfAnHourIsNone(t *testing.T) {
	s := process.NewSession()
	for i := range 3 {
		at := platform.Ticks(i) * 1000
		f := &gather.Frame{Index: uint64(i), Begin: at, End: at + 1000, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}, Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: at,
				End: at + 1000, Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 1000}}}}}
		must.Do(t, s.WriteFrame(f))
	}
	for _, c := range []struct {
		budget, shown time.Duration
		over          bool
	}{{time.Millisecond, time.Millisecond, true}, {report.NoBudget, 0, false}} {
		s.SetFrameBudget(c.budget)
		d, i := s.Dump(report.DumpOptions{}), s.View().Info()
		if d.Budget != c.shown || i.Budget != c.shown || i.Over != c.over {
			t.Errorf("budget %v: got %v in the dump, %v and over %v in the frame; want %v, over %v", c.budget, d.Budget,
				i.Budget, i.Over, c.shown, c.over)
		}
	}
}
