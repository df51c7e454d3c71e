package viewer_test

import (
	"slices"
	"strings"
	"testing"

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
