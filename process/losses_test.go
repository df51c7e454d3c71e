//go:build !iprof_off

package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestTheMachineIsBlamedAlone has a frame of 84 ms more, part of which the machine took away. The states come three
// frames later, as the system tells of them at the end of a tenth of a second.
func TestTheMachineIsBlamedAlone(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		took         platform.Ticks // ms
		want         string
	}{
		{"stolen", gather.ReasonStolen, 90, "Frame 55: +84.0 ms. The machine was taken away for about 90 ms."},
		{"throttled", gather.ReasonThrottled, 60,
			"Frame 55: +84.0 ms. The CPU quota of its container held it for about 60 ms."},
		{"stolen, but too little to matter", gather.ReasonStolen, 20, "Frame 55: +84.0 ms. game 100.0 (usually 4.0)."},
		{"stopped", "no timer fired", 90,
			"Frame 55: +84.0 ms. game 100.0 (usually 4.0); the process was stopped for 90.0."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := process.NewSession()
			var begin platform.Ticks
			for i := range uint64(59) {
				f := workerFrame(i, 16, 12)
				f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = 4, 12
				if i == 55 {
					begin = f.Begin
					f.End += 84
					f.Lanes[0].End += 84
					f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = 100, 0
				}
				if i == 58 {
					f.States = []gather.LaneState{{Kind: gather.StateGone, Reason: c.reason, Begin: begin,
						End: begin + c.took}}
				}
				write(t, s, f)
			}
			var v report.Verdict
			s.VerdictOf(&v, 3)
			if got := v.String(); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if v.Cause().Kind == report.CauseState && v.Cause().Path != 0 {
				t.Errorf("path: got %d; want that of no zone", v.Cause().Path)
			}
		})
	}
}

// TestALossIsOfTheLongestFrame has frames of 16 ms, one of them longer.
func TestALossIsOfTheLongestFrame(t *testing.T) {
	s := process.NewSession()
	if begin, end := process.LongestFrame(s, 5, 105); begin != 5 || end != 105 {
		t.Errorf("without a frame: got %d to %d; want all", begin, end)
	}
	var frames []*gather.Frame
	for i := range uint64(20) {
		f := workerFrame(i, 16, 12)
		if i == 17 {
			f.End += 30
		}
		frames = append(frames, f)
		write(t, s, f)
	}
	last := frames[19].End
	for _, c := range []struct {
		since, now, begin, end platform.Ticks
	}{
		{last - 200, last + 5, frames[17].Begin, frames[17].End},
		{last, last + 5, last, last + 5},
		{last - 200, last + 300, last, last + 300},
	} {
		if begin, end := process.LongestFrame(s, c.since, c.now); begin != c.begin || end != c.end {
			t.Errorf("%d to %d: got %d to %d; want %d to %d", c.since, c.now, begin, end, c.begin, c.end)
		}
	}
}
