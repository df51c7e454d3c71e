//go:build !iprof_off

package measure

import (
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
	if n, dropped := len(f.States), f.Dropped.States-before; n != MaxStates || dropped != 3 {
		t.Errorf("got %d states, %d dropped; want %d and 3", n, dropped, MaxStates)
	}
	AddState(LaneState{End: 1})
	Collect(&f)
	if n, dropped := len(f.States), f.Dropped.States-before; n != 1 || dropped != 3 {
		t.Errorf("the next frame: got %d states, %d dropped; want 1 and 3", n, dropped)
	}
}
