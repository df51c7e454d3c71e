package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// markedFrame is a frame of 10 ms with marks at its beginning, in its middle and beyond its end.
func markedFrame(index uint64, texts ...string) *gather.Frame {
	begin := platform.Ticks(index) * 10_000
	f := &gather.Frame{Index: index, Begin: begin, End: begin + 10_000, TicksPerSecond: 1e6,
		Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Self: 10_000, Parent: -1, Open: true}}}}}
	for i, text := range texts {
		f.Marks = append(f.Marks, gather.MarkInfo{Time: begin + platform.Ticks(i)*6_000, Lane: 1, Text: text})
	}
	return f
}

func TestMarksBelongToTheirFrame(t *testing.T) {
	s := process.NewSession()
	s.Mark("of no frame")
	s.WriteFrame(markedFrame(7, "level loaded", "\x1b[2J", "late"))
	s.WriteFrame(markedFrame(8))
	s.Mark("from the reader")
	s.WriteFrame(markedFrame(9))
	got := s.AppendMarks(nil, 0, 9)
	if len(got) != 4 || got[0].Text != "level loaded" || got[0].At != 0 || got[0].Frame != 7 || got[0].Lane != 1 ||
		got[1].At != 6 || got[2].At != 10 || got[3].Frame != 8 || got[3].Text != "from the reader" {
		t.Errorf("got %+v; want three marks in frame 7, at 0, 6 and 10 ms, and one in frame 8", got)
	}
	if got := s.AppendMarks(nil, 8, 8); len(got) != 1 {
		t.Errorf("frame 8: got %+v; want one mark", got)
	}
	for age, want := range []int{0, 1, 3} {
		var r report.Report
		if s.View().AppendReportOf(&r, report.View{Age: age, Average: report.AverageInstant}); len(r.Marks) != want {
			t.Errorf("age %d: got %+v; want %d marks", age, r.Marks, want)
		}
	}
	var now process.Snapshot
	s.View().Snapshot(&now, process.SnapshotOptions{Past: report.Window{Frames: 2}})
	if len(now.Marks) != 1 || now.Marks[0].Age != 1 {
		t.Errorf("two newest frames: got %+v; want one mark, of age 1", now.Marks)
	}
	if d := s.Dump(report.DumpOptions{}); len(d.Marks) != 4 {
		t.Errorf("dump: got %d marks; want 4", len(d.Marks))
	}
	s.Reset()
	if got := s.AppendMarks(nil, 0, 9); len(got) != 0 {
		t.Errorf("after Reset: got %+v; want none", got)
	}
}

func TestKeptMarksAreBounded(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(100) {
		texts := make([]string, measure.MaxMarks+10)
		for j := range texts {
			texts[j] = "x"
		}
		s.WriteFrame(markedFrame(i, texts...))
	}
	got := s.AppendMarks(nil, 0, 100)
	if n := len(got); n < report.MaxMarks || n > report.MaxMarks*5/4 || got[n-1].Frame != 99 {
		t.Errorf("got %d marks; want about %d, the newest", n, report.MaxMarks)
	}
	for i := range uint64(40) {
		s.WriteFrame(markedFrame(100+i, strings.Repeat("y", 100_000)))
	}
	bytes := 0
	for _, m := range s.AppendMarks(nil, 0, 1000) {
		bytes += len(m.Text)
	}
	if bytes > 1<<20 || bytes < 1<<19 {
		t.Errorf("got %d bytes of text; want almost a megabyte", bytes)
	}
}

func TestDroppedMarksAreAWarning(t *testing.T) {
	s := process.NewSession()
	f := markedFrame(0)
	f.Dropped.Marks, f.Dropped.States = 12, 7
	s.WriteFrame(f)
	var r report.Report
	s.View().AppendReport(&r)
	if all := strings.Join(r.Warnings, "\n"); !strings.Contains(all, "dropped 12 marks or texts of scopes") ||
		!strings.Contains(all, "dropped 7 waits") {
		t.Errorf("got warnings %q; want the dropped marks and waits", all)
	}
}

// sectioned gives a session a frame of a section that took so many ms.
func sectioned(s *process.Session, index, number uint64, name string, ms int64) {
	f := markedFrame(index)
	f.End = f.Begin + platform.Ticks(ms*1000)
	f.Lanes[0].Nodes[0].Self = f.End - f.Begin
	f.Section = gather.SectionInfo{Number: number, Name: name}
	s.WriteFrame(f)
}

// sectionsOf returns the sections that a session has, and how many it has dropped.
func sectionsOf(s *process.Session) (list []report.Section, dropped uint64) {
	var now process.Snapshot
	s.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	return now.Overview.Sections, now.Overview.SectionsDropped
}

// A section has the statistics of all its frames, also of those that have left the history.
func TestSectionsHaveStatistics(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(50, 50)
	index := uint64(7)
	for i := range int64(200) {
		ms := int64(4)
		if i == 120 {
			ms = 9
		}
		sectioned(s, index, 1, "level 1", ms)
		index++
	}
	sectioned(s, index, 0, "", 900)
	for i := range int64(100) {
		sectioned(s, index+1+uint64(i), 5, "level 2", 1+i%10)
	}
	got, dropped := sectionsOf(s)
	if len(got) != 2 || dropped != 0 {
		t.Fatalf("got %+v and %d dropped; want two sections", got, dropped)
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }
	a := got[0]
	if a.Name != "level 1" || a.Number != 1 || a.First != 0 || a.Last != 199 || a.From != 7 || a.To != 206 ||
		a.Frames != 200 || !near(a.Mean, (199*4+9)/200.0) || !near(a.P99, 4) || a.Worst != 9 || a.WorstFrame != 127 {
		t.Errorf("got %+v; want 200 frames from 7 to 206 of 4 ms, and of 9 ms in frame 127", a)
	}
	if b := got[1]; b.Name != "level 2" || b.First != 201 || b.Last != 300 || b.Frames != 100 || !near(b.Mean, 5.5) ||
		!near(b.P99, 10) || b.Worst != 10 {
		t.Errorf("got %+v; want 100 frames of 1 to 10 ms", b)
	}
	s.Reset()
	sectioned(s, 1000, 5, "level 2", 3)
	if got, _ := sectionsOf(s); len(got) != 1 || got[0].Name != "level 2" || got[0].Frames != 1 || got[0].Worst != 3 {
		t.Errorf("after Reset: got %+v; want level 2 with one frame", got)
	}
}

func TestKeptSectionsAreBounded(t *testing.T) {
	s := process.NewSession()
	const sections = report.MaxSections + 44
	for i := range uint64(sections) {
		for k := range uint64(3) {
			sectioned(s, 3*i+k, i+1, fmt.Sprint("section ", i), 1+int64(i*k%1000))
		}
	}
	got, dropped := sectionsOf(s)
	if len(got) != report.MaxSections || dropped != 44 || got[0].Name != "section 44" || got[0].First != 3*44 {
		t.Errorf("got %d sections and %d dropped, the first %+v; want %d and 44", len(got), dropped, got[0],
			report.MaxSections)
	}
}
