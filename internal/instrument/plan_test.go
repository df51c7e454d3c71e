package instrument_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// reasons returns what a plan says of each function.
func reasons(p *instrument.Plan) map[string]string {
	m := map[string]string{}
	for _, f := range p.Functions {
		m[f.Full()] = f.Reason
	}
	return m
}

func TestSelectionsChooseFunctions(t *testing.T) {
	longtest.Skip(t)
	dir := copied(t, "corpus")
	const inlined = "the compiler inlines it"
	for _, test := range []struct {
		name      string
		selection instrument.Selection
		want      map[string]string
	}{
		{"by default", instrument.Selection{}, map[string]string{
			"corpus/goto.main": "", "corpus/goto.jump": "", "corpus/exit.work": "",
			"corpus/panics.named": "has 5 statements, fewer than 8",
			"corpus/embed.small":  "has //go:nosplit", "corpus/embed.skipped": "has //iprof:skip",
			"corpus/embed.demanded": "",
			"corpus/cgo.goTwice":    "exported to C",
			"corpus/leaves.leaf":    "has no loops, and calls nothing or what the compiler inlines",
			"corpus/leaves.branch":  "",
		}},
		{"all", instrument.Selection{All: true}, map[string]string{
			"corpus/goto.none": "", "corpus/generics.(*list).sum": "", "corpus/embed.small": "has //go:nosplit",
			"corpus/embed.skipped": "has //iprof:skip",
		}},
		{"fewer statements", instrument.Selection{Min: 3}, map[string]string{
			"corpus/panics.named": "", "corpus/goto.none": inlined,
		}},
		{"with a slow clock", instrument.Selection{SlowClock: true}, map[string]string{
			"corpus/goto.main": "", "corpus/panics.named": "has 5 statements, fewer than 16",
			"corpus/embed.demanded": "", "corpus/leaves.branch": "has 8 statements, fewer than 16",
		}},
		{"with a slow clock and -min", instrument.Selection{SlowClock: true, Min: 3}, map[string]string{
			"corpus/panics.named": "", "corpus/leaves.branch": "",
		}},
		{"by name", instrument.Selection{Include: regexp.MustCompile(`list`),
			Exclude: regexp.MustCompile(`jump|\.main$`)}, map[string]string{
			"corpus/generics.(*list).sum": "", "corpus/goto.jump": "matches -exclude",
			"corpus/goto.main": "matches -exclude",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := reasons(planned(t, dir, instrument.Options{Selection: test.selection}))
			for name, want := range test.want {
				if reason, there := got[name]; !there || reason != want {
					t.Errorf("%s: %q (there: %t); want %q", name, reason, there, want)
				}
			}
		})
	}
}

// TestSelectionInTheWorkingDirectory: the compiler's paths are relative to it. The command gives no folder.
func TestSelectionInTheWorkingDirectory(t *testing.T) {
	dir := copied(t, "corpus")
	want := reasons(planned(t, dir, instrument.Options{}))
	t.Chdir(dir)
	if got := reasons(planned(t, "", instrument.Options{})); !maps.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// TestSelectionOfFiles: a package that is named by its files has the zones of one that is named by its folder.
func TestSelectionOfFiles(t *testing.T) {
	dir := filepath.Join(copied(t, "corpus"), "leaves")
	chosen := func(name string) map[string]string {
		o := instrument.Options{Dir: dir, Packages: []string{name}, Cache: t.TempDir()}
		plan := must.Get(o.Plan())(t)
		m := map[string]string{}
		for _, f := range plan.Functions {
			m[f.Name] = f.Reason
		}
		return m
	}
	want := chosen(".")
	if got := chosen("main.go"); !maps.Equal(got, want) || !strings.Contains(want["leaf"], "inlines") {
		t.Errorf("by its file: got %q; want %q, and a leaf", got, want)
	}
}

// TestTheDefaultSelection has the borders of the default, in the quick run, too. Short functions are counted: the
// command offers -min for them.
func TestTheDefaultSelection(t *testing.T) {
	plan := planned(t, copied(t, "corpus"), instrument.Options{})
	got := reasons(plan)
	for name, want := range map[string]string{
		"corpus/leaves.branch": "", // has 8 statements
		"corpus/panics.named":  "has 5 statements, fewer than 8",
		"corpus/embed.small":   "has //go:nosplit", "corpus/embed.skipped": "has //iprof:skip",
		"corpus/cgo.goTwice": "exported to C",
	} {
		if reason, there := got[name]; !there || reason != want {
			t.Errorf("%s: got %q (there: %t); want %q", name, reason, there, want)
		}
	}
	short := 0
	for _, f := range plan.Functions {
		if strings.HasSuffix(f.Reason, "fewer than 8") {
			short++
		}
	}
	if short == 0 || plan.Short != short {
		t.Errorf("got %d short functions; want %d, more than 0", plan.Short, short)
	}
}

func TestFramesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	dir := copied(t, "frames")
	plan := planned(t, dir, instrument.Options{})
	if len(plan.Frames) != 2 {
		t.Errorf("frames end at %q; want two places", plan.Frames)
	}
	to := built(t, dir, plan)
	for program, frames := range map[string]int{"window": 7, "game": 5} {
		t.Run(program, func(t *testing.T) {
			report := reported(t, filepath.Join(to, program))
			if !strings.Contains(report, fmt.Sprintf("\n%d frames: median ", frames)) {
				t.Errorf("the lengths of %d frames are missing:\n%s", frames, report)
			}
		})
	}
	if report := reported(t, filepath.Join(to, "window")); !strings.Contains(report, "wait for events") {
		t.Errorf("waiting has no zone:\n%s", report)
	}
}

func TestFramesByName(t *testing.T) {
	dir := copied(t, "frames")
	for _, name := range []string{"frames/window.step", "window.step", "step"} {
		plan := planned(t, dir, instrument.Options{Frames: instrument.Frames{Functions: []string{name}}})
		if want := "when frames/window.step returns"; len(plan.Frames) != 1 || plan.Frames[0] != want {
			t.Errorf("%s: frames end %q; want %q alone", name, plan.Frames, want)
		}
	}
	if plan := planned(t, dir, instrument.Options{Frames: instrument.Frames{Every: time.Second}}); len(
		plan.Frames) != 0 {
		t.Errorf("frames end %q; want none in the program's functions", plan.Frames)
	}
}

// TestErrorsNameTheNextStep: each error says what to do.
func TestErrorsNameTheNextStep(t *testing.T) {
	for _, test := range []struct {
		name    string
		options instrument.Options
		want    string
	}{
		{"no such frame", instrument.Options{Frames: instrument.Frames{Functions: []string{"x.Y"}}},
			"iprof run -n lists their names"},
		{"no such dependency", instrument.Options{Deps: []string{"golang.org/x/net"}}, "go list -m all"},
		{"standard library", instrument.Options{Packages: []string{"fmt"}}, "name a package of yours"},
		{"no such package", instrument.Options{Packages: []string{"./nowhere"}}, "nowhere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := test.options
			o.Dir, o.Cache = copied(t, "frames"), t.TempDir()
			if o.Packages == nil {
				o.Packages = []string{"./..."}
			}
			if _, err := o.Plan(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v; want an error with %q", err, test.want)
			}
		})
	}
}

// TestWhatWasMutedIsLeftOut: the file that a program writes at its end is read by the next plan.
func TestWhatWasMutedIsLeftOut(t *testing.T) {
	dir, cache := copied(t, "corpus"), t.TempDir()
	plan := func(relearn bool) *instrument.Plan {
		o := instrument.Options{Dir: dir, Packages: []string{"./exit", "./goto"}, Cache: cache, Relearn: relearn}
		p := must.Get(o.Plan())(t)
		return p
	}
	first := plan(false)
	line := filepath.Join(dir, "exit", "main.go") + "\twork\n"
	must.Do(t, os.WriteFile(first.Learned, []byte(line), 0o600))
	second, third := plan(false), plan(true)
	if first.Muted != 0 || second.Muted != 1 || third.Muted != 0 {
		t.Errorf("left out: %d, then %d, then %d; want 0, 1, 0", first.Muted, second.Muted, third.Muted)
	}
	if reason := reasons(second)["corpus/exit.work"]; !strings.Contains(reason, "measuring took too much") {
		t.Errorf("the reason is %q", reason)
	}
}
