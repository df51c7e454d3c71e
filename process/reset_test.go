package process_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// restless writes frames whose zones and times differ, the same for the same numbers.
func restless(t *testing.T, from, frames int, sessions ...*process.Session) {
	t.Helper()
	names := []string{"a", "b", "c"}
	for i := range 10 {
		names = append(names, fmt.Sprint("late", i))
	}
	for i := from; i < from+frames; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		text := ""
		for _, name := range []string{"a", "b", "c", fmt.Sprint("late", i/100)} {
			text += fmt.Sprintf("%s %g %d\n", name, float64(r.IntN(9000))/1000, 1+r.IntN(5))
		}
		for _, s := range sessions {
			write(t, s, tree(uint64(i), names, text))
		}
	}
}

// allOf returns everything that a session shows, as text. (JSON has no NaN.)
func allOf(s *process.Session) string {
	d := s.Dump(report.DumpOptions{AllFrames: true})
	report := d.Report
	d.Time, d.Report = time.Time{}, nil
	return fmt.Sprintf("%+v\n%+v", *d, *report)
}

// same compares everything that two sessions show, and names the first difference.
func same(t *testing.T, when string, s, like *process.Session) {
	t.Helper()
	got, want := allOf(s), allOf(like)
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	if got != want {
		from := max(at-200, 0)
		t.Errorf("%s: got\n%.400s\nwant\n%.400s", when, got[from:], want[from:])
	}
}

// A session that was reset and brought back is as one that was never reset, but for the frames between. It stays so
// while further frames come.
func TestUndoResetBringsEverythingBack(t *testing.T) {
	for name, change := range map[string]func(s *process.Session){
		"as it was":  func(*process.Session) {},
		"smaller":    func(s *process.Session) { s.SetHistory(100, 50) },
		"larger":     func(s *process.Session) { s.SetHistory(900, 900) },
		"budget":     func(s *process.Session) { s.SetFrameBudget(5 * time.Millisecond) },
		"few kept":   func(s *process.Session) { s.SetSlowest(3) },
		"looked at":  func(s *process.Session) { s.Dump(report.DumpOptions{AllFrames: true}) },
		"other view": func(s *process.Session) { s.View().SetReportMode(report.ReportCallTree) },
	} {
		t.Run(name, func(t *testing.T) {
			s, never := process.NewSession(), process.NewSession()
			restless(t, 0, 400, s, never)
			s.View().SetFrame(7)
			never.View().SetFrame(7)
			s.Reset()
			if got := s.View().Info().Frames; got != 0 {
				t.Fatalf("after Reset: got %d frames; want none", got)
			}
			restless(t, 400, 30, s)
			change(s)
			change(never)
			if !s.CanUndoReset() || !s.UndoReset() {
				t.Fatal("UndoReset: got nothing to bring back")
			}
			same(t, "brought back", s, never)
			if got := s.View().Get().Age; got != 7 {
				t.Errorf("brought back: got the frame of age %d; want 7", got)
			}
			restless(t, 430, 500, s, never)
			same(t, "500 frames later", s, never)
		})
	}
}

// A second call brings back what was measured after the Reset.
func TestUndoResetTwiceExchanges(t *testing.T) {
	s, after := process.NewSession(), process.NewSession()
	steady(t, s, 0, 50, 2, "late")
	s.Reset()
	steady(t, s, 50, 20, 3, "late")
	steady(t, after, 50, 20, 3, "late")
	for i, want := range []uint64{50, 20, 50} {
		if !s.UndoReset() {
			t.Fatalf("call %d: got nothing; want an exchange", i)
		}
		if got := s.View().Info().Frames; got != want {
			t.Errorf("call %d: got %d frames; want %d", i, got, want)
		}
	}
	s.UndoReset()
	if got, want := value(s, report.View{}, "late", report.ColumnMean), 3.0; got != want {
		t.Errorf("got a mean of %v; want %v, as after the Reset", got, want)
	}
}

// What a Reset threw away is gone after a minute of frames, after another Reset, and when the frames are another
// program's.
func TestUndoResetIsBounded(t *testing.T) {
	for name, then := range map[string]func(s *process.Session){
		"nothing":         func(*process.Session) {},
		"a minute":        func(s *process.Session) { steady(t, s, 100, 64*64, 2, "late") },
		"another Reset":   func(s *process.Session) { s.Reset() },
		"another program": func(s *process.Session) { s.ForgetProgram() },
		"another capture": func(s *process.Session) { s.Adopt(process.NewSession()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			steady(t, s, 0, 20, 2, "late")
			s.Reset()
			then(s)
			want := name == "nothing"
			can := s.CanUndoReset()
			did := s.UndoReset()
			if can != want || did != want {
				t.Errorf("got CanUndoReset %v, UndoReset %v; want %v", can, did, want)
			}
		})
	}
	if process.NewSession().UndoReset() {
		t.Error("a new session: got something to bring back")
	}
}

// Frames in which nothing was measured come back, too.
func TestUndoResetOfFramesWithoutLanes(t *testing.T) {
	s := process.NewSession()
	write(t, s, &gather.Frame{End: 1000, TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}}})
	s.Reset()
	n := s.View().Info().Frames
	can := s.CanUndoReset()
	if n != 0 || !can {
		t.Errorf("got %d frames, CanUndoReset %v; want 0 and true", n, can)
	}
	if did := s.UndoReset(); !did || s.View().Info().Frames != 1 {
		t.Errorf("got UndoReset %v, %d frames; want true and 1", did, s.View().Info().Frames)
	}
}

func TestUndoResetWhileOthersRead(t *testing.T) {
	s := process.NewSession()
	var group sync.WaitGroup
	for range 3 {
		group.Add(1)
		go func() {
			defer group.Done()
			var snapshot process.Snapshot
			for range 200 {
				s.View().Snapshot(&snapshot, process.SnapshotOptions{Frames: 300, Series: 8, Slowest: true,
					Values: true})
				s.UndoReset()
			}
		}()
	}
	for i := range 40 {
		restless(t, 10*i, 10, s)
		s.Reset()
	}
	group.Wait()
}

func ExampleSession_UndoReset() {
	s := process.NewSession()
	_ = s.WriteFrame(tree(0, []string{"step"}, "step 2 1\n"))
	s.Reset()
	fmt.Println(s.View().Info().Frames, "frames")
	fmt.Println(s.UndoReset(), s.View().Info().Frames, "frame")
	// Output:
	// 0 frames
	// true 1 frame
}

// A report of one lane with statistics that is made after Reset, before the next frame, has no history to look at.
func TestStatisticsOfALaneAfterReset(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	s := process.Default()
	defer s.View().Set(s.View().Get())
	defer s.Reset()
	zone := gather.Zone{Name: "work before the reset"}
	for range 5 {
		zone.Begin().End()
		s.Update()
	}
	lanes := s.View().AppendLanes(nil)
	s.View().SetLane(lanes[0].ID)
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallTree} {
		s.View().SetReportMode(mode)
		zone.Begin().End()
		s.Reset()
		r := report.Report{Want: report.ColumnsOf(report.ColumnP50, report.ColumnP99Self)}
		s.View().AppendReport(&r)
		zone.Begin().End()
		s.View().AppendReport(&r)
		s.Update()
		s.View().AppendReport(&r)
	}
}
