package process_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

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
