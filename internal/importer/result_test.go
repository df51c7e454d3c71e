package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
)

// The line about a file says what was left out, also if that is one thing, and says nothing of a whole file.
func TestTheLineSaysWhatWasLeftOut(t *testing.T) {
	const good = `{"ph":"X","name":"a","ts":0,"dur":5,"tid":1}`
	for text, want := range map[string]string{
		"[" + good + "]": "",
		"[" + good + `,{"ph":"X","name":"b","ts":"soon","dur":5,"tid":1}]`: "left out: 1 ",
		"[" + good + `,{"ph":"B","name":"b","ts":2,"tid":1}]`:              "changed: 1 ",
	} {
		path, made := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "made.iprof")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		r, err := importer.File(path, made, importer.Frames{})
		if got := r.Line(); err != nil || !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
}

// The program of an import started when its file was written, less the length of the trace.
func TestTheStartIsTheFilesTimeLessItsLength(t *testing.T) {
	path, made := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "made.iprof")
	must.Do(t, os.WriteFile(path, []byte(`[{"ph":"X","name":"a","ts":0,"dur":3000000,"tid":1}]`), 0o600))
	written := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	must.Do(t, os.Chtimes(path, written, written))
	if _, err := importer.File(path, made, importer.Frames{}); err != nil {
		t.Fatal(err)
	}
	_, contents := must.Two(capture.Open(made))(t)
	if want := written.Add(-3 * time.Second); !contents.Info.Start.Equal(want) {
		t.Errorf("got a start at %v; want %v", contents.Info.Start, want)
	}
}

// A zone that goes on in the next frame is open at the end of its frame, and one that ends there is not.
func TestAZoneThatGoesOnIsOpen(t *testing.T) {
	text := `[{"ph":"X","name":"frame","ts":0,"dur":10,"tid":1},{"ph":"X","name":"frame","ts":10,"dur":10,"tid":1},
		{"ph":"X","name":"long","ts":5,"dur":12,"tid":2},{"ph":"X","name":"brief","ts":1,"dur":2,"tid":2}]`
	trace, err := importer.Frames{}.Read(strings.NewReader(text), importer.KindChrome, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	_, err = trace.Write(importer.Frames{Name: "frame"}, func(*importer.Trace) {}, func(f *gather.Frame) error {
		for _, l := range f.Lanes {
			for _, n := range l.Nodes[1:] {
				if name := f.Zones[n.Zone].Name; name != "frame" && n.Open {
					got = append(got, name)
				}
			}
		}
		got = append(got, "|")
		return nil
	})
	if all := strings.Join(got, " "); err != nil || all != "long | |" {
		t.Errorf("got open at the ends of frames: %s, %v; want long | |", all, err)
	}
}

// The first bytes of a message of protocol buffers are a field from 1 to 15 that is a number or has a length.
func TestOtherBytesAreNoProfile(t *testing.T) {
	for _, begin := range []string{"\x02\x01a", "\x0d\x01\x02\x03\x04", "\x82\x01\x01a", "\x0b\x01"} {
		kind := importer.KindOf(strings.NewReader(begin))
		if kind == importer.KindPprof || kind == importer.KindPerfetto {
			t.Errorf("%q: got kind %d; want no profile", begin, kind)
		}
	}
}

// A reader gives states by the numbers of threads as it finds them. Threads without a slice or a state are left out,
// and all states stay those of their threads. A number of no thread is none.
func TestStatesKeepTheirLanes(t *testing.T) {
	for _, threads := range [][]string{{"a", "b", "c"}, {"c", "a", "b"}, {"idle", "a", "idle too", "b", "c"},
		{"a", "idle", "c", "b"}} {
		trace := importer.New(nil)
		ids := map[string]gather.LaneID{}
		for i, name := range threads {
			ids[name] = trace.Goroutine(name, uint64(i+1))
			if len(name) == 1 {
				must.Do(t, trace.Add(name, "work", 10, 90))
			}
		}
		var want []string
		state := func(lane, waker gather.LaneID, says string) {
			s := gather.LaneState{Lane: lane, Waker: waker, Kind: gather.StateWaiting, Begin: 10, End: 90, Reason: says}
			want = append(want, says)
			must.Do(t, trace.AddState(s))
		}
		name := map[gather.LaneID]string{}
		for n, id := range ids {
			name[id] = n
		}
		for _, lane := range []gather.LaneID{0, ids["a"], ids["b"], ids["c"]} {
			for _, waker := range []gather.LaneID{0, ids["a"], ids["c"], gather.LaneID(len(threads) + 1)} {
				state(lane, waker, fmt.Sprintf("%q by %q", name[lane], name[waker]))
			}
		}
		s := must.Get(see(t, trace, importer.Frames{}))(t)
		var got []string
		for _, q := range s.states {
			got = append(got, fmt.Sprintf("%q by %q", s.lanes[q.Lane], s.lanes[q.Waker]))
			if got[len(got)-1] != q.Reason {
				t.Errorf("%v: got a state of %s; want %s", threads, got[len(got)-1], q.Reason)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %v; want %v", threads, got, want)
		}
	}
}

// Marks and values as near as the slices are long, or a second, extend the time, and those further away are left out,
// to the microsecond.
func TestMarksNearTheSlices(t *testing.T) {
	for _, test := range []struct{ begin, length, near int }{
		{10_000_000, 500_000, 1_000_000}, {10_000_000, 2_500_000, 2_500_000}, {-4_000_000, 1_000_000, 1_000_000},
	} {
		slices := fmt.Sprintf(`{"ph":"X","name":"a","ts":%d,"dur":%d,"tid":1}`, test.begin, test.length)
		end := test.begin + test.length
		for _, what := range []string{`{"ph":"i","name":"m","s":"g","ts":%d}`,
			`{"ph":"C","name":"v","args":{"x":1},"ts":%d}`} {
			for at, near := range map[int]bool{test.begin - test.near: true, test.begin - test.near - 1: false,
				end + test.near: true, end + test.near + 1: false, end: true, test.begin: true} {
				s, r := seeText(t, "["+slices+","+fmt.Sprintf(what, at)+"]")
				want := max(end, at) - min(test.begin, at)
				if !near {
					want = test.length
				}
				if got := int(s.whole.Microseconds()); got != want || s.all["a"] != int64(test.length)*1000 {
					t.Errorf("%v, at %d: got %d us, %v; want %d", test, at, got, s.all, want)
				}
				// a value before all frames applies to the first
				if left := leftOut(r); (left == 0) != (near || at < test.begin && len(s.values) > 0) {
					t.Errorf("%v, at %d: got %v left out", test, at, r.Left)
				}
			}
		}
	}
}
