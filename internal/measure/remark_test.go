//go:build !iprof_off

package measure

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
)

// remarked ends a frame and returns its remarks as texts and values.
func remarked() (list []Remark, words []any) {
	f := new(Frame)
	Collect(f)
	for _, m := range f.Remarks {
		if m.Valued {
			words = append(words, m.Value)
		} else {
			words = append(words, m.Text)
		}
	}
	return f.Remarks, words
}

func TestRemarksAreOfTheirScopes(t *testing.T) {
	clock := useFakeClock(t)
	outer, inner := &Zone{Name: "outer"}, &Zone{Name: "inner"}
	SetEvents(64)
	remarked()
	a := outer.Begin()
	clock.advance(1)
	now := platform.Now()
	b := inner.Begin()
	b.Text("\x1b[31mred\xff\n")
	a.Value(-2.5)
	clock.advance(1)
	a.Text("chunk 12,7")
	b.End()
	a.End()
	var peeked Frame
	if Peek(&peeked); len(peeked.Remarks) != 3 {
		t.Errorf("peek: got %d remarks; want 3", len(peeked.Remarks))
	}
	list, _ := remarked()
	aID, _ := outer.ID()
	bID, _ := inner.ID()
	lane := OwnLane()
	want := []Remark{{now, lane, bID, 1, false, 0, "\x1b[31mred\xff\n"}, {now, lane, aID, 0, true, -2.5, ""},
		{now + 1, lane, aID, 0, false, 0, "chunk 12,7"}}
	if len(list) != len(want) || list[0] != want[0] || list[1] != want[1] || list[2] != want[2] {
		t.Errorf("got %+v; want %+v", list, want)
	}
	if list, _ := remarked(); len(list) != 0 {
		t.Errorf("next frame: got %+v; want none", list)
	}
}

// What has no scope in the events has no remark: scopes that have ended, zero scopes, texts and numbers that say
// nothing, scopes of lanes without events, and all while recording is off.
func TestRemarksNeedAnOpenScopeWithEvents(t *testing.T) {
	useRealClock(t)
	zone := &Zone{Name: "z"}
	zone.Begin().Text("without events")
	SetEvents(64)
	s := zone.Begin()
	Scope{}.Text("zero")
	Scope{}.Value(1)
	s.Text("")
	s.Value(math.NaN())
	s.Value(math.Inf(-1))
	SetRecording(false)
	s.Text("off")
	SetRecording(true)
	s.Text("kept")
	s.End()
	s.Text("ended")
	again := zone.Begin()
	s.Text("of an earlier entry")
	again.End()
	if _, got := remarked(); len(got) != 1 || got[0] != "kept" {
		t.Errorf("got %q; want one, \"kept\"", got)
	}
}

// While calls are counted, remarks are kept, too: a slow call has them.
func TestRemarksWhereCallsAreCounted(t *testing.T) {
	useRealClock(t)
	zone := &Zone{Name: "counted"}
	zone.SetPerCall(true)
	defer zone.SetPerCall(false)
	zone.Begin().End()
	for range zone.Span {
		// the scope is not in hand here
	}
	s := zone.Begin()
	s.Text("slow one")
	s.End()
	if _, got := remarked(); len(got) != 1 || got[0] != "slow one" {
		t.Errorf("got %q; want \"slow one\"", got)
	}
}

// Another goroutine may say something about a scope, and each has its own lane.
func TestRemarksOfManyGoroutines(t *testing.T) {
	useRealClock(t)
	SetEvents(64)
	zone := &Zone{Name: "many"}
	remarked()
	var all sync.WaitGroup
	lanes := make([]LaneID, 4)
	for i := range lanes {
		all.Go(func() {
			defer Register("worker").Close()
			s := zone.Begin()
			defer s.End()
			lanes[i] = OwnLane()
			var other sync.WaitGroup
			other.Go(func() { s.Value(float64(i)) })
			other.Wait()
		})
	}
	all.Wait()
	list, _ := remarked()
	if len(list) != len(lanes) {
		t.Fatalf("got %d remarks; want %d", len(list), len(lanes))
	}
	for _, m := range list {
		if m.Lane != lanes[int(m.Value)] {
			t.Errorf("remark %v: got lane %d; want %d", m.Value, m.Lane, lanes[int(m.Value)])
		}
	}
}

func TestRemarksAreBounded(t *testing.T) {
	useRealClock(t)
	SetEvents(64)
	zone := &Zone{Name: "z"}
	remarked()
	s := zone.Begin()
	defer s.End()
	for range MaxRemarks + 3 {
		s.Value(1)
	}
	var f Frame
	before := f.Dropped.Remarks
	if Collect(&f); len(f.Remarks) != MaxRemarks || f.Dropped.Remarks-before != 3 {
		t.Errorf("values: got %d, %d dropped; want %d and 3", len(f.Remarks), f.Dropped.Remarks, MaxRemarks)
	}
	before = f.Dropped.Remarks
	long := strings.Repeat("long ", 1000)
	for range MaxRemarkBytes/1024 + 5 {
		s.Text(long)
	}
	Collect(&f)
	most := MaxRemarkBytes / len(f.Remarks[0].Text)
	if n := len(f.Remarks[0].Text); n > 1024 || n < 1000 || !strings.HasSuffix(f.Remarks[0].Text, "…") {
		t.Errorf("got a text of %d bytes; want it cut to 1,024", n)
	}
	got := len(f.Remarks)
	dropped := int(f.Dropped.Remarks - before)
	if got != most ||
		dropped != MaxRemarkBytes/1024+5-most {
		t.Errorf("texts: got %d, %d dropped; want %d and the rest", got, dropped, most)
	}
}

// Remarks of the time after a frame's end are those of the next one, with their own texts.
func TestPendingRemarksAreTakenOnce(t *testing.T) {
	clock := useFakeClock(t)
	var l remarkLog
	start := platform.Now()
	for _, text := range []string{"one", "", "three"} {
		clock.advance(10)
		l.add(Remark{Valued: text == ""}, text)
	}
	check := func(name string, end int64, move bool, want ...string) {
		t.Helper()
		got, _ := l.appendTo([]Remark{{Text: "before"}}, start+platform.Ticks(end), move)
		for i, m := range got[1:] {
			if i >= len(want) || m.Text != want[i] {
				t.Errorf("%s: got %+v; want %q", name, got[1:], want)
			}
		}
		if len(got)-1 != len(want) || got[0].Text != "before" {
			t.Errorf("%s: got %d; want %d behind what was there", name, len(got)-1, len(want))
		}
	}
	check("a look", 20, false, "one", "")
	check("a frame", 20, true, "one", "")
	clock.advance(10)
	l.add(Remark{}, "four")
	check("the next frame", 99, true, "three", "four")
	check("an empty frame", 99, true)
}

// Without events a remark takes no memory; with them a frame takes one piece for all texts.
func TestRemarksDoNotAllocate(t *testing.T) {
	useRealClock(t)
	zone := &Zone{Name: "z"}
	for _, events := range []int{0, 64} {
		SetEvents(events)
		s := zone.Begin()
		var f Frame
		say := func() {
			s.Text("chunk 12,7")
			s.Value(3)
		}
		for range 100 {
			say()
		}
		Collect(&f)
		if got := allocstest.PerRun(40, say); got != 0 {
			t.Errorf("%d events: got %v allocations; want none", events, got)
		}
		Collect(&f)
		s.End()
	}
}

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
