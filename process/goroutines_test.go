package process_test

import (
	"slices"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// surveyed is a program with one survey.
type surveyed struct{ last *report.Goroutines }

func (s surveyed) Survey(bool) (*report.Goroutines, error) { return s.last, nil }
func (s surveyed) Last() *report.Goroutines                { return s.last }

// A dump has the latest survey of the program, else that of its file, and warns of goroutines that only become more.
func TestDumpWarnsOfGoroutinesThatBecomeMore(t *testing.T) {
	s := process.NewSession()
	if d := s.Dump(report.DumpOptions{}); d.Survey != nil {
		t.Fatalf("got %+v; want no survey", d.Survey)
	}
	of := &report.Goroutines{Statements: []report.GoStatement{
		{Crowd: "main.serve server.go:9", Alive: 900, First: 900},
		{Crowd: "main.start pool.go:31", Alive: 40, First: 10, Rises: 3,
			Waits: []report.GoWait{{Reason: "chan send", Count: 39}, {Reason: "running", Count: 1}}}}}
	s.SetSources(func(c *process.Sources) { c.Survey = of })
	want := "goroutines only become more: main.start pool.go:31: 40 alive, 10 at first, more in each of 4 surveys, " +
		"39 in chan send, 1 running"
	if d := s.Dump(report.DumpOptions{}); d.Survey != of || !slices.Contains(d.Warnings, want) {
		t.Errorf("got %+v, warnings %q; want the survey and %q", d.Survey, d.Warnings, want)
	}
	s.SetSources(func(c *process.Sources) { c.Goroutines = surveyed{} })
	if d := s.Dump(report.DumpOptions{}); d.Survey != of {
		t.Errorf("got %+v before the program's first survey; want that of the file", d.Survey)
	}
	newer := &report.Goroutines{Statements: of.Statements[:1]}
	s.SetSources(func(c *process.Sources) { c.Goroutines = surveyed{newer} })
	if d := s.Dump(report.DumpOptions{}); d.Survey != newer || slices.Contains(d.Warnings, want) {
		t.Errorf("got %+v, warnings %q; want the newer one without growth", d.Survey, d.Warnings)
	}
}
