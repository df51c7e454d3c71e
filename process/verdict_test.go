package process_test

import (
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/synth"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// names reports whether a verdict names the fault that was planted, first of all: its kind and its zone.
func names(v *report.Verdict, p synth.Planted) bool {
	c := v.Cause()
	switch p.Fault {
	case synth.Longer:
		return c.Kind == report.CauseLonger && c.Zone == p.Zone
	case synth.MoreCalls:
		return c.Kind == report.CauseMoreCalls && c.Zone == p.Zone
	case synth.NewPath:
		return c.Kind == report.CauseNewPath && c.Zone == p.Zone
	case synth.Collector:
		return c.Kind == report.CauseCollector
	case synth.Wait:
		return c.Kind == report.CauseWaiting && c.Zone == p.Zone
	case synth.Outside:
		return c.Kind == report.CauseOutside
	}
	return false
}

// verdictScore is how often verdicts were right.
type verdictScore struct {
	right, planted   [synth.Faults]int
	silent, ordinary int
}

// replay replays one program with so many planted frames among ordinary ones.
func (score *verdictScore) replay(t *testing.T, seed uint64, planted int) {
	s, p := process.NewSession(), synth.New(seed)
	p.Prepare()
	var v report.Verdict
	for i := range 64 + 24*planted {
		fault := synth.Fault(i / 24 % synth.Faults)
		var at synth.Planted
		bad := i >= 64 && i%24 == int(seed+uint64(i/24)*7)%24
		if bad {
			at = p.Plant(fault)
		}
		write(t, s, p.Frame())
		if i < 64 {
			continue
		}
		found := s.VerdictOf(&v, 0)
		if !bad {
			score.ordinary++
			if !found {
				score.silent++
			}
			continue
		}
		score.planted[fault]++
		if found && names(&v, at) {
			score.right[fault]++
		}
	}
}

func TestVerdictNamesWhatWasPlanted(t *testing.T) {
	var all verdictScore
	for seed := range longtest.Pick(10, 3) { // programs, each with 200 planted frames among 4,600 ordinary ones
		all.replay(t, uint64(seed), 200)
	}
	for fault := range synth.Fault(synth.Faults) {
		share := float64(all.right[fault]) / float64(all.planted[fault])
		t.Logf("%-10v %4d of %4d named, %.1f %%", fault, all.right[fault], all.planted[fault], 100*share)
		if share < 0.95 {
			t.Errorf("%v: named in %.1f %%; want at least 95 %%", fault, 100*share)
		}
	}
	silent := float64(all.silent) / float64(all.ordinary)
	t.Logf("%d of %d ordinary frames silent, %.2f %%", all.silent, all.ordinary, 100*silent)
	if silent < 0.99 {
		t.Errorf("silent in %.2f %% of ordinary frames; want at least 99 %%", 100*silent)
	}
}
