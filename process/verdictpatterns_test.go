package process_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// partFrame is a frame of 10 ms of work and so many ms in the zone "path", with some noise.
func partFrame(index int, ms float64) *gather.Frame {
	noise := 1 + 0.05*rand.New(rand.NewPCG(uint64(index), 3)).Float64()
	f := workFrame(index, (10+ms)*noise)
	part := platform.Ticks(ms * noise * 1000)
	f.Zones = append(f.Zones, gather.ZoneInfo{Name: "path"})
	f.Lanes[0].Nodes[1].Self -= part
	f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: 2, Zone: 2, Count: 1, Self: part})
	return f
}

// sometimes returns 8 ms in a share of the frames, else 2 ms.
func sometimes(i int, share float64) float64 {
	if rand.New(rand.NewPCG(uint64(i), 1)).Float64() < share {
		return 8
	}
	return 2
}

// patterns are the times of a zone by frame, and what the last verdict on a late frame says.
var patterns = map[string]struct {
	frames      int
	of          func(i int) float64
	want, never string
}{
	"period": {360, func(i int) float64 {
		if i%60 == 59 {
			return 9
		}
		return 1
	}, ", every 60 frames.", ""},
	"short period": {205, func(i int) float64 {
		if i%17 == 0 {
			return 9
		}
		return 1
	}, ", every 17 frames.", ""},
	"no period": {251, func(i int) float64 {
		if i == 250 || i == 130 || i == 30 || i == 177 {
			return 9
		}
		return 1
	}, "path 9.", "every"},
	"rising": {220, func(i int) float64 { return 2.1 + max(float64(i-130), 0)*0.09 }, "rising since frame 1",
		"every"},
	"new":   {220, func(i int) float64 { return 9 * float64(i/219) }, "path 9.", "rising"},
	"turns": {400, func(i int) float64 { return 2 + 6*float64(i%2) }, "as usual, over the budget", "every"},
	"turns as well": {400, func(i int) float64 {
		if i == 399 {
			return 8
		}
		return sometimes(i, 0.3)
	}, "(alternates between 2.0 and 8.", "usually"},
	"more often": {260, func(i int) float64 {
		if i >= 200 {
			return sometimes(i, 0.8)
		}
		return sometimes(i, 0.2)
	}, ", more often 8.", "as usual"},
	"spread evenly": {260, func(i int) float64 {
		if i == 259 {
			return 7.6
		}
		return 2 + 6*math.Mod(float64(i)*0.618, 1)
	}, "path 7.", "alternates"},
	"step": {204, func(i int) float64 { return 2 + 6*float64(i/200) }, "(usually 2.", "alternates"},
}

// Verdicts say when else a zone took long.
func TestVerdictSaysThePattern(t *testing.T) {
	for name, c := range patterns {
		s, v, got := process.NewSession(), report.Verdict{}, ""
		s.SetHistory(1000, 1000)
		for i := range c.frames {
			write(t, s, partFrame(i, c.of(i)))
			if s.VerdictOf(&v, 0); v.Over {
				got = v.String()
			}
		}
		if name == "rising" && !strings.Contains(got, "since frame 12") && !strings.Contains(got, "since frame 13") {
			t.Errorf("got %q; want it to rise since frame 130, or so", got)
		}
		if !strings.Contains(got, c.want) || c.never != "" && strings.Contains(got, c.never) {
			t.Errorf("%s: got %q; want %q in it, and not %q", name, got, c.want, c.never)
		}
	}
}

// A zone that has always had one of two times is to blame for no frame, although the higher one crosses the budget.
func TestNoFalseAlarmOnZonesThatAlternate(t *testing.T) {
	for _, share := range []float64{0.15, 0.3, 0.5} {
		s := process.NewSession()
		v := report.Verdict{}
		over := 0
		alarms := 0
		random := rand.New(rand.NewPCG(7, uint64(share*100)))
		for i := range 1200 {
			ms := 2.0
			if random.Float64() < share {
				ms = 8
			}
			write(t, s, partFrame(i, ms))
			if i < 200 {
				continue
			}
			if found := s.VerdictOf(&v, 0); v.Over {
				over++
				if found && !v.AsUsual() {
					alarms++
					t.Log(v.String())
				}
			}
		}
		if over < 100 || alarms > 0 {
			t.Errorf("%v of the frames at 8 ms: got %d false alarms in %d late frames of 1,000; want none",
				share, alarms, over)
		}
	}
}

// rangePatterns are the times of a zone by frame, a range of them, and what its verdict says.
var rangePatterns = map[string]struct {
	frames, from, to int
	of               func(i int) float64
	want, never      string
}{
	"period": {360, 120, 355, func(i int) float64 { return 1 + 8*float64(i%60/59) },
		"3 of 236 frames over budget: +7.", "rising"},
	"the period":   {360, 120, 355, func(i int) float64 { return 1 + 8*float64(i%60/59) }, ", every 60 frames.", ""},
	"short period": {200, 60, 190, func(i int) float64 { return 1 + 8*float64(i%17/16) }, ", every 17 frames.", ""},
	"no period": {300, 40, 290, func(i int) float64 {
		if i == 250 || i == 130 || i == 77 {
			return 9
		}
		return 1
	}, "3 of 251 frames over budget", "every"},
	"rising": {220, 150, 215, func(i int) float64 { return 2.1 + max(float64(i-130), 0)*0.09 }, "rising since frame 1",
		"every"},
	"turns": {400, 300, 399, func(i int) float64 { return 4 + 6*float64(i%2) }, "(alternates between 4.", "rising"},
}

// The verdict on a chosen range says the pattern of its times. If the range is as usual in the mean, its late frames
// are explained.
func TestVerdictOnARangeSaysThePattern(t *testing.T) {
	for name, c := range rangePatterns {
		t.Run(name, func(t *testing.T) {
			s, v := process.NewSession(), report.Verdict{}
			s.SetHistory(1000, 1000)
			for i := range c.frames {
				write(t, s, partFrame(i, c.of(i)))
			}
			s.View().SetLens(report.Lens{Kind: report.LensRange, From: uint64(c.from), To: uint64(c.to)})
			s.View().Verdict(&v)
			if got := v.String(); !strings.Contains(got, c.want) || c.never != "" && strings.Contains(got, c.never) {
				t.Errorf("got %q; want %q in it, and not %q", got, c.want, c.never)
			}
		})
	}
}
