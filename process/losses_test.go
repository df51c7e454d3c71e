//go:build !iprof_off

package process_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestTheMachineIsBlamedAlone has a frame of 84 ms more, part of which the machine took away. The states come three
// frames later, as the system tells of them at the end of a tenth of a second. The clock counts milliseconds: sentences
// have no decimals.
func TestTheMachineIsBlamedAlone(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		took         platform.Ticks // ms
		want         string
	}{
		{"stolen", measure.ReasonStolen, 90, "Frame 55: +84 ms. The machine was taken away for about 90 ms."},
		{"throttled", measure.ReasonThrottled, 80, "Frame 55: +84 ms. The CPU quota of its container held it for " +
			"about 80 ms."},
		{"throttled, and away for as long", measure.ReasonThrottled, 80, "Frame 55: +84 ms. The CPU quota of its " +
			"container held it for about 80 ms."},
		{"throttled for most", measure.ReasonThrottled, 70,
			"Frame 55: +84 ms. The CPU quota of its container held it for about 70 ms; game 100 (usually 4), " +
				"perhaps with that time."},
		{"throttled for a part", measure.ReasonThrottled, 60,
			"Frame 55: +84 ms. The CPU quota of its container held it for about 60 ms; game 100 (usually 4), " +
				"perhaps with that time."},
		{"stolen, but too little to matter", measure.ReasonStolen, 20, "Frame 55: +84 ms. game 100 (usually 4)."},
		{"stopped", "no timer fired", 90,
			"Frame 55: +84 ms. game 100 (usually 4); the process was stopped for 90."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := process.NewSession()
			var begin platform.Ticks
			for i := range uint64(59) {
				f := workerFrame(i, 16, 12)
				f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = 4, 12
				if i == 55 {
					if strings.Contains(c.name, "away") {
						f.Away = gather.Away{Time: time.Duration(c.took) * time.Millisecond, Known: gather.AwayExact}
					}
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

// TestALossHidesNoZone has frames of 16 ms in three zones. In a late one they take more, and the machine was taken away
// somewhere in it. All times are in tenths of a millisecond.
func TestALossHidesNoZone(t *testing.T) {
	type ticks = platform.Ticks
	for name, c := range map[string]struct {
		more [3]ticks // of flood, sprites and sound
		took platform.Ticks
		want string
	}{
		"a zone has the rest": {[3]ticks{109, 50, 50}, 100,
			"+20.9 ms. flood 11.9 (usually 1.0); the machine was taken away for about 10 ms."},
		"it may be in either of two zones": {[3]ticks{95, 114, 0}, 100, "+20.9 ms. The machine was taken " +
			"away for about 10 ms; sprites 16.4 (usually 5.0), perhaps with that time; flood 10.5 (usually 1.0)."},
		"it is most of it":     {[3]ticks{0, 209, 0}, 200, "+20.9 ms. The machine was taken away for about 20 ms."},
		"it is more than that": {[3]ticks{0, 209, 0}, 300, "+20.9 ms. The machine was taken away for about 30 ms."},
		"a zone has more": {[3]ticks{600, 200, 200}, 400,
			"+100 ms. flood 61.0 (usually 1.0); the machine was taken away for about 40 ms."},
		"a zone has a part": {[3]ticks{400, 0, 600}, 450, "+100 ms. The machine was taken away for about 45 ms; " +
			"sound 70.0 (usually 10.0), perhaps with that time; flood 41.0 (usually 1.0)."},
		"no zone has the rest": {[3]ticks{333, 333, 334}, 500, "+100 ms. The machine was taken away for about " +
			"50 ms; the other 50.0 ms are not explained."},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			for i := range uint64(59) {
				f := &gather.Frame{Index: i, Begin: platform.Ticks(i) * 1600, TicksPerSecond: 1e4,
					Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "flood"}, {Name: "sprites"}, {Name: "sound"}}}
				self := [3]ticks{10, 50, 100}
				if i == 55 {
					f.States = []gather.LaneState{{Kind: gather.StateGone, Reason: measure.ReasonStolen, Begin: f.Begin,
						End: f.Begin + c.took}}
					for k := range self {
						self[k] += c.more[k]
					}
				}
				f.End = f.Begin + self[0] + self[1] + self[2]
				nodes := []gather.Node{{ID: 1, Parent: -1}}
				for k, took := range self {
					id, zone := gather.NodeID(k+2), gather.ZoneID(k+1)
					nodes = append(nodes, gather.Node{ID: id, Zone: zone, Count: 1, Self: took})
				}
				f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End,
					Nodes: nodes}}
				write(t, s, f)
			}
			var v report.Verdict
			s.VerdictOf(&v, 3)
			if got := v.String(); got != "Frame 55: "+c.want {
				t.Errorf("got  %q\nwant %q", got, "Frame 55: "+c.want)
			}
			sum := v.Rest
			for _, cause := range v.Causes {
				sum += cause.Excess
			}
			if sum > v.Excess*1.0001 {
				t.Errorf("causes and rest: got %v ms; want at most the excess, %v", sum, v.Excess)
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

// TestALossBesideNoCause has the excess in a zone below an idle one, for which no cause is found.
func TestALossBesideNoCause(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(59) {
		f := workerFrame(i, 16, 12)
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: 9, Zone: 3, Parent: 2, Count: 1, Depth: 2})
		if i == 55 {
			f.End += 80
			f.Lanes[0].End += 80
			f.Lanes[0].Nodes[3].Self = 80
			f.States = []gather.LaneState{{Kind: gather.StateGone, Reason: measure.ReasonStolen, Begin: f.Begin,
				End: f.Begin + 50}}
		}
		write(t, s, f)
	}
	var v report.Verdict
	s.VerdictOf(&v, 3)
	want := "Frame 55: +80 ms. The machine was taken away for about 50 ms; the other 30 ms are not explained."
	if got := v.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
