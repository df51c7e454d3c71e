package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/runreport"
)

// checkPrograms builds programs of other people with and without zones. They must print and write the same, and their
// calls must be counted exactly whether functions are muted or not. It logs a row of a table for each.
func checkPrograms(t *testing.T) {
	for _, p := range realPrograms {
		t.Run(p.name, p.check)
	}
}

func (p *realProgram) check(t *testing.T) {
	dir := p.fetch(t)
	to, cache := t.TempDir(), t.TempDir()
	plain := filepath.Join(to, "plain")
	arguments := p.arguments(t, dir)
	p.build(t, dir, plain, nil)
	first, firstPlan, took := p.zoned(t, dir, cache)
	want, _ := p.run(t, dir, plain, arguments, auto.Settings{})
	got, _ := p.run(t, dir, first, arguments, p.learning(t, firstPlan))
	if !bytes.Equal(got, want) {
		t.Errorf("with zones: %d bytes of output; without: %d bytes, others", len(got), len(want))
	}
	learned, plan, _ := p.zoned(t, dir, cache)
	if got, _ := p.run(t, dir, learned, arguments, p.learning(t, plan)); !bytes.Equal(got, want) {
		t.Errorf("what was learned changes the output")
	}
	alone, ratios := p.ratios(t, dir, arguments, plain, first, learned)
	most := p.comparePprof(t, dir, cache, arguments)
	counted, exact, root := p.count(t, dir, cache, arguments)
	t.Logf("| %s %s | %d | %d | %d | %.1f + %.1f | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %d | %.1f | %.1f |", p.name,
		p.version, len(firstPlan.Functions), firstPlan.Chosen, plan.Muted, took[0].Seconds(), took[1].Seconds(),
		alone.Seconds(), ratios[0], ratios[1], ratios[2], ratios[3], counted, exact, root, most)
}

// ratios runs the programs in turn. It returns the plain one's processor time, the median, and those of the others
// relative to it: first and learned with the processor's counter, then with Go's clock.
func (p *realProgram) ratios(t *testing.T, dir string, arguments []string, plain, first, learned string) (
	alone time.Duration, ratios [4]float64) {
	t.Helper()
	as := auto.Settings{Mute: true, Lines: true, Record: filepath.Join(t.TempDir(), "out.iprof")}
	var took []time.Duration
	var all [4][]float64
	for range *rounds {
		_, a := p.run(t, dir, plain, arguments, auto.Settings{})
		took = append(took, a)
		for i, program := range []string{first, learned, first, learned} {
			t.Setenv("IPROF_CLOCK", []string{"", "go"}[i/2])
			_, b := p.run(t, dir, program, arguments, as)
			all[i] = append(all[i], float64(b)/float64(a))
		}
		t.Setenv("IPROF_CLOCK", "")
	}
	for i := range all {
		slices.Sort(all[i])
		ratios[i] = all[i][len(all[i])/2]
	}
	slices.Sort(took)
	return took[len(took)/2], ratios
}

// count runs the program with a zone in every function, with and without muting. It returns the calls of both, and the
// milliseconds in (root), which has nothing but what happens before main.
func (p *realProgram) count(t *testing.T, dir, cache string, arguments []string) (counted, exact uint64, root float64) {
	t.Helper()
	all := instrument.Options{Dir: dir, Selection: instrument.Selection{All: true}}
	program, _, _ := p.zonedWith(t, filepath.Join(cache, "all"), all)
	calls := func(mute bool) uint64 {
		s := auto.Settings{Mute: mute, Record: filepath.Join(t.TempDir(), "out.iprof")}
		p.run(t, dir, program, arguments, s)
		run, err := runreport.Read(s.Record)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range run.Dump.Merged {
			if n.Zone == 0 {
				root = n.Self
			}
		}
		return run.Dump.Calls
	}
	counted, exact = calls(true), calls(false)
	if off := float64(counted)/float64(exact) - 1; p.steady && (off < -1e-4 || off > 1e-4) {
		t.Errorf("%d calls with muting, %d without", counted, exact)
	}
	return counted, exact, root
}

// learnedFrom is where what the next run mutes is kept; "" is nowhere.
var learnedFrom string

// learning returns the settings of a run that is learned from when the test has run the program.
func (p *realProgram) learning(t *testing.T, plan *instrument.Plan) auto.Settings {
	t.Helper()
	learnedFrom = plan.Learned
	return auto.Settings{Mute: true, Record: filepath.Join(t.TempDir(), "learning.iprof")}
}

// learn keeps what a run has muted.
func (p *realProgram) learn(t *testing.T, record string) {
	t.Helper()
	if learnedFrom == "" {
		return
	}
	run, err := runreport.Read(record)
	if err != nil {
		t.Fatal(err)
	}
	instrument.Learn(learnedFrom, run.Notes.Muted, run.Gain(), run.Dump.CPU)
	learnedFrom = ""
}

// fetch copies the program's module to a folder of its own. Without a proxy the test is skipped.
func (p *realProgram) fetch(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", p.module+"@"+p.version)
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, NOTHING WAS CHECKED: no module proxy: %v\n%s", err, out)
	}
	cached, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), p.name)
	from := filepath.Join(strings.TrimSpace(string(cached)), p.module+"@"+p.version)
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (p *realProgram) build(t *testing.T, dir, to string, b *instrument.Build) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", to)
	cmd.Dir, cmd.Env = dir, os.Environ()
	if b != nil {
		cmd.Args, cmd.Env = append(cmd.Args, b.Flags...), append(cmd.Env, b.Environment...)
	}
	cmd.Args = append(cmd.Args, p.pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// zoned builds the program with zones. took is the time for choosing and rewriting, and for building.
func (p *realProgram) zoned(t *testing.T, dir, cache string, imports ...string) (program string,
	plan *instrument.Plan, took [2]time.Duration) {
	t.Helper()
	return p.zonedWith(t, cache, instrument.Options{Dir: dir, Imports: imports})
}

func (p *realProgram) zonedWith(t *testing.T, cache string, o instrument.Options) (program string,
	plan *instrument.Plan, took [2]time.Duration) {
	t.Helper()
	start := time.Now()
	o.Packages, o.Cache = []string{p.pkg}, cache
	plan, err := o.Plan()
	if err != nil {
		t.Fatal(err)
	}
	written, err := plan.Write()
	if err != nil {
		t.Fatal(err)
	}
	rewritten := time.Now()
	program = filepath.Join(t.TempDir(), "program")
	p.build(t, o.Dir, program, written)
	return program, plan, [2]time.Duration{rewritten.Sub(start), time.Since(rewritten)}
}

// run runs the program. It returns all its output and the processor time it took.
func (p *realProgram) run(t *testing.T, dir, program string, arguments []string, s auto.Settings) ([]byte,
	time.Duration) {
	t.Helper()
	cmd := exec.Command(program, arguments...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "STATICCHECK_CACHE="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(),
		"XDG_CONFIG_HOME="+t.TempDir(), "HUGO_CACHEDIR="+t.TempDir())
	if text, err := json.Marshal(s); err == nil && (s.Record != "" || s.Mute || s.Frames) {
		cmd.Env = append(cmd.Env, auto.Variable+"="+string(text))
	}
	var out []byte
	if p.drive != nil {
		out = p.drive(t, cmd)
	} else {
		out, _ = cmd.CombinedOutput() // gofumpt and staticcheck end with 1 if they find something
	}
	if p.output != "" {
		written := filepath.Join(dir, p.output)
		sum := golden.Digest(t, written)
		out = append(out, sum[:]...)
		if err := os.RemoveAll(written); err != nil {
			t.Fatal(err)
		}
	}
	if s.Record != "" {
		p.learn(t, s.Record)
	}
	if len(out) == 0 {
		t.Fatalf("%s %q prints nothing", program, arguments)
	}
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
