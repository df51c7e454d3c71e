package text

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
)

// The processor time stands beside the run time, if it is known.
func TestProcessorTimeBesideRunTime(t *testing.T) {
	d := &report.Dump{RunTime: 31_200 * time.Millisecond, CPU: 44 * time.Second}
	for name, c := range map[string]struct {
		write func(io.Writer) error
		want  string
	}{
		"tree":  {func(w io.Writer) error { return WriteTree(w, d, Options{}) }, "CPU 44.00 s (1.41 processors)"},
		"zones": {func(w io.Writer) error { return WriteZones(w, d, Options{}) }, "CPU 44.00 s (1.41 processors)"},
		"json":  {func(w io.Writer) error { return WriteJSON(w, d) }, `"cpu_ns":44000000000,`},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			d.CPU = 44 * time.Second
			if err := c.write(&b); err != nil || !strings.Contains(b.String(), c.want) {
				t.Errorf("got %.300s, %v; want %s in it", b.String(), err, c.want)
			}
			d.CPU = 0
			b.Reset()
			if err := c.write(&b); err != nil || strings.Contains(strings.ToLower(b.String()), "cpu") {
				t.Errorf("not known: got %.300s, %v; want nothing of it", b.String(), err)
			}
		})
	}
}

// The processor time of a goroutine that is locked to its thread stands beside the lane's name.
func TestProcessorTimeOfALane(t *testing.T) {
	d := &report.Dump{RunTime: time.Second, Lanes: []report.LaneTree{
		{Name: "draw", CPU: 250 * time.Millisecond, Nodes: []report.TreeNode{{Parent: -1, Self: 1000, Hier: 1000}}},
		{Name: "load", Nodes: []report.TreeNode{{Parent: -1, Self: 1000, Hier: 1000}}},
	}}
	var b strings.Builder
	must.Do(t, WriteTree(&b, d, Options{}))
	for _, want := range []string{"\non draw  CPU 250.0 ms (25.0%)\n", "\non load\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got %s; want %q in it", b.String(), want)
		}
	}
}
