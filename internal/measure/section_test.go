//go:build !iprof_off

package measure

import (
	"strings"
	"sync"
	"testing"
)

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
