package viewer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// traced is a tracer with numbers of its own.
type traced struct{ on bool }

func (w *traced) Tracing() report.Tracing {
	return report.Tracing{On: w.on, Measured: true, Events: 78000, PerEvent: 190, Reading: 0.004}
}

func (w *traced) SetTracing(on bool) error {
	w.on = on
	return nil
}

// The cost of the execution trace is beside its switch, and in sight while it is on.
func TestTheFooterSaysWhatTheTraceCosts(t *testing.T) {
	s := blocked(t)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused, o.Timeline = viewer.PanelFull, true, viewer.TimelineShown })
	if p.Run("trace"); !slices.ContainsFunc(wordsOf(p, 1100, 700), func(w string) bool {
		return strings.Contains(w, "exectrace.Offer")
	}) {
		t.Errorf("got %q; want how to have a trace", wordsOf(p, 1100, 700))
	}
	w := &traced{}
	s.SetSources(func(c *process.Sources) { c.Tracer = w })
	if p.Run("trace"); !w.on {
		t.Fatal("the command did not start it")
	}
	if words := wordsOf(p, 1100, 700); !slices.Contains(words, "trace 1.9 %") {
		t.Errorf("got %q; want what it costs", words)
	}
	for x := float32(600); x < 1100; x += 10 {
		p.SetHover(x, 684)
		settled(t, p, 1100, 700, 1)
		if title, words := viewer.Tip(p); title == "execution trace" {
			if !strings.Contains(words, "78000 events a second, 190 ns each; reading them 0.4 %") {
				t.Errorf("got %q; want the parts", words)
			}
			if p.Run(p.HitAt(x, 684).Name); w.on {
				t.Error("a click did not stop it")
			}
			return
		}
	}
	t.Error("found no tip")
}

// The footer has the keys that have an effect, the most important first, at most ten, and the help as the last.
func TestTheFooterHasTheKeysOfHereAndNow(t *testing.T) {
	s, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Focused = true })
	p.SetKeys(usualKeys())
	footer := func(width float32) string {
		var words []string
		for _, w := range settled(t, p, width, 720, 1).AppendWords(nil) {
			if w.Baseline > 720-30 && !strings.HasPrefix(w.Text, "profiler overhead") {
				words = append(words, w.Text)
			}
		}
		return strings.Join(words, " ")
	}
	live := footer(1280)
	p.Run("slowest")
	paused := footer(1280)
	p.Run("timeline")
	timeline := footer(1280)
	p.Run("why")
	for _, c := range []struct{ name, got, want string }{
		{"live", live, "D why is it slow M slowest frame W timeline ← → frame Space pause Enter open zone " +
			"Z card Tab menu [ ] over budget ? help"},
		{"a slow frame", paused, "D why is it slow M slowest frame W timeline ← → frame Space go on Enter open zone " +
			"Z card Tab menu [ ] over budget ? help"},
		{"its timeline", timeline, "D why is it slow M slowest frame W call structure ← → frame Space go on " +
			"Enter open zone Z card Tab menu [ ] over budget ? help"},
		{"its verdict", footer(1280), "D back W call structure ← → frame Space go on Enter open zone Z card Tab menu " +
			"[ ] over budget / Ctrl+F find ? help"},
		{"a narrow window", footer(560), "D back W call structure ← → frame ? help"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q; want %q", c.name, c.got, c.want)
		}
	}
	s.SetFrameBudget(time.Hour)
	if got := footer(1280); strings.Contains(got, "budget") {
		t.Errorf("no frame over budget: got %q; want no key for one", got)
	}
}
