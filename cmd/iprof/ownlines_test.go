package main

import (
	"encoding/json"
	"testing"

	"example.com/iprof/internal/asjson"
)

const steppingProgram = `package main

func main() {
	n := 0
	for i := range 100_000_000 {
		n += step(i)
	}
	println(n)
}

func step(i int) (s int) {
	for j := range 10 {
		s += i ^ j
	}
	return s
}
`

// TestOurLinesAreNoneOfTheProgram: a tenth of the time of this program passes where step begins, most of it for the
// zone.
func TestOurLinesAreNoneOfTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root := inModule(t, map[string]string{"main.go": steppingProgram})
	if status := launch("run", []string{"-module", root, "-report", "out.json", "."}); status != 0 {
		t.Fatalf("status %d", status)
	}
	var report struct {
		Run struct {
			Hottest []asjson.Line `json:"hottest_lines"`
		}
	}
	if err := json.Unmarshal(readFile(t, "out.json"), &report); err != nil {
		t.Fatal(err)
	}
	inStep := 0
	for _, l := range report.Run.Hottest {
		if l.Function == "main.step" {
			inStep += l.Samples
		}
		if l.Line == 11 || l.Line == 0 {
			t.Errorf("%+v is the line of func step, or none", l)
		}
	}
	if inStep == 0 {
		t.Errorf("no sample is in step: %+v", report)
	}
}
