package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// names reports whether a verdict names the fault that was planted, first of all: its kind and its zone.
func names(v *report.Verdict, p world.Planted) bool {
	c := v.Cause()
	switch p.Fault {
	case world.Longer:
		return c.Kind == report.CauseLonger && c.Zone == p.Zone
	case world.MoreCalls:
		return c.Kind == report.CauseMoreCalls && c.Zone == p.Zone
	case world.NewPath:
		return c.Kind == report.CauseNewPath && c.Zone == p.Zone
	case world.Collector:
		return c.Kind == report.CauseCollector
	case world.Wait:
		return c.Kind == report.CauseWaiting && c.Zone == p.Zone
	case world.Outside:
		return c.Kind == report.CauseOutside
	}
	return false
}

// verdictScore is how often verdicts were right.
type verdictScore struct {
	right, planted   [world.Faults]int
	silent, ordinary int
}

// replay replays one program with so many planted frames among ordinary ones.
func (score *verdictScore) replay(t *testing.T, seed uint64, planted int) {
	s, p := process.NewSession(), world.NewRandom(seed)
	p.Prepare()
	var v report.Verdict
	for i := range 64 + 24*planted {
		fault := world.Fault(i / 24 % world.Faults)
		var at world.Planted
		bad := i >= 64 && i%24 == int(seed+uint64(i/24)*7)%24
		if bad {
			at = p.Plant(fault)
		}
		write(t, s, p.Frame())
		if i < 64 {
			continue
		}
		found := s.VerdictOf(&v, 0)
		score.blameless(t, s, &v)
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

// blameless checks that the verdict on a late frame has no wait that the program chose.
func (score *verdictScore) blameless(t *testing.T, s *process.Session, v *report.Verdict) {
	for i := range v.Causes {
		if z := s.Zone(v.Causes[i].Zone); v.Over && v.Causes[i].Path > 0 && z.Idle && !z.Blocked {
			t.Errorf("got %q; want no wait as a cause of a late frame", v)
		}
	}
}

func TestVerdictNamesWhatWasPlanted(t *testing.T) {
	var all verdictScore
	for seed := range longtest.Pick(10, 3) { // programs, each with 200 planted frames among 4,600 ordinary ones
		all.replay(t, uint64(seed), 200)
	}
	for fault := range world.Fault(world.Faults) {
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

func TestVerdictWords(t *testing.T) {
	sprites := report.Cause{Kind: report.CauseLonger, Zone: 3, Path: 4, Name: "sprites",
		Callers: []string{"render", "frame"}, Time: 121.7, Usual: 3.5}
	with := func(c report.Cause, change func(*report.Cause)) report.Cause { change(&c); return c }
	vsync := report.Cause{Kind: report.CauseWaiting, Zone: 5, Path: 6, Name: "vsync", Time: 12.25, Usual: 0.08}
	collector := with(sprites, func(c *report.Cause) { c.Kind, c.Time, c.Usual = report.CauseCollector, 40, 0 })
	spread := with(sprites, func(c *report.Cause) { c.Kind, c.Path, c.Callers = report.CauseSpread, 0, nil })
	largest := with(sprites, func(c *report.Cause) { c.Kind, c.Self = report.CauseLargest, true })
	for want, v := range map[string]report.Verdict{
		"Frame 7: +105 ms. sprites 121.7 (usually 3.5), called by render.": {Causes: []report.Cause{sprites}},
		"Frame 7: +105 ms. sprites 121.7 (usually 3.5), called by render; waiting in vsync 12.2 (usually 0.080).": {
			Causes: []report.Cause{sprites, vsync}},
		"Frame 7: +105 ms. Waiting in vsync 12.2 (usually 0.080).": {Causes: []report.Cause{vsync}},
		"Frame 7: +105 ms. sprites 121.7 (usually 3.5), called by render; 40.0 ms of it garbage collection.": {
			Causes: []report.Cause{sprites, collector}},
		"Frame 7: +105 ms. The garbage collector stopped it for 40.0 (usually not), in sprites.": {
			Causes: []report.Cause{collector}},
		"Frame 7: +105 ms. sprites 121.7 (usually 3.5), called 1000 times instead of 7.5 by render.": {
			Causes: []report.Cause{with(sprites, func(c *report.Cause) {
				c.Kind, c.Count, c.Often = report.CauseMoreCalls, 1000, 7.5
			})}},
		"Frame 7: +105 ms. sprites 121.7 (usually not called), called by render.": {
			Causes: []report.Cause{with(sprites, func(c *report.Cause) { c.Kind = report.CauseNewPath })}},
		"Frame 7: +105 ms. sprites itself 121.7 (usually 3.5), called by render.": {
			Causes: []report.Cause{with(sprites, func(c *report.Cause) { c.Self = true })}},
		"Frame 7: +105 ms. Time outside all zones 121.7 (usually 3.5).": {
			Causes: []report.Cause{with(spread, func(c *report.Cause) { c.Kind = report.CauseOutside })}},
		"Frame 7: +105 ms. Spread over many zones, most of it in sprites 121.7 (usually 3.5), called by render.": {
			Causes: []report.Cause{spread, with(sprites, func(c *report.Cause) { c.Excess = 100 })}},
		"Frame 7: +105 ms. Spread over many zones, the largest part in sprites 121.7 (usually 3.5), " +
			"called by render.": {
			Causes: []report.Cause{spread, with(sprites, func(c *report.Cause) { c.Excess = 50 })}},
		"Frame 7: 250.0 ms, as usual, over the budget of 16.7. The largest part: sprites 121.7, called by render.": {
			Over: true, Time: 250, Usual: 30, Budget: 1000. / 60, Causes: []report.Cause{largest}},
		"Frame 7: 250.0 ms, as usual, over the budget of 16.7. Spread over many zones, the largest part in sprites " +
			"121.7, called by render.": {
			Over: true, Time: 250, Usual: 30, Budget: 1000. / 60, Causes: []report.Cause{spread, largest}},
		"Frame 7: +105 ms of work, still on time. sprites 121.7 (usually 3.5), called by render.": {
			Working: true, Causes: []report.Cause{sprites}},
		"Frame 7: 31.0 ms, as usual, over the budget of 16.7. Most of it: sprites 121.7, called by render.": {
			Over: true, Time: 31, Usual: 30, Budget: 1000. / 60, Causes: []report.Cause{largest}},
		"9 of the last 60 frames over budget: +105 ms each. sprites 121.7 (usually 3.5), called by render.": {
			Frames: 9, Among: 60, Causes: []report.Cause{sprites}},
		"": {},
	} {
		v.Index, v.Excess = 7, 105
		v.Frames = max(v.Frames, 1)
		if got := v.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		got := string(v.AppendText(nil, strings.ToUpper))
		if strings.Contains(got, "sprites") || strings.Contains(got, "render") {
			t.Errorf("got %q; want every name given to the function", got)
		}
	}
}

// Frames of minutes, which files of other tools have, are told in seconds and minutes.
func TestVerdictWordsOfLongFrames(t *testing.T) {
	build := report.Cause{Kind: report.CauseLonger, Zone: 3, Path: 4, Name: "build", Time: 630_000, Usual: 12_345}
	v := report.Verdict{Index: 7, Frames: 1, Excess: 600_000, Rest: 61_000, Causes: []report.Cause{build}}
	want := "Frame 7: +10.0 min. build 10.5 min (usually 12.3 s); the other 61.0 s are not explained."
	if got := v.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	largest := build
	largest.Kind = report.CauseLargest
	v = report.Verdict{Index: 7, Frames: 1, Over: true, Time: 7.2e7, Budget: 16, Causes: []report.Cause{largest}}
	want = "Frame 7: 20.0 h, over the budget of 16.0 ms. Most of it: build 10.5 min, spread over what it calls."
	if got := v.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	slow := report.SlowCall{Name: "build", Time: 25_000, Usual: 2.5}
	want = "build: 25.0 s, usually 2.5 ms; of it 25.0 s in the zone itself"
	if got := string(slow.AppendText(nil, nil)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A part of a long time has its own unit.
func TestPartOfATime(t *testing.T) {
	for want, v := range map[string][2]float64{"38.5 of 113.6 ms": {38.5, 113.6}, "500.0 ms of 12.3 s": {500, 12_345},
		"10.5 min of 20.0 h": {630_000, 7.2e7}} {
		if got := report.PartOf(v[0], v[1], 0); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}

// verdictAfter returns the causes of a frame that comes after 60 usual ones: "kind zone" of each, the first first.
func verdictAfter(t *testing.T, usual, slow string, names ...string) (causes []string) {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	for i := range uint64(60) {
		write(t, s, tree(i, names, usual))
	}
	write(t, s, tree(60, names, slow))
	var v report.Verdict
	s.VerdictOf(&v, 0)
	for i := range v.Causes {
		causes = append(causes, fmt.Sprint(v.Causes[i].Kind, " ", v.Causes[i].Name))
	}
	return causes
}

// A path with half as many calls more is slow because of the calls, and one with less than that took longer.
func TestMoreCallsAreTheCauseFromHalfMoreOn(t *testing.T) {
	const usual = "load 16 8\ndraw 4 1\n"
	for calls, want := range map[int]report.CauseKind{8: report.CauseLonger, 11: report.CauseLonger,
		12: report.CauseMoreCalls, 13: report.CauseMoreCalls, 16: report.CauseMoreCalls} {
		slow := fmt.Sprintf("load 32 %d\ndraw 4 1\n", calls)
		if calls > 8 && calls < 16 { // the calls explain two thirds of the excess
			slow = fmt.Sprintf("load %d %d\ndraw 4 1\n", 16+3*(calls-8), calls)
		}
		got := verdictAfter(t, usual, slow, "load", "draw")
		if len(got) != 1 || got[0] != fmt.Sprint(want, " load") {
			t.Errorf("%d calls where 8 are usual: got %q; want %v", calls, got, want)
		}
	}
	got := verdictAfter(t, "load 2 1\ndraw 4 1\n", "load 16 8\ndraw 4 1\n", "load", "draw")
	if want := fmt.Sprint(report.CauseMoreCalls, " load"); len(got) != 1 || got[0] != want {
		t.Errorf("8 calls where one is usual: got %q; want %q", got, want)
	}
}

// The callers of a cause are no causes of what is left, also if they were called more often. What is left is in another
// callee.
func TestTheSecondCauseIsNotAboveTheFirst(t *testing.T) {
	const usual = "step 1 1\n  move 3 1\n  hit 2 1\nrest 4 1\n"
	const slow = "step 1 2\n  move 23 1\n  hit 10 1\nrest 4 1\n"
	got := verdictAfter(t, usual, slow, "step", "move", "hit", "rest")
	want := []string{fmt.Sprint(report.CauseLonger, " move"), fmt.Sprint(report.CauseLonger, " hit")}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// The largest part of an excess that is spread over callees is named on its way down, and as a wait if it is one.
func TestTheLargestPartOfASpreadExcess(t *testing.T) {
	for _, c := range []struct{ usual, slow, want string }{
		{"a 4 1\nb 4 1\nc 4 1\nvsync 20 1\n", "a 5.3 1\nb 5.3 1\nc 5.3 1\nvsync 22 1\n",
			fmt.Sprint(report.CauseWaiting, " vsync")},
		{"a 5 1\nb 5 1\nc 5 1\nvsync 20 1\n", "a 8 1\nb 8.1 1\nc 8 1\nvsync 24 1\n",
			fmt.Sprint(report.CauseLonger, " b")},
		{"a 5 1\nb 5 1\nc 5 1\nvsync 20 1\n", "a 8 1\nb 8.5 1\nc 8 1\nvsync 20.5 1\n",
			fmt.Sprint(report.CauseLonger, " b")},
		{"a 5 1\nb 5 1\nc 1 1\n  d 1 1\n    e 5 1\n", "a 9 1\nb 9 1\nc 1 1\n  d 1 1\n    e 9.5 1\n",
			fmt.Sprint(report.CauseLonger, " e")},
		{"a 5 1\nb 5 1\nc 5 1\n  d 5 1\n", "a 9 1\nb 9 1\nc 8.5 1\n  d 6 1\n", fmt.Sprint(report.CauseLonger, " c")},
	} {
		got := verdictAfter(t, c.usual, c.slow, "a", "b", "c", "d", "e", "vsync*")
		if want := []string{fmt.Sprint(report.CauseSpread, " (root)"), c.want}; !slices.Equal(got, want) {
			t.Errorf("%q: got %q; want %q", c.slow, got, want)
		}
	}
}

// A wait that the program chose did not make a frame late, however long it was, nor did the profiler.
func TestNeitherAChosenWaitNorTheProfilerIsTheCause(t *testing.T) {
	for _, c := range []struct{ usual, slow, want string }{
		{"work 8 1\nvsync 8 1\n", "work 20 1\nvsync 30 1\n", "Frame 60: +12.0 ms of work. work 20.0 (usually 8.0)."},
		{"work 8 1\nvsync 8 1\n", "work 20 1\nvsync 12 1\n", "Frame 60: +12.0 ms of work. work 20.0 (usually 8.0)."},
		{"work 20 1\nvsync 1 1\n", "work 20 1\nvsync 40 1\n",
			"Frame 60: 20.0 ms, as usual, over the budget of 16.7. Most of it: work 20.0."},
		{"work 8 1\nown 1 1\n", "work 8 1\nown 40 1\n", ""},
		{"work 8 1\nown 1 1\n", "work 20 1\nown 40 1\n", "Frame 60: +12.0 ms. work 20.0 (usually 8.0)."},
		{"work 20 1\nown 1 1\n", "work 20 1\nown 40 1\n",
			"Frame 60: 21.0 ms, as usual, over the budget of 16.7. Most of it: work 20.0."},
	} {
		names := []string{"work", "vsync*", "own"}
		s := process.NewSession()
		for i := range uint64(61) {
			text := c.usual
			if i == 60 {
				text = c.slow
			}
			f := tree(i, names, text)
			f.Zones[3].Name = "iprof update"
			write(t, s, f)
		}
		var v report.Verdict
		if s.VerdictOf(&v, 0); v.String() != c.want {
			t.Errorf("%q: got  %q\nwant %q", c.slow, &v, c.want)
		}
	}
}
