package console

import (
	"strings"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Every command of the table can be typed.
func TestEveryCommandCanBeTyped(t *testing.T) {
	s := replayed(t, 3)
	for _, c := range viewer.Commands() {
		w, err := find(s, c.Name)
		if err != nil || w.Name != c.Name || w.Do == nil && w.Line == nil || w.Says() == "" {
			t.Errorf("%q: got %+v, %v; want a line that runs it, and words", c.Name, w, err)
		}
	}
	if got := output(t, s, "calltree"); !strings.HasPrefix(got, "calltree: ") ||
		s.View().Get().Mode != report.ReportCallTree {
		t.Errorf("calltree: got %q, mode %v; want the call tree", got, s.View().Get().Mode)
	}
	ran := 0
	viewer.PanelFor(s).AddCommand(viewer.Command{Name: "greet", Action: "say hello",
		Do: func(*process.Session, *viewer.Panel) { ran++ }})
	if help := output(t, s, "help"); !strings.Contains(help, "say hello") {
		t.Errorf("help: got no line for a command that the program added:\n%s", help)
	}
	if output(t, s, "greet"); ran != 1 {
		t.Errorf("greet: got it run %d times; want once", ran)
	}
}
