package instrument_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
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
			"corpus/leaves.leaf":    "has no loops, and all its calls are inlined",
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

// The compiler's paths are relative to it. The command gives no folder.
func TestSelectionInTheWorkingDirectory(t *testing.T) {
	dir := copied(t, "corpus")
	want := reasons(planned(t, dir, instrument.Options{}))
	t.Chdir(dir)
	if got := reasons(planned(t, "", instrument.Options{})); !maps.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// A package that is named by its files has the zones of one that is named by its folder.
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
	if got := chosen("main.go"); !maps.Equal(got, want) || !strings.Contains(want["leaf"], "inlined") {
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

// Each error says what to do.
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

// The file that a program writes at its end is read by the next plan.
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

// A call of the tool cover without a list of outputs is not one for a package with zones, and runs as it is.
func TestCoverOfOneFile(t *testing.T) {
	dir := files(t, map[string]string{
		"overlay.json": `{"Replace": {}}`,
		"main.go":      "package main\n\nfunc main() { println() }\n",
	})
	out := must.Get(exec.Command("go", "tool", "-n", "cover").Output())(t)
	tool := strings.TrimSpace(string(out))
	args := func(to string) []string {
		return []string{"-mode=set", "-var=counters", "-o", filepath.Join(dir, to), filepath.Join(dir, "main.go")}
	}
	must.Run(t, exec.Command(tool, args("want.go")...))
	overlay := filepath.Join(dir, "overlay.json")
	must.Do(t, instrument.Tool(append([]string{overlay, tool}, args("got.go")...)))
	want, wrong := os.ReadFile(filepath.Join(dir, "want.go"))
	got, err := os.ReadFile(filepath.Join(dir, "got.go"))
	if err != nil || wrong != nil || !bytes.Equal(got, want) || !bytes.Contains(got, []byte("counters")) {
		t.Errorf("%v, %v: got\n%s\nwant\n%s", err, wrong, got, want)
	}
}

// Start takes what an earlier one wrote, until a file, an option or the environment changes.
func TestASecondStartPlansNothing(t *testing.T) {
	longtest.Skip(t)
	offline(t)
	dir := files(t, map[string]string{
		"go.mod":   "module example.org/user\n\ngo 1.25\n",
		"main.go":  "package main\n\nimport _ \"example.org/user/in\"\n\nfunc main() {}\n",
		"in/in.go": "package in\n",
	})
	o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: t.TempDir()}
	start := func(o instrument.Options) (planned bool, p *instrument.Plan, b *instrument.Build) {
		t.Helper()
		p, b = must.Two(o.Start())(t)
		return p.Functions != nil, p, b
	}
	_, first, wrote := start(o)
	planned, second, again := start(o)
	if planned || second.Count != first.Count || second.Chosen != first.Chosen || again.Flags[0] != wrote.Flags[0] ||
		again.Program != wrote.Program {
		t.Fatalf("planned: %t; got %+v, %+v; want those of the first start: %+v, %+v", planned, second, again, first,
			wrote)
	}
	overlaid, err := filepath.Glob(filepath.Join(wrote.Dir, "files", "*main.go"))
	if err != nil || len(overlaid) != 1 || again.Original(overlaid[0]) != filepath.Join(dir, "main.go") {
		t.Errorf("%q, %v: the names of the program's own files are lost", overlaid, err)
	}
	for _, change := range []struct{ what, path string }{
		{"a file", filepath.Join(dir, "in", "in.go")},
		{"a new file", filepath.Join(dir, "in", "new.go")},
		{"the sums", filepath.Join(dir, "go.sum")},
		{"a workspace above", filepath.Join(filepath.Dir(dir), "go.work")},
		{"what was muted", first.Learned},
		{"a written file", overlaid[0]},
	} {
		t.Run(change.what, func(t *testing.T) {
			changeFile(t, change.path)
			if planned, _, _ := start(o); !planned {
				t.Error("the change is not seen")
			}
			if planned, _, _ := start(o); planned {
				t.Error("without a change it plans again")
			}
		})
	}
	other := o
	other.Selection.Min = 3
	if planned, _, _ := start(other); !planned {
		t.Error("another option is not seen")
	}
	t.Setenv("GOFLAGS", "-tags=other")
	if planned, _, _ := start(o); !planned {
		t.Error("the environment is not seen")
	}
}

// changeFile adds an empty line to a file, or creates the file.
func changeFile(t *testing.T, path string) {
	t.Helper()
	text, _ := os.ReadFile(path)
	if filepath.Base(path) == "go.work" {
		text = []byte("go 1.25\n\nuse \"./a folder\"\n")
	} else if len(text) == 0 && filepath.Ext(path) == ".go" {
		text = []byte("package in\n")
	}
	must.Do(t, os.WriteFile(path, append(text, '\n'), 0o600))
}

// A program is measured with what the command carries, without a network and without any module in the cache.
func TestCarriedSourcesSuffice(t *testing.T) {
	var sources bytes.Buffer
	must.Do(t, instrument.Pack(&sources, "../.."))
	offline(t)
	t.Setenv("GOMODCACHE", t.TempDir())
	dir := files(t, map[string]string{
		"helper/go.mod": helperMod, "helper/helper.go": helperText, "user/main.go": userText,
		"user/go.mod": "module example.org/user\n\ngo 1.25\n\nrequire example.org/helper v0.0.0\n\n" +
			"replace example.org/helper => ../helper\n",
	})
	measured(t, filepath.Join(dir, "user"), "main", instrument.Options{Sources: sources.Bytes()})
	if entries, err := os.ReadDir(os.Getenv("GOMODCACHE")); err != nil || len(entries) > 1 {
		t.Errorf("the module cache has %d entries, %v; want none but the go command's own folder", len(entries), err)
	}
}

// everything gives small functions zones, too.
var everything = instrument.Selection{All: true}

// copied returns a temporary copy of a folder in testdata.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a folder")
	must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	return dir
}

// planned returns the plan of all packages in a folder.
func planned(t *testing.T, dir string, o instrument.Options) *instrument.Plan {
	t.Helper()
	o.Dir, o.Packages, o.Cache = dir, []string{"./..."}, t.TempDir()
	plan := must.Get(o.Plan())(t)
	return plan
}

// built builds a plan's programs and returns their folder.
func built(t *testing.T, dir string, plan *instrument.Plan) string {
	t.Helper()
	written := must.Get(plan.Write())(t)
	to := t.TempDir()
	build(t, dir, to, written.Flags, written.Environment)
	return to
}

// reported runs a program and returns its report.
func reported(t *testing.T, program string) string { return reportedIn(t, program, "report.txt") }

// reportedIn is reported with the name of the file, whose end says the form.
func reportedIn(t *testing.T, program, name string) string {
	t.Helper()
	return reportOf(t, exec.Command(program), name)
}

// reportOf runs a program and returns its report.
func reportOf(t *testing.T, cmd *exec.Cmd, name string) string {
	t.Helper()
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Frames":true,"Record":`+strconv.Quote(record)+`}`)
	_ = cmd.Run() // some end with a status of their own
	run := must.Get(runreport.Read(record))(t)
	var b bytes.Buffer
	write := func(w io.Writer) error { return run.WriteFull(w, true) }
	if filepath.Ext(name) == ".json" {
		write = run.WriteJSON
	}
	must.Do(t, write(&b))
	return b.String()
}

func build(t *testing.T, dir, to string, flags, environment []string) {
	t.Helper()
	must.Do(t, os.MkdirAll(to, 0o755))
	args := append(append([]string{"build"}, flags...), "-o", to, "./...")
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	must.Run(t, cmd)
}

// endOf runs a program and returns all that it writes and its end. Addresses and offsets in stack traces may differ.
func endOf(cmd *exec.Cmd) string {
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	end := "ended well"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		end = exit.String()
		if s := exit.Sys().(syscall.WaitStatus); s.Signaled() {
			end = s.Signal().String()
		}
	}
	return out.String() + regexp.MustCompile(` ?\+?0x[0-9a-f]+|goroutine \d+`).ReplaceAllString(log.String(), "") + end
}
