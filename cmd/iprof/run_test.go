package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/pprofread"
)

const recordedProgram = `package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	for i := range 20 {
		step(i)
	}
	if len(os.Args) > 1 {
		os.Exit(3)
	}
}

func step(n int) {
	var b strings.Builder
	for i := range 50 {
		fmt.Fprint(&b, i, n)
	}
	if b.Len() == 0 {
		fmt.Println("nothing")
	}
	b.Reset()
	for i := range n {
		fmt.Fprint(&b, i)
	}
	_ = b.String()
}
`

// TestRunRecords runs a program that knows nothing of the profiler, and opens its recording.
func TestRunRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root := inModule(t, map[string]string{"main.go": recordedProgram}) // it is built once
	for _, test := range []struct {
		name   string
		args   []string // of the program
		status int
	}{
		{name: "returns"},
		{name: "exits", args: []string{"now"}, status: 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"-module", root, "-report", "out.json", "-frame", "user.step", "-o", test.name + ".iprof",
				"-cpuprofile", "out.pprof", "."}
			args = append(args, test.args...)
			if status := launch("run", args); status != test.status {
				t.Fatalf("status %d; want %d", status, test.status)
			}
			_, contents := must.Two(capture.Open(test.name + ".iprof"))(t)
			if contents.Frames < 20 {
				t.Errorf("%d frames; step returned 20 times", contents.Frames)
			}
			if text := readFile(t, "out.pprof"); !pprofread.Is(text) {
				t.Errorf("the CPU profile begins with %.4x", text)
			}
			var report struct{ Frames, Calls uint64 }
			text := readFile(t, "out.json")
			if err := json.Unmarshal(text, &report); err != nil || report.Frames < 20 || report.Calls < 20 {
				t.Errorf("got %v, %+v; want a report of 20 frames in %.300s", err, report, text)
			}
		})
	}
}

// freshCache gives this command an empty cache. The go command keeps its own.
func freshCache(t *testing.T) {
	t.Helper()
	own := must.Get(exec.Command("go", "env", "GOCACHE").Output())(t)
	t.Setenv("GOCACHE", strings.TrimSpace(string(own)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir()) // Windows
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(text), 0o644))
}

const panickingProgram = `package main

import "strings"

func main() {
	go work()
	select {}
}

func work() {
	for n := range 1_000_000 { // about 0.4 s of processor time, however many others want it
		step(n % 50)
	}
	panic("lost")
}

//iprof:zone step
func step(n int) {
	var b strings.Builder
	for range n {
		b.WriteString("more")
	}
}
`

// A report goes through a link, as the shell's > does. So a pipe or a device stays, too. This holds for a program that
// could not write it itself.
func TestTheFileOfAReportStaysWhatItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	module := inModule(t, map[string]string{"dies/main.go": panickingProgram, "ends/main.go": recordedProgram})
	for name, want := range map[string]string{
		"dies": "the program was killed, or ended by an error", "ends": "    self    share ",
	} {
		write(t, name+".txt", "as before")
		if err := os.Symlink(name+".txt", name+".link"); err != nil {
			t.Skip("SKIPPED: no links: ", err)
		}
		launched(t, module, "run", "-report", name+".link", "./"+name)
		if info, err := os.Lstat(name + ".link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is %v, %v; want a link", name, info, err)
		}
		if text := string(readFile(t, name+".txt")); !strings.Contains(text, want) {
			t.Errorf("%s: the file has %.200q; want %q", name, text, want)
		}
	}
}

const shortProgram = `package main

import "os"

func main() {
	n := 0
	for i := range 200_000 {
		n = often(n, i)
	}
	for i := range 50_000_000 { // other work, so that little is gained without the zone
		n ^= i
	}
	if n < 0 {
		os.Exit(1)
	}
}

//go:noinline
func often(n, i int) int {
	a, b := n, i
	a++
	b++
	a ^= b
	b ^= a
	a &= 0xFFFF
	b &= 0xFF
	for range b % 2 {
		a++
	}
	return a + b
}
`

// The whole run is judged at its end, but not with -all.
func TestAShortRunTeaches(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	module := inModule(t, map[string]string{"main.go": shortProgram})
	for _, run := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"-all", "."}, "2 of 2 functions"},
		{[]string{"."}, "2 of 2 functions"},
		{[]string{"-relearn", "."}, "muted, because their calls are too short to measure: 1 (often)"},
		{[]string{"."}, "2 of 2 functions"}, // nothing is built: it is muted from the start
		{[]string{"-min", "3", "."}, "1 of 2 functions"},
	} {
		if _, stderr := launched(t, module, "run", run.arguments...); !strings.Contains(stderr, run.want) {
			t.Errorf("%q: no %q in\n%.600s", run.arguments, run.want, stderr)
		}
	}
}

// The program says so at its end, which is as it was.
func TestAReportThatCannotBeWrittenIsMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": recordedProgram})
	files := map[string]string{"none/report": "open none/report: ", ".": "open .: "}
	if runtime.GOOS == "linux" {
		files["/dev/full"] = "write /dev/full: no space left"
	}
	for file, want := range files {
		status, stderr := launched(t, module, "run", "-report", file, ".")
		if status != 0 || !strings.Contains(stderr, "the report is not written: "+want) {
			t.Errorf("%s: got status %d, %q; want 0 and %q", file, status, stderr, want)
		}
	}
}

// A program that a panic on another goroutine ends cannot write its report. The command has the one of a moment before.
// What the program writes and its status stay.
func TestAPanicElsewhereLeavesTheReport(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": panickingProgram})
	status, stderr := launched(t, module, "run", ".")
	for _, want := range []string{
		"panic: lost", "main.work(", "main.go:14", "the program was killed, or ended by an error", " step ",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	}
	if status != 2 {
		t.Errorf("status %d; want 2", status)
	}
}

// TestAProgramThatExecutesAnother: it has not been killed, and its report ends there.
func TestAProgramThatExecutesAnother(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds a program for Unix")
	}
	program := strings.Replace(panickingProgram, "\t\tstep(n % 50)\n\t}\n\tpanic(\"lost\")", "\t\tstep(n % 50)\n\t}\n"+
		"\t_ = syscall.Exec(\"/bin/sh\", []string{\"sh\", \"-c\", \"exit 4\"}, nil)", 1)
	program = strings.Replace(program, "import \"strings\"", "import (\n\t\"strings\"\n\t\"syscall\"\n)", 1)
	status, stderr := launched(t, inModule(t, map[string]string{"main.go": program}), "run", ".")
	said := strings.Contains(stderr, "executed another one in its place")
	if status != 4 || !said || !strings.Contains(stderr, " step ") {
		t.Errorf("status %d; want 4 and a report of what was measured:\n%s", status, stderr)
	}
}

// The program of the last start runs again until anything changes that it is built from, also files that are no Go, and
// modules in other folders.
func TestASecondStartBuildsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const text = "package main\n\nimport (\n\t\"os\"\n\n\t\"example.org/other\"\n)\n\nvar more string\n\n" +
		"func main() { os.Exit(other.Status + len(more)) }\n"
	module := inModule(t, map[string]string{
		"main/main.go":   text,
		"other/other.go": "package other\n\nconst Status = 3\n",
		"other/go.mod":   "module example.org/other\n\ngo 1.25\n",
	})
	write(t, "go.mod", "module example.org/user\n\ngo 1.25\n\nrequire example.org/other v1.0.0\n\n"+
		"replace example.org/other => ./other\n")
	run := func(want int, flags ...string) (built bool) {
		t.Helper()
		pattern := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "iprof", "user-*", "bin", "main")
		before := stamps(t, pattern)
		status, stderr := launched(t, module, "run", append(flags, "-report", "none", "./main")...)
		if status != want {
			t.Fatalf("status %d; want %d: %s", status, want, stderr)
		}
		return before != stamps(t, pattern)
	}
	if !run(3) || run(3) {
		t.Error("want one build, and none for the second start")
	}
	write(t, "other/other.go", "package other\n\nconst Status = 4\n")
	if !run(4) || run(4) {
		t.Error("want a build after a change of another module")
	}
	if !run(6, "-ldflags=-X main.more=ab") || run(6, "-ldflags=-X main.more=ab") || !run(4) {
		t.Error("want a build for other flags")
	}
	for range 2 {
		if !run(4, "-x") {
			t.Error("want the go command to say what it does with -x")
		}
	}
	write(t, "main/empty.s", "\n")
	for range 2 {
		if !run(4) {
			t.Error("want the go command to look each time at a program with files besides Go")
		}
	}
}

// stamps returns the times of the files that match.
func stamps(t *testing.T, pattern string) string {
	t.Helper()
	names := must.Get(filepath.Glob(pattern))(t)
	var times []string
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			times = append(times, info.ModTime().String())
		}
	}
	return strings.Join(times, " ")
}

const coveredProgram = `package main

import (
	"os"
	"time"
)

func main() { os.Exit(Sum(10)) }

func Sum(n int) (s int) {
	c := make(chan int, 1); c <- 0
	for i := range n {
		if i%3 == 0 {
			s += twice(i)
		} else if i%3 == 1 {
			s -= i
		} else { s++ }
	}
	select { case <-c: case <-time.After(time.Hour): s = 0 }
	go func() { time.Sleep(1); c <- 0 }(); <-c
	return s - 24
}

func Never() { for { println() } }
`

const coveredFile = `package main

func twice(n int) (t int) { for range n { t += 2 }; if t < 0 { return 0 }; return t }
`

// With -cover the go command counts what it counts without zones, and the functions have their zones.
func TestCoverageIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	module := inModule(t, map[string]string{
		"main.go":      coveredProgram,
		"twice.go":     coveredFile,
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { Sum(10) }\n",
	})
	t.Setenv(asMain, "1") // the go command runs its tools by this program
	for _, mode := range []string{"set", "count", "atomic"} {
		flags := []string{"-covermode", mode, "-coverprofile"}
		plain := exec.Command("go", append(append([]string{"test"}, flags...), "want.out")...)
		must.Run(t, plain)
		status, stderr := launched(t, module, "test", append(flags, "got.out", ".")...)
		for _, zone := range []string{"  Sum  main.go", "  twice  twice.go"} {
			if status != 0 || !strings.Contains(stderr, zone) || strings.Count(stderr, "\nran ") != 1 {
				t.Errorf("%s: status %d; want 0 and one report with %q:\n%s", mode, status, zone, stderr)
			}
		}
		want := readFile(t, "want.out")
		got := readFile(t, "got.out")
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwithout zones\n%s", mode, got, want)
		}
	}
	t.Run("program", func(t *testing.T) {
		t.Setenv("GOCOVERDIR", t.TempDir())
		status, stderr := launched(t, module, "run", "-cover", ".")
		if status != 3 || !strings.Contains(stderr, "  Sum  main.go") {
			t.Errorf("status %d; want 3 and a zone:\n%s", status, stderr)
		}
		if names, _ := filepath.Glob(filepath.Join(os.Getenv("GOCOVERDIR"), "covcounters.*")); len(names) != 1 {
			t.Errorf("it left %q; want one file of counters", names)
		}
	})
}

const embeddingProgram = `package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"

	"example.org/user/sub"
)

//go:embed *.go all:sub
var sources embed.FS

//go:embed *
var all embed.FS

func main() {
	for _, f := range []embed.FS{sources, all} {
		fs.WalkDir(f, ".", func(name string, d fs.DirEntry, err error) error {
			if !d.IsDir() && err == nil {
				text, _ := f.ReadFile(name)
				fmt.Fprintf(os.Stdout, "%s\n%s", name, text)
			}
			return err
		})
	}
	os.Exit(sub.Work(1000) % 7)
}
`

// A program that embeds its source files sees no zone in them, and no other file. Its functions have zones all the
// same.
func TestEmbeddedSourcesAreTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": embeddingProgram, "sub/sub.go": "package sub\n\n" +
		"func Work(n int) (sum int) {\n\tfor i := range n {\n\t\tsum += i\n\t}\n\treturn sum\n}\n"})
	t.Setenv(asMain, "1") // the go command runs its tools by this program
	plain, zoned := filepath.Join(t.TempDir(), "user"), filepath.Join(t.TempDir(), "user")
	must.Run(t, exec.Command("go", "build", "-o", plain, "."))
	if status, stderr := launched(t, module, "build", "-o", zoned, "."); status != 0 {
		t.Fatal(stderr)
	}
	want, wantErr := exec.Command(plain).Output()
	got, gotErr := exec.Command(zoned).Output()
	if !bytes.Equal(got, want) || wantErr.Error() != gotErr.Error() {
		t.Errorf("%v: it sees\n%s\nwithout zones %v\n%s", gotErr, got, wantErr, want)
	}
	_, stderr := launched(t, module, "run", ".")
	for _, zone := range []string{"  Work  sub.go:3", "  main  main.go:"} {
		if !strings.Contains(stderr, zone) {
			t.Errorf("the report has no %s:\n%s", zone, stderr)
		}
	}
}

// What cannot be built fails, whatever the reason, and the others are tested and measured, as go test has it.
func TestABrokenPackageStopsNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	texts := map[string]string{
		"good/a.go":       "package good\n\nfunc Sum(n int) (s int) { for i := range n { s += i }; return s }\n",
		"missing/a.go":    "package missing\n\nimport _ \"example.org/nowhere/x\"\n",
		"syntax/a.go":     "package syntax\n\nfunc F( {\n",
		"types/a.go":      "package types\n\nfunc F() int { return \"x\" }\n",
		"vetted/a.go":     "package vetted\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"x\") }\n",
		"tests/a.go":      "package tests\n",
		"tests/b_test.go": "package tests\n\nimport _ \"example.org/nowhere/y\"\n",
	}
	for _, name := range []string{"missing", "syntax", "types", "vetted"} {
		texts[name+"/a_test.go"] = "package " + name + "\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n"
	}
	texts["good/a_test.go"] = "package good\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { Sum(10) }\n"
	module := inModule(t, texts)
	plain, err := exec.Command("go", "test", "-count=1", "./...").Output()
	if err == nil {
		t.Fatal("go test finds nothing wrong")
	}
	out, stderr := asIprof(t, ".", "test", "-module", module, "./...")
	if got, want := results(out), results(string(plain)); !slices.Equal(got, want) {
		t.Errorf("got %q; go test has %q\n%s", got, want, stderr)
	}
	if !strings.Contains(stderr, "  Sum  a.go") {
		t.Errorf("the report has no row of Sum:\n%s", stderr)
	}
}

// results returns the lines of go test about packages, without their times.
func results(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "example.org/") {
			lines = append(lines, regexp.MustCompile(`\s+(\(cached\)|\d.*s)?\s*$`).ReplaceAllString(line, ""))
		}
	}
	slices.Sort(lines)
	return lines
}

func TestALongStartSaysWhatItDoes(t *testing.T) {
	module := inModule(t, map[string]string{"main.go": brokenMain})
	before := sayAfter
	defer func() { sayAfter = before }()
	sayAfter = time.Millisecond
	for _, report := range []string{"-", "none"} {
		if report == "none" && testing.Short() {
			continue
		}
		_, said := launched(t, module, "run", "-report", report, ".")
		for _, what := range []string{"choosing functions", "building the program with zones: 1ms so far\n"} {
			if strings.Contains(said, what) != (report == "-") {
				t.Errorf("-report %s: got\n%s\nwant %q only with a report", report, said, what)
			}
		}
	}
}
