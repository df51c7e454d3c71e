//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The parts of each slow frame have its length, and the first is the cause with its times.
func TestPartsAddUpToTheFrame(t *testing.T) {
	s := process.NewSession()
	r := world.NewGame(1, s)
	slow := 0
	var now process.Snapshot
	for range 260 {
		r.Step()
	}
	s.Pause()
	for age := range 200 {
		s.View().SetFrame(age)
		s.View().Snapshot(&now, process.SnapshotOptions{Parts: true})
		v := &now.Report.Verdict
		if !v.Found() || v.Index != now.Report.Frame.Index {
			if len(now.Parts) > 0 {
				t.Errorf("age %d: got parts without a verdict", age)
			}
			continue
		}
		slow++
		sum := 0.0
		for _, p := range now.Parts {
			sum += p.Time
		}
		if math.Abs(sum-now.Report.Frame.Length) > 0.001*sum {
			t.Errorf("frame %d: got parts of %.3f ms; want %.3f", v.Index, sum, now.Report.Frame.Length)
		}
		c, first := v.Cause(), now.Parts[0]
		if c.Kind != report.CauseLonger {
			continue
		}
		if first.Cause != 1 || first.Path != c.Path || math.Abs(first.Time-c.Time) > 0.05*c.Time ||
			math.Abs(first.Usual-c.Usual) > 0.1*c.Usual+0.01 {
			t.Errorf("frame %d: got first part %+v; want that of the cause, %.3f (usually %.3f)", v.Index, first,
				c.Time, c.Usual)
		}
	}
	if slow < 3 {
		t.Errorf("got %d slow frames; want some", slow)
	}
}

// Causes come first, with what they call if they are whole; then the ten largest zones, the rest, and the waits that
// the program chose.
func TestPartsComeInTheOrderOfDrawing(t *testing.T) {
	names := []string{"load", "read", "vsync*", "sleep*", "draw", "gone"}
	many, largest := "sleep 0.2 1\nvsync 0.5 1\n", ""
	for i := range 13 {
		ms := 5*i%13 + 2 // 2 to 14 times 0.05 ms, in no order
		names = append(names, fmt.Sprint("z", ms))
		many += fmt.Sprintf("z%d %.2f 1\n", ms, 0.05*float64(ms))
		if at := 14 - i; at >= 5 {
			largest += fmt.Sprintf(", z%d %.4g/%.4g", at, 0.05*float64(at), 0.05*float64(at))
		}
	}
	for name, c := range map[string]struct{ usual, last, want string }{
		"many": {"load 0.1 1\n" + many, "load 3.2 1\n" + many,
			"1 load 3.2/0.1 (1/1)" + largest + ", rest 0.45/0.45, idle vsync 0.5/0.5, idle sleep 0.2/0.2"},
		"no wait": {"load 0.1 1\n" + many[strings.Index(many, "z"):], "load 3.2 1\n" + many[strings.Index(many, "z"):],
			"1 load 3.2/0.1 (1/1)" + largest + ", rest 0.45/0.45"},
		"whole": {"load 6 2\n  read 10 2\ndraw 4 1\n", "load 18 6\n  read 30 6\ndraw 4 1\n",
			"1 load 48/16 (6/2), draw 4/4"},
		"itself": {"load 6 1\n  read 10 1\ndraw 4 1\n", "load 46 1\n  read 10 1\ndraw 4 1\n",
			"1 load 46/6 (1/1), read 10/10, draw 4/4"},
		"two": {"load 6 1\nread 10 1\ndraw 4 1\n", "load 46 1\nread 30 1\ndraw 4 1\n",
			"1 load 46/6 (1/1), 2 read 30/10 (1/1), draw 4/4"},
	} {
		s := afterUsual(t, names, func(int) string { return c.usual }, c.last)
		s.Pause()
		var now process.Snapshot
		s.View().Snapshot(&now, process.SnapshotOptions{Parts: true})
		var got []string
		for _, p := range now.Parts {
			text := fmt.Sprintf("%s %.4g/%.4g", s.Zone(p.Zone).Name, p.Time, p.Usual)
			switch {
			case p.Path == report.RestPath:
				text = fmt.Sprintf("rest %.4g/%.4g", p.Time, p.Usual)
			case p.Cause > 0:
				text = fmt.Sprintf("%d %s (%g/%g)", p.Cause, text, p.Count, p.Often)
			case p.Idle:
				text = "idle " + text
			}
			got = append(got, text)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}
