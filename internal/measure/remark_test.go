//go:build !iprof_off

package measure

import (
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
