package instrument_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// TestTheCorpusBehavesAsBefore builds small programs, one trap each, with and without zones, and compares what they
// print and how they end. Their folder has a space in its name.
func TestTheCorpusBehavesAsBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds twenty programs")
	}
	dir := copied(t, "corpus")
	writeLast(t, dir)
	before := golden.Digest(t, dir)
	plain := t.TempDir()
	build(t, dir, plain, nil, nil)
	zoned := built(t, dir, planned(t, dir, instrument.Options{Selection: instrument.Selection{All: true}}))
	if after := golden.Digest(t, dir); after != before {
		t.Error("the sources were changed")
	}
	compare(t, plain, zoned)
	checkReports(t, zoned)
}

// writeLast adds a program that gofmt would not leave as it is: all on one line, and the last line has no end.
func writeLast(t *testing.T, dir string) {
	const text = `package main; import "fmt"

func f(n int) int { if n > 0 { return f(n-1) + 1 }; return 0 }

func main() { fmt.Println(f(5)) }`
	must.Do(t, os.Mkdir(filepath.Join(dir, "last"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "last", "main.go"), []byte(text), 0o644))
}

// compare runs each program in both folders.
func compare(t *testing.T, plain, zoned string) {
	programs, err := os.ReadDir(plain)
	if err != nil || len(programs) < 9 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, p := range programs {
		t.Run(p.Name(), func(t *testing.T) {
			want, wantStatus := run(filepath.Join(plain, p.Name()))
			got, gotStatus := run(filepath.Join(zoned, p.Name()))
			if got != want {
				t.Errorf("it prints\n%s\nwithout zones\n%s", got, want)
			}
			if gotStatus != wantStatus {
				t.Errorf("its status is %d; without zones %d", gotStatus, wantStatus)
			}
		})
	}
}

// run returns what a program prints, the source lines in the stack trace it dies with, and its status.
func run(program string) (out string, status int) {
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), auto.Variable+"={}") // else nothing is measured
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status = exit.ExitCode()
	}
	lines := regexp.MustCompile(`\S+/main\.go:\d+`).FindAllString(stderr.String(), -1)
	return stdout.String() + fmt.Sprint(lines), status
}

// TestWaitsAreIdle: a function that only waits has an idle zone by default, and any other has none.
func TestWaitsAreIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := copied(t, "corpus")
	plan := planned(t, dir, instrument.Options{})
	if plan.Waits != 73 {
		t.Errorf("%d places wait; want 73", plan.Waits)
	}
	programs := built(t, dir, plan)
	if n := notesWritten(t, filepath.Join(programs, "idle")); n > 11 { // of 13 looks, and it has nine go statements
		t.Errorf("the notes of a program that waits were written %d times", n)
	}
	text := reported(t, filepath.Join(programs, "waits"))
	for line := range strings.Lines(text) {
		idle := strings.HasSuffix(line, "  [idle]\n")
		name := regexp.MustCompile(`\d  (clock.next|tick|drain|take|forever|sleep|wait.*?) +main\.`).FindString(line)
		if idle != (name != "") {
			t.Errorf("idle: %t in the row %s", idle, line)
		}
	}
	if rows := strings.Count(text, "  [idle]\n"); rows != 14 {
		t.Errorf("%d rows are idle; want 14:\n%s", rows, text)
	}
}

// notesWritten runs a program and returns how often it was seen to write notes beside its recording.
func notesWritten(t *testing.T, program string) (n int) {
	t.Helper()
	cmd := exec.Command(program)
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd.Env = append(os.Environ(), auto.Variable+`={"Record":`+strconv.Quote(record)+`}`)
	must.Do(t, cmd.Start())
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	var last [len(auto.NotesEnds)]time.Time
	for {
		for i, end := range auto.NotesEnds {
			if now, err := os.Stat(record + end); err == nil && now.Size() > 0 && !now.ModTime().Equal(last[i]) {
				n, last[i] = n+1, now.ModTime()
			}
		}
		select {
		case <-ended:
			return n
		default:
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// TestATestProgramWaitsForItsTests: m.Run is no work of TestMain, also where a function in between calls it.
func TestATestProgramWaitsForItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "user.go": "package user\n",
		"user_test.go": `package user

import (
	"os"
	"testing"
	"time"
)

type suite struct{ tests *testing.M }

func (s *suite) all() int { return s.tests.Run() }

func TestMain(m *testing.M) { os.Exit((&suite{m}).all()) }

func TestSlow(*testing.T) { time.Sleep(30 * time.Millisecond) }
`})
	plan := planned(t, dir, instrument.Options{Test: true, Selection: instrument.Selection{All: true}})
	written := must.Get(plan.Write())(t)
	program := filepath.Join(t.TempDir(), "user.test")
	args := append([]string{"test", "-c", "-vet=off", "-o", program}, written.Flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), written.Environment...)
	must.Run(t, cmd)
	text := reported(t, program)
	if !regexp.MustCompile(`(?m)  wait for s.tests .* \[idle\]$`).MatchString(text) {
		t.Errorf("the wait for the tests is not idle:\n%s", text)
	}
}

// checkReports runs programs with zones and looks for functions in their reports.
func checkReports(t *testing.T, to string) {
	for program, want := range map[string][]string{
		"generics": {"(*list).sum", "find", "(*list).all func:21"},
		"embed":    {"big", "a name of its own"},
		"exit":     {"work", "sleep"},
		"waits": {"clock.next", "tick", "drain", "take", "forever", "wait for c.ticker.C", "wait for done",
			"wait for one of 2 channels", "wait forever"},
		"idle": {"wait for c", "wait for one of 3 channels", "wait for l", "wait for conn", "wait for l.Listener",
			"wait for l.conns[]", "wait for l.byName[]", "wait for l.queue", "wait for l.child",
			"wait for exec.Command()", "wait for to"},
		"heads": {"wait for forIf", "wait for forElse", "wait for forSwitch", "wait for forType", "wait for forVar",
			"wait for forFirst", "wait for forNext", "wait for forSend", "main.go func:81", "wait for forDefer"},
	} {
		t.Run(program+" report", func(t *testing.T) {
			text := reported(t, filepath.Join(to, program))
			for _, name := range want {
				if !strings.Contains(text, " "+name+" ") {
					t.Errorf("the report has no %q:\n%s", name, text)
				}
			}
			for _, name := range []string{"skipped", "small"} {
				if strings.Contains(text, " "+name+" ") {
					t.Errorf("the report has %q, which must not be touched", name)
				}
			}
		})
	}
}

// TestTheZonesOfTheStandardLibrary: a server that reads and writes JSON prints the same with zones in net/http and
// encoding/json, and its report has them, below the program's own.
func TestTheZonesOfTheStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds net/http")
	}
	offline(t)
	dir := copied(t, "corpus")
	plain := t.TempDir()
	build(t, filepath.Join(dir, "std"), plain, nil, nil)
	o := instrument.Options{Dir: filepath.Join(dir, "std"), Packages: []string{"."}, Cache: t.TempDir(),
		Std: []string{"net/http", "encoding/json"}}
	plan := must.Get(o.Plan())(t)
	zoned := built(t, o.Dir, plan)
	want, _ := run(filepath.Join(plain, "std"))
	if got, _ := run(filepath.Join(zoned, "std")); got != want || !strings.Contains(got, "item 2") {
		t.Errorf("it prints\n%s\nwithout zones\n%s", got, want)
	}
	report := reported(t, filepath.Join(zoned, "std"))
	for _, row := range []string{
		` 1 +0 +main +main\.main +main\.go:`,
		` 3 +0 +\(\*Client\)\.do +net/http\.\(\*Client\)\.do +client\.go:`,
		` 1 +0 +\(\*conn\)\.serve +net/http\.\(\*conn\)\.serve +server\.go:`,
		` 3 +0 +\(\*Decoder\)\.Decode +encoding/json\.\(\*Decoder\)\.Decode +stream\.go:`,
		` wait for eofc +net/http.* \[idle\]`,
	} {
		if !regexp.MustCompile(row).MatchString(report) {
			t.Errorf("the report has no row %s:\n%s", row, report)
		}
	}
}

// TestZonesOfTheStandardLibraryHaveTheLayoutOfOthers: the type that is written into packages of the standard library
// has the fields of gather.Zone at their offsets.
func TestZonesOfTheStandardLibraryHaveTheLayoutOfOthers(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the zones that measure are not in this build")
	}
	o := instrument.Options{Dir: "../..", Packages: []string{"./examples/hello"}, Cache: t.TempDir(),
		Std: []string{"encoding/json"}} // a program that imports the profiler
	_, written := must.Two(o.Start())(t)
	own := writtenZone(t, written.Dir)
	sizes := types.SizesFor("gc", runtime.GOARCH)
	var fields []*types.Var
	for i := range own.NumFields() {
		fields = append(fields, own.Field(i))
	}
	zone, offsets := reflect.TypeFor[gather.Zone](), sizes.Offsetsof(fields)
	for i, f := range fields {
		if f.Name() == "_" {
			continue
		}
		theirs, there := zone.FieldByName(f.Name())
		if !there || int64(theirs.Offset) != offsets[i] || theirs.Type.String() != f.Type().String() {
			t.Errorf("%s is at %d; gather.Zone has it (%t) at %d", f, offsets[i], there, theirs.Offset)
		}
	}
	if size := sizes.Sizeof(own); size != int64(zone.Size()) || len(fields) < 4 {
		t.Errorf("%d bytes in %d fields; gather.Zone has %d bytes", size, len(fields), zone.Size())
	}
}

// writtenZone returns the type of zones in the rewritten files below dir.
func writtenZone(t *testing.T, dir string) *types.Struct {
	t.Helper()
	written := must.Get(filepath.Glob(filepath.Join(dir, "files", "*.go")))(t)
	for _, name := range written {
		text := must.Get(os.ReadFile(name))(t)
		_, declared, there := strings.Cut(string(text), "type iprofZone ")
		if !there {
			continue
		}
		declared, _, _ = strings.Cut(declared, "\n}\n")
		value := must.Get(types.Eval(token.NewFileSet(), nil, token.NoPos, "*new("+declared+"\n})"))(t)
		return value.Type.(*types.Struct)
	}
	t.Fatalf("no file of %d declares the type", len(written))
	return nil
}

// TestPackagesThatCannotHaveZonesAreRefused: the error says why, and what to do.
func TestPackagesThatCannotHaveZonesAreRefused(t *testing.T) {
	dir := copied(t, "corpus")
	for path, want := range map[string]string{
		"strings": "measure the functions that call it", "sync": "measure the functions that call it",
		"runtime/metrics": "runtime", "internal/poll": "programs may import", "net/smtp": "go list -deps",
		"no/such": "go list -deps",
	} {
		o := instrument.Options{Dir: dir, Packages: []string{"./std"}, Cache: t.TempDir(), Std: []string{path}}
		if _, err := o.Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-std %s: got %v; want an error with %q", path, err, want)
		}
	}
	o := instrument.Options{Dir: dir, Packages: []string{"./std"}, Flags: []string{"-tags=iprof_off"},
		Cache: t.TempDir(), Std: []string{"net/http"}}
	if _, err := o.Plan(); err == nil || !strings.Contains(err.Error(), "iprof_off") {
		t.Errorf("with the tag iprof_off: got %v; want an error that names it", err)
	}
}

// TestRacesAreFoundAsBefore: the race detector reports the same races with zones as without, between goroutines that
// run once, too. It reports none of what the profiler does.
func TestRacesAreFoundAsBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with the race detector")
	}
	offline(t)
	dir, plain, zoned := copied(t, "races"), t.TempDir(), t.TempDir()
	race := []string{"-race"}
	detector := exec.Command("go", "build", "-race", "-o", os.DevNull, "internal/race")
	if out, err := detector.CombinedOutput(); err != nil {
		t.Skipf("there is no race detector: %s", out)
	}
	build(t, dir, plain, race, nil)
	options := instrument.Options{Flags: race, Frames: instrument.Frames{Routes: true}}
	written := must.Get(planned(t, dir, options).Write())(t)
	build(t, dir, zoned, append(race, written.Flags...), written.Environment)
	for _, mode := range []string{"zones", "starts", "routes", "same", "rests", "asleep", "none"} {
		t.Run(mode, func(t *testing.T) {
			want := races(t, exec.Command(filepath.Join(plain, "races"), mode))
			if got := len(want) > 0; got != (mode != "none") {
				t.Fatalf("without zones: %q", want)
			}
			cmd := exec.Command(filepath.Join(zoned, "races"), mode)
			cmd.Env = append(os.Environ(), auto.Variable+`={"Mute":true,"Lines":true,"Record":"`+
				filepath.ToSlash(filepath.Join(t.TempDir(), "out.iprof"))+`"}`)
			if got := races(t, cmd); !slices.Equal(got, want) {
				t.Errorf("got the races %q; without zones %q", got, want)
			}
		})
	}
}

// What the profiler does inside the program's functions is built without the race detector, and only that.
func TestTheProfilerIsBuiltWithoutTheRaceDetector(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": besideProgram})
	for flag, want := range map[string]bool{"-race": true, "--race=true": true, "-race=false": false} {
		written := must.Get(planned(t, dir, instrument.Options{Flags: []string{flag}}).Write())(t)
		got := map[string]bool{}
		for _, f := range written.Flags {
			if path, off := strings.CutSuffix(f, "=-race=false"); off {
				got[path[strings.LastIndexByte(path, '/')+1:]] = true
			}
		}
		if got["auto"] != want || got["gather"] != want || got["measure"] != want || got["process"] || got["capture"] {
			t.Errorf("%s: built without it are %v", flag, got)
		}
	}
}

// races runs a program and returns the lines of its file where the race reports say that races are.
func races(t *testing.T, cmd *exec.Cmd) (lines []string) {
	t.Helper()
	cmd.Env = append(cmd.Environ(), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	out, _ := cmd.CombinedOutput()
	text := string(out)
	for report := range strings.SplitSeq(text, "==================") {
		if !strings.Contains(report, "DATA RACE") {
			continue
		}
		if strings.Contains(report, "iprof") {
			t.Errorf("the profiler races:\n%s", report)
		}
		for _, part := range strings.Split(report, "\n\n") {
			if line := regexp.MustCompile(`main\.go:\d+`).FindString(part); line != "" {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// overlayOf returns the files of a folder that a plan replaces, with the text that replaces each.
func overlayOf(t *testing.T, dir string, plan *instrument.Plan) map[string]string {
	t.Helper()
	b := must.Get(plan.Write())(t)
	var overlay struct{ Replace map[string]string }
	for _, flag := range b.Flags {
		name, ok := strings.CutPrefix(flag, "-overlay=")
		if !ok {
			continue
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &overlay)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	texts := map[string]string{}
	for own, path := range overlay.Replace {
		if short, err := filepath.Rel(dir, own); err == nil && filepath.IsLocal(short) {
			text := must.Get(os.ReadFile(path))(t)
			texts[short] = string(text)
		}
	}
	return texts
}

// tableName is the name of a file's table of zones, which depends on the folder.
var tableName = regexp.MustCompile(`iprofZones[0-9a-f]{8}`)

// rewritten compares the lines that a plan changes with a golden file: all lines that differ from the program's own,
// and all behind these. No line moves, so that positions in messages and stack traces stay.
func rewritten(t *testing.T, name, dir string, plan *instrument.Plan) {
	t.Helper()
	var all bytes.Buffer
	texts := overlayOf(t, dir, plan)
	for _, short := range slices.Sorted(maps.Keys(texts)) {
		own, err := os.ReadFile(filepath.Join(dir, short))
		if top, _, _ := strings.Cut(filepath.ToSlash(short), "/"); err != nil || top == "cgo" || top == "assembly" {
			continue // a file that the program does not have, or not on all systems
		}
		before := strings.Split(string(own), "\n")
		for i, line := range strings.Split(tableName.ReplaceAllString(texts[short], "zones"), "\n") {
			if i >= len(before) || line != before[i] {
				fmt.Fprintf(&all, "%s:%d:%s\n", short, i+1, line)
			}
		}
	}
	golden.Text(t, name, all.Bytes())
}

// TestEveryWaitAndLoopIsRewritten: the corpus has each form of a statement with a wait, a loop or a go statement.
func TestEveryWaitAndLoopIsRewritten(t *testing.T) {
	dir := copied(t, "corpus")
	rewritten(t, "corpus.golden", dir, planned(t, dir, instrument.Options{Selection: everything}))
}

// TestFunctionsThatCompute: names say which functions hold no wait in their own time. Waits with a zone of their own,
// and functions with one, are not the time of their callers.
func TestFunctionsThatCompute(t *testing.T) {
	dir := copied(t, "computes")
	plan := planned(t, dir, instrument.Options{})
	seen := 0
	for _, f := range plan.Functions {
		computes, waits := strings.HasPrefix(f.Name, "computes"), strings.HasPrefix(f.Name, "waits")
		if strings.Contains(f.Name, " func:") || !computes && !waits {
			continue
		}
		if seen++; f.Reason != "" || f.Computes != computes {
			t.Errorf("%s: computes %t, no zone because %q", f.Name, f.Computes, f.Reason)
		}
	}
	text := must.Get(os.ReadFile(filepath.Join(dir, "main.go")))(t)
	if want := bytes.Count(text, []byte("\nfunc computes")) + bytes.Count(text, []byte("\nfunc waits")); seen != want {
		t.Errorf("%d of %d functions are listed", seen, want)
	}
}

// TestOldFunctionsWaitInTheirOwnTime: in a module without type parameters a receive within an expression gets no zone,
// so it is the function's own time. A receive that is a statement has its zone there, too.
func TestOldFunctionsWaitInTheirOwnTime(t *testing.T) {
	dir := files(t, map[string]string{
		"main.go": "package main\n\nfunc main() {}\n\nfunc within(c chan int) (n int) {\n" +
			"\tfor i := 0; i < 9; i++ {\n\t\tn += <-c * 2\n\t}\n\treturn n\n}\n\n" +
			"func alone(c chan int) (n int) {\n\tfor i := 0; i < 9; i++ {\n\t\t<-c\n\t\tn += i\n\t}\n\treturn n\n}\n",
	})
	for version, want := range map[string]map[string]bool{
		"1.17": {"within": false, "alone": true}, "1.25": {"within": true, "alone": true},
	} {
		mod := "module example.org/old\n\ngo " + version + "\n"
		must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
		got := map[string]bool{}
		for _, f := range planned(t, dir, instrument.Options{}).Functions {
			if f.Name != "main" && f.Reason == "" {
				got[f.Name] = f.Computes
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("go %s: got %v; want %v: which functions compute", version, got, want)
		}
	}
}

// profiling works, takes a CPU profile, and fails if that has no samples.
const profiling = `package main

import (
	"bytes"
	"log"
	"math"
	_ "net/http/pprof"
	"runtime/pprof"
)

func work(s float64) float64 {
	for i := range 60_000_000 { // about 0.2 s
		s += math.Sqrt(float64(i))
	}
	return s
}

func main() {
	s := work(1)
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		log.Fatal(err)
	}
	s = work(s)
	pprof.StopCPUProfile()
	if b.Len() < 600 || s < 0 { // one without samples has 400 bytes
		log.Fatal("the profile has ", b.Len(), " bytes")
	}
}
`

// TestAProgramThatProfilesItself: its profile is whole, and so are the samples before it. They are of a part of the
// run, and they do not show what waited. A program with net/http/pprof that takes no profile has all samples.
func TestAProgramThatProfilesItself(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": profiling})
	plan := planned(t, dir, instrument.Options{})
	if plan.ProfilesItself {
		t.Error("this version of Go is not known")
	}
	program := filepath.Join(built(t, dir, plan), "user")
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,"Record":`+strconv.Quote(record)+`}`)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := must.Get(runreport.Read(record))(t)
	if n := run.Notes; !n.Yielded || n.Sampled < 5 || n.Sampled > int(n.CPU.Milliseconds())/10-5 {
		t.Errorf("%d samples of %v, ended by the program's profile: %t", n.Sampled, n.CPU, n.Yielded)
	}
}
