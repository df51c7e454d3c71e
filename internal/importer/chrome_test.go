package importer_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/importer"
	"example.com/iprof/platform"
)

// Where nothing ends, nothing says how long anything took, and that is said.
func TestBeginsAloneAreLeftOut(t *testing.T) {
	const begin = `{"ph":"B","name":"a","ts":1,"pid":1,"tid":1}`
	for _, test := range []struct {
		file string
		want int
	}{
		{"[" + begin + "," + begin + "]", 2}, {"[" + begin, 1},
		{"[" + begin + `,{"ph":"E","ts":2,"pid":1,"tid":1}]`, 0},
		{"[" + begin + `,{"ph":"X","name":"b","ts":1,"dur":5,"pid":1,"tid":1}]`, 0},
	} {
		trace, err := importer.Frames{}.Read(strings.NewReader(test.file), importer.KindChrome, nil)
		if err != nil {
			if test.want == 1 {
				continue // without an end and without a slice it is no trace
			}
			t.Fatal(test.file, err)
		}
		if trace.Skipped != test.want {
			t.Errorf("%s: got %d left out; want %d", test.file, trace.Skipped, test.want)
		}
	}
}

// No type can hold the end of such a slice, and it is counted.
func TestSlicesLongerThanTimesAreLeftOut(t *testing.T) {
	for dur, want := range map[string]int{"5": 0, "3.1e15": 0, "1e16": 1, "1e19": 1, "1e400": 1, "-1e400": 0, "-5": 0} {
		for _, ts := range []string{"5", "-3e15", "3e15"} {
			file := `[{"ph":"X","name":"frame","ts":` + ts + `,"dur":` + dur + `,"pid":1,"tid":1}, ` +
				`{"ph":"X","name":"frame","ts":-3.1e15,"dur":1,"pid":1,"tid":2}]`
			trace, err := importer.Frames{}.Read(strings.NewReader(file), importer.KindChrome, nil)
			if err != nil {
				t.Fatal(file, err)
			}
			if dur == "3.1e15" && ts == "3e15" {
				want = 1 // it ends in the year 2163
			}
			length := platform.Ticks(0)
			_, err = trace.Write(importer.Frames{}, func(*importer.Trace) {}, func(f *gather.Frame) error {
				if f.End < f.Begin || (len(f.Misuse.Notes) > 0) != (want > 0) {
					t.Errorf("%s: got a frame from %d to %d, notes %q", file, f.Begin, f.End, f.Misuse.Notes)
				}
				length += f.End - f.Begin
				return nil
			})
			if err != nil || trace.Long != want || length < 0 {
				t.Errorf("%s: got %d left out, %d ns, %v; want %d", file, trace.Long, length, err, want)
			}
		}
	}
}
