//go:build !iprof_off

package viewer_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/golden"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

func TestTheHelpIsOfTasksAndSearched(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	listsKeys(p)
	golden.Picture(t, "help-keys.png", paint(t, p, 1600, 900, 1))
	words := wordsOf(p, 1600, 900)
	first, tasks := slices.Index(words, "the keys that matter first"), slices.Index(words, "find the zone")
	if why := slices.Index(words, "draw why it is slow; Space: next cause; Esc: back"); first < 0 || why < first ||
		tasks < why {
		t.Errorf("got %q; want the first keys, then those of tasks", words)
	}
	for _, r := range "Zoom?" {
		viewer.Type(p, r)
	}
	words = wordsOf(p, 1600, 900)
	for _, want := range []struct {
		words string
		there bool
	}{{"Zoom", true}, {"zoom calls or timeline, fit them", true}, {"find zones by name", false},
		{"find the zone", false}} {
		if slices.Contains(words, want.words) != want.there {
			t.Errorf("%q: got %q; want it there: %v", want.words, words, want.there)
		}
	}
	for range "Zoom" {
		viewer.Erase(p)
	}
	if !slices.Contains(wordsOf(p, 1600, 900), "find the zone") || !p.State().Help || !p.State().Typing {
		t.Error("without words: got the keys that were found; want all")
	}
	if p.Run("help"); p.State().Help {
		t.Error("after the last page: got the help; want it closed")
	}
}

func TestTheLegendNamesTheSignsOnTheScreen(t *testing.T) {
	p := onTimeline(collected(t).View(), viewer.TimelineHidden, 1280, 800, 1)
	p.Run("help")
	words := wordsOf(p, 1280, 800)
	for _, want := range []string{"the history", "the garbage collector worked", "the frame shown", "the table"} {
		if !slices.Contains(words, want) {
			t.Errorf("got %q; want %q", words, want)
		}
	}
	for _, not := range []string{"over budget", "a mark of the program", "the timeline", "memory"} {
		if slices.Contains(words, not) {
			t.Errorf("got %q, which is not on the screen", not)
		}
	}
	p.Run("collector") // no bands
	if slices.Contains(wordsOf(p, 1280, 800), "the garbage collector worked") {
		t.Error("got the sign of the collector, which is hidden")
	}
}

func TestTheLegendOfATimeline(t *testing.T) {
	p := onTimeline(blocked(t).View(), viewer.TimelineShown, 1280, 800, 1)
	p.Run("help")
	golden.Picture(t, "legend-timeline.png", paint(t, p, 1280, 800, 1))
	words := strings.Join(wordsOf(p, 1280, 800), "\n")
	for _, want := range []string{"the goroutine ran", "it had no processor", "it was in a system call", "it waited",
		"the garbage collector marked", "all goroutines were stopped"} {
		if !strings.Contains(words, want) {
			t.Errorf("got %s; want %q", words, want)
		}
	}
}

func TestATipEndsWhenTheUserActs(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	tab := func(h viewer.Hit) bool { return h.Kind == hit.Tab }
	for name, act := range map[string]func(){
		"click": func() { viewer.EndTip(p) }, "key": func() { p.Run("precision") },
	} {
		if title, _ := restAt(t, p, tab); title == "" {
			t.Fatal("got no tip where the mouse rests")
		}
		act()
		settled(t, p, 1280, 720, 1)
		if title, _ := viewer.Tip(p); title != "" {
			t.Errorf("%s: got the tip %q; want none", name, title)
		}
		p.SetHover(1, 1)
	}
}
