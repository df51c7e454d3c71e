package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/replay"
	"example.com/iprof/internal/synth"
	"example.com/iprof/process"
)

// speedscopeProfile is a profile of a file, of either kind.
type speedscopeProfile struct {
	Type, Name string
	EndValue   int64
	Events     []struct {
		Type  string
		Frame int
		At    int64
	}
	Samples [][]int
	Weights []int64
}

type speedscopeFile struct {
	Shared   struct{ Frames []struct{ Name string } }
	Profiles []speedscopeProfile
}

func readSpeedscope(t *testing.T, b []byte) (f speedscopeFile) {
	t.Helper()
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatalf("%v in\n%.2000s", err, b)
	}
	return f
}

// sums returns the self time of each zone. It checks that events are in order and balanced.
func (f *speedscopeFile) sums(t *testing.T) sums {
	got := sums{}
	for _, p := range f.Profiles {
		var stack []int
		at, sampled := int64(0), int64(0)
		for _, e := range p.Events {
			if len(stack) > 0 {
				got.add(p.Name, f.Shared.Frames[stack[len(stack)-1]].Name, e.At-at, 0)
			}
			if e.At < at || e.At > p.EndValue {
				t.Fatalf("%s: an event at %d after one at %d; the end is %d", p.Name, e.At, at, p.EndValue)
			}
			if at = e.At; e.Type == "O" {
				stack = append(stack, e.Frame)
			} else if n := len(stack) - 1; n < 0 || stack[n] != e.Frame {
				t.Fatalf("%s: %d ends; open are %d", p.Name, e.Frame, stack)
			} else {
				stack = stack[:n]
			}
		}
		for i, s := range p.Samples {
			got.add(p.Name, f.Shared.Frames[s[len(s)-1]].Name, p.Weights[i], 0)
			sampled += p.Weights[i]
		}
		if len(stack) > 0 || p.Type == "sampled" && sampled != p.EndValue {
			t.Fatalf("%s: open at the end are %d; weights are %d of %d", p.Name, stack, sampled, p.EndValue)
		}
	}
	return got
}

// timesOnly leaves out the calls, and zones without time.
func timesOnly(s sums) sums {
	maps.DeleteFunc(s, func(_ [2]string, v slice) bool { return v.ns == 0 })
	for k, v := range s {
		s[k] = slice{ns: v.ns}
	}
	return s
}

// TestSpeedscopeHasTheEnginesTimes: of random programs without events, to the nanosecond.
func TestSpeedscopeHasTheEnginesTimes(t *testing.T) {
	for seed := range uint64(1000) {
		var b bytes.Buffer
		x, p, want := export.NewSpeedscope(&b, "test"), synth.New(seed), sums{}
		for range 2 {
			f := p.Frame()
			write(t, x, f)
			addFrame(want, f)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		file := readSpeedscope(t, b.Bytes())
		if got := timesOnly(file.sums(t)); !maps.Equal(got, timesOnly(want)) {
			t.Fatalf("seed %d: got %v; want %v", seed, got, want)
		}
	}
}

// frameSums is a sink that adds what the engine has measured.
type frameSums struct{ sums }

func (s *frameSums) WriteFrame(f *gather.Frame) error { addFrame(s.sums, f); return nil }

// TestSpeedscopeOfEvents: with events, profiles have each call, and their times are the engine's.
func TestSpeedscopeOfEvents(t *testing.T) {
	for seed := range longtest.Pick(20, 2) {
		var b bytes.Buffer
		s, want := process.NewSession(), &frameSums{sums{}}
		x := export.NewSpeedscope(&b, "test")
		defer s.AddSink(x)()
		defer s.AddSink(want)()
		program := replay.New(uint64(seed), s)
		for range 50 {
			if err := program.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		file := readSpeedscope(t, b.Bytes())
		if got := timesOnly(file.sums(t)); !maps.Equal(got, timesOnly(want.sums)) {
			t.Fatalf("seed %d: got %v; want %v", seed, got, want)
		}
		calls := 0
		for _, p := range file.Profiles {
			if calls += len(p.Events) / 2; p.Type != "evented" {
				t.Errorf("%s is %s; want evented", p.Name, p.Type)
			}
		}
		if calls < 1000 {
			t.Errorf("got %d calls; want those of 50 frames", calls)
		}
	}
}

// TestSpeedscopeOfSomeEvents: a lane with events in some frames is two profiles.
func TestSpeedscopeOfSomeEvents(t *testing.T) {
	var b bytes.Buffer
	x := export.NewSpeedscope(&b, "</script>")
	write(t, x, hand(0))
	x.TakeEvents(scopes{})
	write(t, x, hand(1))
	x.TakeEvents(nil)
	write(t, x, hand(2))
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	file := readSpeedscope(t, b.Bytes())
	var got []string
	for _, p := range file.Profiles {
		got = append(got, fmt.Sprint(p.Type, " ", p.Name, " ", p.EndValue))
	}
	want := "evented main\ufffd\" 20000,sampled main\ufffd\" (sums of frames without events) 20000,sampled +two 60000"
	if strings.Join(got, ",") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ","), want)
	}
	if e := file.Profiles[0].Events; len(e) != 10 || e[0].At != 10_000 || e[4].At != 12_000 || e[5].At != 12_500 {
		t.Errorf("got %v; want the calls at their times", e)
	}
	file.sums(t)
}

// TestSpeedscopeOfManyLanes: beyond 1,000 profiles all others are one.
func TestSpeedscopeOfManyLanes(t *testing.T) {
	var b bytes.Buffer
	x := export.NewSpeedscope(&b, "")
	f := gather.Frame{TicksPerSecond: 1e9, End: 10, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	for i := range 3000 {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(i + 1), Name: "g", End: 10,
			Nodes: []gather.Node{{Parent: -1, Self: 10}}})
	}
	write(t, x, &f)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	p := readSpeedscope(t, b.Bytes()).Profiles
	if last := p[len(p)-1]; len(p) != 1001 || last.Name != "(other goroutines)" || last.EndValue != 20_000 {
		t.Errorf("got %d profiles, the last one %v; want 1,001 and 20,000 ns", len(p), last)
	}
}

// TestSpeedscopeReturnsTheWritersError at Close, which writes all.
func TestSpeedscopeReturnsTheWritersError(t *testing.T) {
	x := export.NewSpeedscope(full{}, "")
	write(t, x, hand(0))
	if err := x.Close(); err != io.ErrShortWrite {
		t.Errorf("got %v; want the writer's error", err)
	}
}

// A file for speedscope.app.
func ExampleNewSpeedscope() {
	x := export.NewSpeedscope(io.Discard, "game") // defer session.AddSink(x)() writes each frame of a session
	fmt.Println(x.WriteFrame(frame()), x.Close())
	// Output: <nil> <nil>
}
