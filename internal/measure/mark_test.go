//go:build !iprof_off

package measure

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/platform"
)

// marksOf ends a frame and returns it.
func marksOf(collect func(*Frame)) *Frame {
	f := new(Frame)
	collect(f)
	return f
}

func TestMarksAreInTheFrameOfTheirTime(t *testing.T) {
	marksOf(Collect)
	before := platform.Now()
	Mark("level loaded")
	Mark("\x1b[31mred\xff\n")
	if f := marksOf(Peek); len(f.Marks) != 2 {
		t.Errorf("peek: got %d marks; want 2", len(f.Marks))
	}
	f := marksOf(Collect)
	if len(f.Marks) != 2 || f.Marks[0].Text != "level loaded" || f.Marks[1].Text != "\x1b[31mred\xff\n" {
		t.Fatalf("got %+v; want both marks, in their order and as they are", f.Marks)
	}
	if m := f.Marks; m[0].Time < before || m[1].Time < m[0].Time || m[1].Time > f.End || m[0].Lane != OwnLane() {
		t.Errorf("got %+v of a frame to %d; want rising times since %d, on lane %d", m, f.End, before, OwnLane())
	}
	if f := marksOf(Collect); len(f.Marks) != 0 {
		t.Errorf("next frame: got %+v; want no marks", f.Marks)
	}
}

func TestMarksAreBounded(t *testing.T) {
	marksOf(Collect)
	dropped := marksOf(Peek).Dropped.Marks
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range MaxMarks {
				Mark(strings.Repeat("long ", 1000))
			}
		})
	}
	all.Wait()
	f := marksOf(Collect)
	if got := f.Dropped.Marks - dropped; len(f.Marks) != MaxMarks || got != 3*MaxMarks {
		t.Errorf("got %d marks and %d dropped; want %d and %d", len(f.Marks), got, MaxMarks, 3*MaxMarks)
	}
	if n := len(f.Marks[0].Text); n > 1024 || n < 1000 {
		t.Errorf("got a text of %d bytes; want it cut to 1,024", n)
	}
}

func TestNoMarksWhileRecordingIsOff(t *testing.T) {
	marksOf(Collect)
	SetRecording(false)
	Mark("unheard")
	SetRecording(true)
	if f := marksOf(Collect); len(f.Marks) != 0 {
		t.Errorf("got %+v; want none", f.Marks)
	}
}

func BenchmarkMark(b *testing.B) {
	f := new(Frame)
	for i := range b.N {
		if Mark("level loaded"); i%200 == 199 {
			b.StopTimer()
			Collect(f)
			b.StartTimer()
		}
	}
}

// States beyond the limit of a frame are counted, and the next frame has room again.
func TestStatesBeyondTheLimitAreCounted(t *testing.T) {
	var f Frame
	Collect(&f)
	before := f.Dropped.States
	for i := range platform.Ticks(MaxStates + 3) {
		AddState(LaneState{Begin: i, End: i + 1})
	}
	Collect(&f)
	n, dropped := len(f.States), f.Dropped.States-before
	if n != MaxStates || dropped != 3 {
		t.Errorf("got %d states, %d dropped; want %d and 3", n, dropped, MaxStates)
	}
	AddState(LaneState{End: 1})
	Collect(&f)
	n, dropped = len(f.States), f.Dropped.States-before
	if n != 1 || dropped != 3 {
		t.Errorf("the next frame: got %d states, %d dropped; want 1 and 3", n, dropped)
	}
}

func TestPendingMarksAreTakenOnce(t *testing.T) {
	var p pending[int]
	for i := range 5 {
		p.add(4, func() int { return 10 * i })
	}
	check := func(name string, before int, move bool, want string) {
		t.Helper()
		got, dropped := p.appendTo([]int{-1}, func(m *int) bool { return *m < before }, move)
		if fmt.Sprint(got, dropped) != want {
			t.Errorf("%s: got %v, %d dropped; want %s", name, got, dropped, want)
		}
	}
	check("a look", 15, false, "[-1 0 10] 1")
	check("a frame", 15, true, "[-1 0 10] 1")
	p.add(4, func() int { return 60 })
	check("the next frame", 99, true, "[-1 20 30 60] 1")
	check("an empty frame", 99, true, "[-1] 1")
}

// sectionOf ends a frame and returns its section.
func sectionOf() SectionInfo { return marksOf(Collect).Section }

// A frame is of the last section that was open in it.
func TestFramesHaveTheirSection(t *testing.T) {
	Section("")
	sectionOf()
	if got := sectionOf(); got != (SectionInfo{}) {
		t.Fatalf("got %+v; want no section", got)
	}
	Section("level 1")
	if f := marksOf(Peek); f.Section.Name != "level 1" || len(f.Marks) != 1 || f.Marks[0].Text != "section level 1" {
		t.Errorf("peek: got %+v, marks %+v; want section and mark of level 1", f.Section, f.Marks)
	}
	first := sectionOf()
	if again := sectionOf(); first.Name != "level 1" || first.Number == 0 || again != first {
		t.Errorf("got %+v and %+v; want level 1 twice", first, again)
	}
	Section("level 2")
	Section("\x1b[31m\xff")
	if got := sectionOf(); got.Name != "\x1b[31m\xff" || got.Number <= first.Number {
		t.Errorf("got %+v after %+v; want the last section of the frame, with a greater number", got, first)
	}
	Section("short")
	Section("")
	if f := marksOf(Collect); f.Section.Name != "short" || f.Marks[1].Text != "end of section" {
		t.Errorf("ended in its frame: got %+v, marks %+v; want short, and its end", f.Section, f.Marks)
	}
	if got := sectionOf(); got != (SectionInfo{}) {
		t.Errorf("after the end: got %+v; want no section", got)
	}
	Section(strings.Repeat("long ", 1000))
	if n := len(sectionOf().Name); n > 1024 || n < 1000 {
		t.Errorf("got a name of %d bytes; want it cut to 1,024", n)
	}
	Section("")
	sectionOf()
}

// What was begun while recording is off is the section of later frames.
func TestSectionsBeginWhileRecordingIsOff(t *testing.T) {
	SetRecording(false)
	Section("menu")
	SetRecording(true)
	if f := marksOf(Collect); f.Section.Name != "menu" || len(f.Marks) != 0 {
		t.Errorf("got %+v, marks %+v; want section menu, and no mark", f.Section, f.Marks)
	}
	Section("")
	sectionOf()
}

// Sections begin on any goroutine, while frames end.
func TestSectionsOnAllGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		all.Go(func() {
			for range 200 {
				Section(name)
			}
		})
	}
	last := uint64(0)
	for range 200 {
		s := sectionOf()
		if s.Number < last || s.Number > 0 && len(s.Name) != 1 {
			t.Fatalf("got %+v after %d; want rising numbers", s, last)
		}
		last = s.Number
	}
	all.Wait()
	Section("")
	sectionOf()
}

func BenchmarkSection(b *testing.B) {
	f := new(Frame)
	for i := range b.N {
		if Section("level 3"); i%200 == 199 {
			b.StopTimer()
			Collect(f)
			b.StartTimer()
		}
	}
}
