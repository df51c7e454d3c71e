package export_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
)

// stretch is a state as a format has it, or an arrow: from lane to on at begin.
type stretch struct {
	on, title  string
	begin, end int64
	ended      string // where a wait was ended
}

// states are those of a file, and its arrows.
type states struct{ all, arrows []stretch }

// TestStatesAreTheSessions: the files have the states that a session has of the same frames, and an arrow for each wait
// that a lane ended.
func TestStatesAreTheSessions(t *testing.T) {
	for _, format := range []struct {
		name string
		read func(*testing.T, []byte) states
	}{{"chrome", chromeStates}, {"perfetto", perfettoStates}} {
		t.Run(format.name, func(t *testing.T) {
			for seed := range uint64(20) {
				b, want := withStates(t, format.name, seed)
				got := format.read(t, b)
				order(got.all)
				order(got.arrows)
				if !slices.Equal(got.all, want.all) {
					t.Fatalf("seed %d: got\n%v\nwant\n%v", seed, got.all, want.all)
				}
				if !slices.Equal(got.arrows, want.arrows) || len(want.arrows) < 10 {
					t.Fatalf("seed %d: got arrows\n%v\nwant\n%v", seed, got.arrows, want.arrows)
				}
			}
		})
	}
}

func order(list []stretch) {
	slices.SortFunc(list, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.on, b.on), cmp.Compare(a.title, b.title))
	})
}

// withStates writes a random program with random states, and returns what a session knows of them. Some states come
// with later frames.
func withStates(t *testing.T, format string, seed uint64) (file []byte, want states) {
	t.Helper()
	var b bytes.Buffer
	x := export.NewPerfetto(&b, "test")
	if format == "chrome" {
		x = export.NewChrome(&b, "test")
	}
	p, s, r := synth.New(seed), process.NewSession(), rand.New(rand.NewPCG(seed, 9))
	defer s.AddSink(x)()
	names, zero := map[gather.LaneID]string{}, platform.Ticks(0)
	last := map[gather.LaneID]platform.Ticks{}
	var late []gather.LaneState
	for i := range 50 {
		f := p.Frame()
		if f.States = nil; i == 0 {
			zero = f.Begin
		}
		for k := range f.Lanes {
			names[f.Lanes[k].ID] = f.Lanes[k].Name
			f.States = append(f.States, randomStates(r, f, f.Lanes[k].ID, last)...)
		}
		f.States = append(f.States, randomStates(r, f, 0, last)...)
		late = append(late, f.States...)
		r.Shuffle(len(late), func(a, b int) { late[a], late[b] = late[b], late[a] })
		n := r.IntN(len(late) + 1)
		if i == 49 {
			n = len(late)
		}
		f.States, late = late[:n], late[n:]
		must.Do(t, s.WriteFrame(f))
	}
	if err := x.Close(); err != nil || x.Overlaps() > 0 {
		t.Fatalf("got %v and %d overlaps; want none", err, x.Overlaps())
	}
	known := map[gather.LaneState]bool{}
	for age := range 50 {
		for _, q := range s.AppendStates(nil, age) {
			known[q] = true
		}
	}
	for q := range known {
		want.all = append(want.all, stretch{trackName(q, names), (&timeline.Stretch{LaneState: q}).Title(),
			int64(q.Begin - zero), int64(q.End - zero), q.At})
		if q.Waker != 0 && q.Lane != 0 {
			at := int64(q.End - zero)
			want.arrows = append(want.arrows, stretch{names[q.Lane], names[q.Waker], at, at, ""})
		}
	}
	order(want.all)
	order(want.arrows)
	return b.Bytes(), want
}

func trackName(q gather.LaneState, names map[gather.LaneID]string) string {
	if q.Lane != 0 {
		return names[q.Lane]
	}
	return q.Kind.String()
}

// randomStates are those of a lane that end in a frame. One of them may have begun before it.
func randomStates(r *rand.Rand, f *gather.Frame, lane gather.LaneID,
	last map[gather.LaneID]platform.Ticks) (list []gather.LaneState) {
	at := max(last[lane], f.Begin-platform.Ticks(r.IntN(50_000)), 0)
	for range r.IntN(6) {
		q := gather.LaneState{Lane: lane, Kind: gather.StateKind(r.IntN(5)), Begin: at + platform.Ticks(r.IntN(9_000))}
		if lane == 0 {
			q.Kind = gather.StateMarking + gather.StateKind(r.IntN(3))
		}
		q.End = q.Begin + 1 + platform.Ticks(r.IntN(90_000))
		if at = q.End; at > f.End {
			break
		}
		if q.Kind == gather.StateWaiting {
			q.Reason, q.At = "mutex <b>", fmt.Sprintf("\"world\".go:%d", r.IntN(100))
			if by := f.Lanes[r.IntN(len(f.Lanes))].ID; by != lane {
				q.Waker = by
			}
		}
		list, last[lane] = append(list, q), at
	}
	return list
}

// chromeStates reads the states of a file, and its arrows. An arrow begins and ends in slices of lanes.
func chromeStates(t *testing.T, b []byte) (got states) {
	t.Helper()
	names, from := map[int]string{}, map[string]stretch{}
	events := readChrome(t, b).TraceEvents
	inLane := func(tid int, at int64) bool {
		for _, e := range events {
			if begin := int64(0); e.Ph == "X" && e.Tid == tid {
				if begin = nanos(t, e.Ts); begin <= at && at <= begin+nanos(t, e.Dur) {
					return true
				}
			}
		}
		return false
	}
	for _, e := range events {
		switch {
		case e.Name == "thread_name":
			names[e.Tid] = e.Args.Name
		case e.Cat == "state":
			begin, name := nanos(t, e.Ts), names[e.Tid]
			if len(name) > 10 && name[:10] == "states of " {
				name = name[10:]
			}
			got.all = append(got.all, stretch{name, e.Name, begin, begin + nanos(t, e.Dur), e.Args.Ended})
		case e.Ph == "s":
			from[strconv.Itoa(e.ID)] = stretch{title: names[e.Tid], begin: nanos(t, e.Ts)}
			if !inLane(e.Tid, nanos(t, e.Ts)) {
				t.Fatalf("an arrow begins in no slice of %q", names[e.Tid])
			}
		case e.Ph == "f":
			a := from[strconv.Itoa(e.ID)]
			a.end = nanos(t, e.Ts)
			a.on = names[e.Tid]
			if e.Bp != "e" {
				t.Fatalf("an arrow ends at the next slice of %q, not in one", a.on)
			}
			got.arrows = append(got.arrows, a)
		}
	}
	return got
}

func perfettoStates(t *testing.T, b []byte) states {
	t.Helper()
	r := readPerfetto(t, b)
	for i := range r.states.all {
		if s := &r.states.all[i]; s.on == "states" {
			t.Fatalf("the states %v have no lane", s)
		}
	}
	return r.states
}

// TestStatesAreCut: overlapping ones, those before the file, and those of a lane that the file lacks.
func TestStatesAreCut(t *testing.T) {
	var b bytes.Buffer
	x := export.NewChrome(&b, "")
	f := hand(1)
	f.States = []gather.LaneState{
		{Lane: 1, Kind: gather.StateRunning, Begin: 0, End: 900},                         // before
		{Lane: 1, Kind: gather.StateSyscall, Begin: 900, End: 1100},                      // from 1000
		{Lane: 1, Kind: gather.StateWaiting, Begin: 1050, End: 1200, Waker: 77, By: "f"}, // from 1100, by nobody
		{Lane: 1, Kind: gather.StateRunning, Begin: 1110, End: 1190},                     // within that
		{Lane: 9, Kind: gather.StateRunning, Begin: 1100, End: 1300},                     // no lane
		{Kind: gather.StateKind(200), Begin: 1500, End: 1600},
	}
	write(t, x, f)
	must.Do(t, x.Close())
	got := chromeStates(t, b.Bytes())
	want := []stretch{{"main\ufffd\"", "in a system call", 0, 1000, ""}, {"main\ufffd\"", "waiting", 1000, 2000, ""},
		{"process stopped", "process stopped", 5000, 6000, ""}}
	if !slices.Equal(got.all, want) || len(got.arrows) != 0 || x.Overlaps() != 2 {
		t.Errorf("got %v and %v, %d overlaps; want %v and 2 overlaps", got.all, got.arrows, x.Overlaps(), want)
	}
}
