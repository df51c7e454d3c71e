package instrument_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/instrument"
)

// realProgram is a program of other people, from the module proxy.
type realProgram struct {
	name, module, version, pkg string
	arguments                  func(t *testing.T, dir string) []string
	output                     string // file that it writes besides its standard output
}

var realPrograms = []realProgram{
	{"esbuild", "github.com/evanw/esbuild", "v0.28.2", "./cmd/esbuild", bundle, "out.js"},
	{"gofumpt", "mvdan.cc/gofumpt", "v0.7.0", ".", func(t *testing.T, _ string) []string {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		src := filepath.Join(strings.TrimSpace(string(root)), "src")
		return []string{"-l", filepath.Join(src, "net"), filepath.Join(src, "go"), filepath.Join(src, "cmd", "compile")}
	}, ""},
	{"staticcheck", "honnef.co/go/tools", "v0.6.1", "./cmd/staticcheck", func(*testing.T, string) []string {
		return []string{"-checks", "all", "./simple/...", "./config/...", "./printf/..."}
	}, ""},
}

// TestSoakRealPrograms builds programs of other people with and without zones. They must print and write the same.
// It logs a row of the table in docs/run.md for each. It needs the module proxy and takes minutes:
//
//	IPROF_REAL=1 go test -v -timeout 30m -run RealPrograms ./internal/instrument
func TestSoakRealPrograms(t *testing.T) {
	if os.Getenv("IPROF_REAL") == "" {
		t.Skip("IPROF_REAL is not set: programs from the module proxy are not built")
	}
	for _, p := range realPrograms {
		t.Run(p.name, func(t *testing.T) { p.check(t) })
	}
}

func (p *realProgram) check(t *testing.T) {
	dir := p.fetch(t)
	to, cache := t.TempDir(), t.TempDir()
	plain := filepath.Join(to, "plain")
	p.build(t, dir, plain, nil)
	first, firstPlan, took := p.zoned(t, dir, cache, filepath.Join(to, "first"))
	arguments := p.arguments(t, dir)
	want, _ := p.run(t, dir, plain, arguments, "")
	got, _ := p.run(t, dir, first, arguments, firstPlan.Learned)
	if !bytes.Equal(got, want) {
		t.Errorf("with zones: %d bytes of output; without: %d bytes, others", len(got), len(want))
	}
	learned, plan, _ := p.zoned(t, dir, cache, filepath.Join(to, "learned"))
	if got, _ := p.run(t, dir, learned, arguments, plan.Learned); !bytes.Equal(got, want) {
		t.Errorf("what was learned changes the output")
	}
	var first1, learned1 []float64
	for range 7 {
		_, a := p.run(t, dir, plain, arguments, "")
		_, b := p.run(t, dir, first, arguments, "none")
		_, c := p.run(t, dir, learned, arguments, "none")
		first1, learned1 = append(first1, float64(b)/float64(a)), append(learned1, float64(c)/float64(a))
	}
	slices.Sort(first1)
	slices.Sort(learned1)
	_, alone := p.run(t, dir, plain, arguments, "")
	t.Logf("| %s %s | %d | %d | %d | %.1f + %.1f | %.2f | %.2f | %.2f |", p.name, p.version, len(firstPlan.Functions),
		firstPlan.Chosen, plan.Muted, took[0].Seconds(), took[1].Seconds(), alone.Seconds(), first1[3], learned1[3])
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
func (p *realProgram) zoned(t *testing.T, dir, cache, to string) (string, *instrument.Plan, [2]time.Duration) {
	t.Helper()
	start := time.Now()
	plan, err := instrument.Options{Dir: dir, Packages: []string{p.pkg}, Cache: cache}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	written, err := plan.Write()
	if err != nil {
		t.Fatal(err)
	}
	rewritten := time.Now()
	p.build(t, dir, to, written)
	return to, plan, [2]time.Duration{rewritten.Sub(start), time.Since(rewritten)}
}

// run runs the program. It returns all its output and the time it took. With a file for what is learned it mutes.
func (p *realProgram) run(t *testing.T, dir, program string, arguments []string, learn string) ([]byte, time.Duration) {
	t.Helper()
	cmd := exec.Command(program, arguments...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "STATICCHECK_CACHE="+t.TempDir())
	if learn != "" {
		if learn == "none" {
			learn = ""
		}
		cmd.Env = append(cmd.Env, `IPROF_RUN={"Mute":true,"Learn":`+strconv.Quote(learn)+`}`)
	}
	start := time.Now()
	out, _ := cmd.Output() // gofumpt and staticcheck end with 1 if they find something
	took := time.Since(start)
	if p.output != "" {
		written, err := os.ReadFile(filepath.Join(dir, p.output))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, written...)
		if err := os.Remove(filepath.Join(dir, p.output)); err != nil {
			t.Fatal(err)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s %q prints nothing", program, arguments)
	}
	return out, took
}

// bundle writes JavaScript for esbuild.
func bundle(t *testing.T, dir string) []string {
	t.Helper()
	var all strings.Builder
	for file := range 400 {
		var text strings.Builder
		for n := range 100 {
			fmt.Fprintf(&text, "export function f%d(a, b = %[1]d) {\n  const { x, ...rest } = a ?? {};\n"+
				"  for (const k of Object.keys(rest)) { if (k.length > b) return `${k} ${x?.y}`; }\n"+
				"  return [a, b, () => b ** 2, class { #p = %[1]d; get p() { return this.#p } }];\n}\n", n)
		}
		fmt.Fprintf(&all, "import * as m%d from './m%[1]d.js'; console.log(m%[1]d);\n", file)
		name := filepath.Join(dir, fmt.Sprintf("m%d.js", file))
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "all.js"), []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"all.js", "--bundle", "--minify", "--sourcemap=inline", "--target=es2017", "--log-level=error",
		"--outfile=out.js"}
}
