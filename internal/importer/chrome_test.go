package importer_test

import (
	"strings"
	"testing"

	"example.com/iprof/internal/importer"
)

// TestBeginsAloneAreLeftOut: where nothing ends, nothing says how long anything took, and that is said.
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
		trace, err := importer.Chrome(strings.NewReader(test.file), nil)
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
