//go:build !iprof_off

package process_test

import (
	"math"
	"testing"

	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The parts of each slow frame have its length, and the first is the cause with its times.
func TestPartsAddUpToTheFrame(t *testing.T) {
	s := process.NewSession()
	r := replay.New(1, s)
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
