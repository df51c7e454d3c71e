//go:build !iprof_off

package process_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slowed returns the verdict on the last of so many frames. The zone path takes 8 ms instead of 2 from a frame on, with
// noise, and a hitch and a short dip now and then.
func slowed(t *testing.T, seed uint64, frames, since int, of report.Average) (*report.Verdict, []report.Part) {
	random := rand.New(rand.NewPCG(seed, 62))
	s := process.NewSession()
	s.SetHistory(4000, 4000)
	for i := range frames {
		ms := 2.0
		if i >= since {
			ms = 8
		}
		switch random.IntN(200) {
		case 0:
			ms += 20
		case 1:
			ms = 1
		}
		if before := frames - 1 - i; before == 0 {
			ms = 8
		} else if before > 30 && before < 42 && since < frames-100 {
			ms = 2 // for a short time
		}
		write(t, s, partFrame(i, ms*(0.95+0.1*random.Float64())))
	}
	s.Pause()
	s.View().SetFrame(0)
	s.View().SetAverage(of)
	var now process.Snapshot
	s.View().Snapshot(&now, process.SnapshotOptions{Parts: true})
	return &now.Report.Verdict, now.Parts
}

// Frames that became slower for good say since when, also long after the slower time has become the usual one.
func TestASlowDownSaysSinceWhen(t *testing.T) {
	for seed, c := range [][2]int{{160, 140}, {400, 300}, {900, 300}, {2500, 1203}, {3900, 40}, {160, 140},
		{2500, 1203}} {
		frames, since, average := c[0], c[1], report.AverageInstant
		if seed > 4 {
			average = report.AverageShort
		}
		v, parts := slowed(t, uint64(seed), frames, since, average)
		text, p := v.String(), v.Cause().Pattern
		t.Log(text)
		if p.Kind != report.PatternStep || max(p.Since, uint64(since))-min(p.Since, uint64(since)) > 1 {
			t.Errorf("slower from %d of %d: got %q", since, frames, text)
			continue
		}
		want := fmt.Sprintf(", since frame %d.", p.Since)
		if !strings.Contains(text, "path ") || !strings.Contains(text, " (usually ") || !strings.HasSuffix(text, want) {
			t.Errorf("slower from %d of %d: got %q; want path, its usual time, and %q", since, frames, text, want)
		}
		if usual := v.Cause().Usual; usual < 1.8 || usual > 2.3 {
			t.Errorf("slower from %d of %d: got usually %v; want 2, as before", since, frames, usual)
		} else if average != report.AverageInstant {
			continue // the parts of many frames are not drawn
		} else if drawn := parts[0]; drawn.Cause != 1 || drawn.Usual < 0.95*usual || drawn.Usual > 1.05*usual {
			t.Errorf("slower from %d of %d: got the part %+v; want usually %v", since, frames, drawn, usual)
		}
	}
}

// What was always slow, was slow in some frames, or grew, is no slow-down since a frame.
func TestNoSlowDownIsInvented(t *testing.T) {
	for name, of := range map[string]func(i int) float64{
		"always":    func(int) float64 { return 8 },
		"sometimes": func(i int) float64 { return sometimes(i, 0.4) },
		"a hitch":   func(i int) float64 { return 7 + 30*float64(i/899) },
		"three":     func(i int) float64 { return 7 + 4*float64(i/897) },
		"a dip": func(i int) float64 {
			if i/8 == 105 {
				return 3
			}
			return 8
		},
		"dips": func(i int) float64 {
			if i < 200 || i/16%3 == 0 {
				return 3
			}
			return 8
		},
		"noise":       func(i int) float64 { return 7 + 2*rand.New(rand.NewPCG(uint64(i), 9)).Float64() },
		"there, gone": func(i int) float64 { return 7 + 5*float64(i/400%2) - 0.5*float64(i/800) },
	} {
		s := process.NewSession()
		s.SetHistory(1000, 1000)
		var v report.Verdict
		for i := range 900 {
			write(t, s, partFrame(i, of(i)))
			if i < 840 {
				continue
			}
			s.VerdictOf(&v, 0)
			if got := v.String(); strings.Contains(got, ", since frame") {
				t.Errorf("%s: got %q", name, got)
				break
			}
		}
	}
}
