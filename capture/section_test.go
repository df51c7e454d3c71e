package capture_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// sectionedFrame is a frame of a section of 100 frames; every third section is none.
func sectionedFrame(i int) *gather.Frame {
	begin := platform.Ticks(10 * (i + 1))
	f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 10, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 3, Begin: begin, End: begin + 10, Updater: true,
			Nodes: []gather.Node{{Parent: -1, Self: 10}}}}}
	if n := i / 100; n%3 != 2 {
		f.Section = gather.SectionInfo{Number: uint64(n) + 1, Name: fmt.Sprintf("level %d", n)}
	}
	return f
}

// A capture has the sections of its frames, from each key on, and says a name once a key.
func TestSectionsSurvive(t *testing.T) {
	const frames = 900
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range frames {
		must.Do(t, w.WriteFrame(sectionedFrame(i)))
	}
	w.Close()
	if n := strings.Count(file.String(), "level 4"); n != 1 {
		t.Errorf("level 4: got its name %d times in the file; want once", n)
	}
	if n := strings.Count(file.String(), "level 7"); n != 2 {
		t.Errorf("level 7, on both sides of a key: got its name %d times in the file; want twice", n)
	}
	f := must.Get(framefile.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
	for from, want := range map[uint64]string{600: "level 6, level 7", 0: "level 0, level 1", 256: "level 3, level 4",
		512: "level 6, level 7"} {
		session := process.NewSession()
		if _, err := f.Load(session, from, min(from+300, frames)); err != nil {
			t.Fatal(err)
		}
		var now process.Snapshot
		session.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
		var names []string
		for _, s := range now.Overview.Sections {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("300 frames from %d on: got sections %s; want %s", from, got, want)
		}
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var frame gather.Frame
	for i := range frames {
		must.Do(t, r.Next(&frame))
		if want := sectionedFrame(i).Section; frame.Section != want {
			t.Fatalf("frame %d: got %+v; want %+v", i, frame.Section, want)
		}
	}
}

// TestTheSumsHaveEachSectionOnce: the sections of a long file, whose keys are read by some goroutines, are those of its
// frames, with their lengths.
func TestTheSumsHaveEachSectionOnce(t *testing.T) {
	const frames = 3000
	var file bytes.Buffer
	var want []report.Section
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range frames {
		f := sectionedFrame(i)
		must.Do(t, w.WriteFrame(f))
		if f.Section.Number == 0 {
			continue
		}
		if n := len(want); n == 0 || want[n-1].Number != f.Section.Number {
			want = append(want, report.Section{Number: f.Section.Number, Name: f.Section.Name, First: uint64(i),
				From: f.Index, Mean: 10, P99: 10, Worst: 10, WorstFrame: f.Index})
		}
		last := &want[len(want)-1]
		last.Last, last.To = uint64(i), f.Index
		last.Frames++
	}
	w.Close()
	f := must.Get(framefile.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
	sums := must.Get(f.Sum())(t)
	got, dropped := sums.Sections()
	if !slices.Equal(got, want) || dropped > 0 {
		t.Errorf("got %d sections, %d dropped\n%+v\nwant %d\n%+v", len(got), dropped, got, len(want), want)
	}
}
