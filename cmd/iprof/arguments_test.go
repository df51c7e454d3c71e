package main

import (
	"flag"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	return text
}

// Where the program runs here, and not where it is only built.
func TestASlowClockChoosesFewerFunctions(t *testing.T) {
	again := func() { platform.SetClock(nil, 0) } // it is chosen again
	t.Cleanup(again)
	t.Setenv("IPROF_CLOCK", "go")
	again()
	for verb, want := range map[string]bool{"run": true, "test": true, "build": false} {
		a, err := parse(verb, nil)
		if err != nil || a.plan.Selection.SlowClock != want {
			t.Errorf("%s: got %+v, %v; want slow clock %t", verb, a, err, want)
		}
	}
}

func TestArgumentsGoToTheirPrograms(t *testing.T) {
	for _, test := range []struct {
		verb, line        string
		packages, program string
		goFlags           string
		check             func(*arguments) bool
	}{
		{verb: "run", line: "./cmd/game -level 3", packages: "./cmd/game", program: "-level 3"},
		{verb: "run", line: "-tags x -race . a b", packages: ".", program: "a b", goFlags: "-tags=x -race"},
		{verb: "run", line: "main.go other.go arg", packages: "main.go other.go", program: "arg"},
		{verb: "run", line: "-frame 16ms .", packages: ".",
			check: func(a *arguments) bool { return a.every == 16*time.Millisecond }},
		{verb: "run", line: "-frame routes .", packages: ".",
			check: func(a *arguments) bool { return a.plan.Frames.Routes && len(a.plan.Frames.Functions) == 0 }},
		{verb: "run", line: "-frame=game.(*Game).Update .", packages: ".",
			check: func(a *arguments) bool { return a.plan.Frames.Functions[0] == "game.(*Game).Update" }},
		{verb: "build", line: "-o out ./a ./b", packages: "./a ./b",
			check: func(a *arguments) bool { return a.output == "out" }},
		{verb: "run", line: "-o out.iprof -listen :6061 . -o x", packages: ".", program: "-o x",
			check: func(a *arguments) bool {
				return filepath.Base(a.record) == "out.iprof" && a.output == "" && a.listen == ":6061" &&
					len(a.plan.Imports) == 1
			}},
		{verb: "test", line: "./a ./b -run X -v", packages: "./a ./b", goFlags: "-run=X -v"},
		{verb: "run", line: "-std net/http,encoding/json .", packages: ".",
			check: func(a *arguments) bool { return slices.Equal(a.plan.Std, []string{"net/http", "encoding/json"}) }},
		{verb: "run", line: "-n -all", packages: ".",
			check: func(a *arguments) bool { return a.list && a.plan.Selection.All }},
	} {
		t.Run(test.verb+" "+test.line, func(t *testing.T) {
			a := must.Get(parse(test.verb, strings.Fields(test.line)))(t)
			if got := strings.Join(a.plan.Packages, " "); got != test.packages {
				t.Errorf("packages %q; want %q", got, test.packages)
			}
			if got := strings.Join(a.program, " "); got != test.program {
				t.Errorf("the program's %q; want %q", got, test.program)
			}
			if got := strings.Join(a.goFlags, " "); got != test.goFlags {
				t.Errorf("go's %q; want %q", got, test.goFlags)
			}
			if test.check != nil && !test.check(a) {
				t.Errorf("got %+v", a)
			}
		})
	}
}

func TestBadArgumentsNameTheMistake(t *testing.T) {
	for line, want := range map[string]string{
		"-overlay x .":    "overlay",
		"-include ( .":    "-include",
		"-frame -1s .":    "not above 0",
		"-tags":           "needs a value",
		"-min many .":     "-min",
		"-toolexec=vet .": "toolexec",
		"-coverpkg":       "needs a value",
		"-std":            "needs a value",
		"-o help.go .":    "choose another name",
		"-frmae 16ms .":   "did you mean -frame?",
		"-lisen :0 .":     "did you mean -listen?",
		"-tag x .":        "did you mean -tags?",
		"--reprot x .":    "did you mean -report?",

		"-o none/x.iprof .":       "there is no folder",
		"-report none/x .":        "there is no folder",
		"-report .. .":            "name a file in it",
		"-cpuprofile none/x .":    "there is no folder",
		"-listen 7179 .":          " :7179",
		"-listen ::1:7179 .":      " [::1]:7179",
		"-listen localhost .":     " localhost:6061",
		"-listen localhost:x9 .":  "1 to 65535",
		"-listen 0.0.0.0:0 .":     "IPROF_TOKEN",
		"-listen 256.1.1.1:0 .":   "",
		"-view -live -listen 1 .": "choose one",
	} {
		t.Run(line, func(t *testing.T) {
			if _, err := parse("run", strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v; want an error with %q", err, want)
			}
		})
	}
}

// The status is 2, and the program, which does not build, is not looked at. Nothing is left in the folders.
func TestWhatCannotBeHadCostsNoBuild(t *testing.T) {
	dir := inModule(t, map[string]string{"main.go": "package main\n\nthis does not build\n"})
	taken := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	t.Setenv("IPROF_TOKEN", "")
	for line, want := range map[string]string{
		"-o none/a.iprof":                  "no folder",
		"-report none/a.json":              "no folder",
		"-report ..":                       "is a folder",
		"-cpuprofile none/a":               "no folder",
		"-listen " + taken.Addr().String(): "in use",
		"-listen 0.0.0.0:0":                "IPROF_TOKEN",
		"-listen 7179":                     ":7179",
		"-frmae 16ms":                      "-frame?",
		"-cpuprofile a -report ./a":        "-report and -cpuprofile both name",
		"-o a -cpuprofile a":               "-o and -cpuprofile both name",
		"-report main.go":                  "a source file",
	} {
		status, said := launched(t, dir, "run", append(strings.Fields(line), ".")...)
		if status != 2 || !strings.Contains(said, want) || strings.Contains(said, "does not build") {
			t.Errorf("%s: status %d, want 2 and %q:\n%s", line, status, want, said)
		}
	}
	if _, err := parse("test", []string{"-report", "none/a", "."}); err == nil {
		t.Error("test: got no error for a report in no folder")
	}
	for _, line := range []string{"-o a.iprof", "-report a.json", "-listen :0", "-listen 127.0.0.1:0",
		"-report /dev/null -cpuprofile /dev/null"} {
		a, err := parse("run", append(strings.Fields(line), "."))
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if a.record != "" {
			if _, err := os.Stat(filepath.Base(a.record)); err == nil {
				t.Errorf("%s: the file is there before the run", line)
			}
		}
	}
	if left, _ := filepath.Glob(".iprof-*"); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// The flags are read from the go command in use, so a flag that Go adds is known.
func TestTheGoCommandSaysWhatItsFlagsAre(t *testing.T) {
	flags := must.Get(readGoFlags("test"))(t)
	for name, valued := range map[string]bool{
		"race": false, "tags": true, "mod": true, "C": true, "ldflags": true, "buildvcs": false, "trimpath": false,
		"run": true, "fuzz": true, "fuzztime": true, "shuffle": true, "vet": true, "list": true, "blockprofile": true,
		"mutexprofile": true, "outputdir": true, "benchmem": false, "v": false, "exec": true, "c": false, "json": false,
		"coverprofile": true, "cover": false,
	} {
		if got, there := flags[name]; !there || got != valued {
			t.Errorf("-%s: there: %t, takes a value: %t; want %t", name, there, got, valued)
		}
	}
	if len(flags) < 60 {
		t.Errorf("%d flags; the pages of go help have more", len(flags))
	}
}

func TestFlagsOfGoTest(t *testing.T) {
	for _, test := range []struct{ line, packages, goFlags, program string }{
		{"-fuzz FuzzWords .", ".", "-fuzz=FuzzWords", ""},
		{"-shuffle on -v ./a", "./a", "-shuffle=on -v", ""},
		{"-blockprofile b.out .", ".", "-blockprofile=b.out", ""},
		{"-test.run X .", ".", "-test.run=X", ""},
		{". -tags x -run Y", ".", "-tags=x -run=Y", ""},
		{". -mine value -count 2", ".", "-count=2", "-mine value"},
		{". -args -cover", ".", "", "-args -cover"},
	} {
		a, err := parse("test", strings.Fields(test.line))
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		got := [3]string{strings.Join(a.plan.Packages, " "), strings.Join(a.goFlags, " "), strings.Join(a.program, " ")}
		if want := [3]string{test.packages, test.goFlags, test.program}; got != want {
			t.Errorf("%s: packages, flags, arguments %q; want %q", test.line, got, want)
		}
	}
	for line, want := range map[string]bool{"-coverprofile=c.out .": true, ". -cover": true, ". -coverpkg ./...": true,
		"-test.coverprofile c .": true, "-cover=false .": false, ". -v": false, ". -args -cover": false} {
		if a, err := parse("test", strings.Fields(line)); err != nil || a.plan.Cover != want {
			t.Errorf("%s: cover is %t, %v; want %t", line, a.plan.Cover, err, want)
		}
	}
}

// The go command names files from the working directory.
func TestVetNamesPackages(t *testing.T) {
	dir := must.Get(os.Getwd())(t)
	listed := "example.org/a " + filepath.Join(dir, "a") + "\nexample.org/b " + filepath.Join(dir, "b") +
		"\nexample.org " + dir + "\n"
	const out = "a/a.go:3:2: bad\nvet: b/b_test.go:1:1: bad\n"
	if got := strings.Join(vetPackages([]byte(out), []byte(listed)), " "); got != "example.org/a example.org/b" {
		t.Errorf("got %q", got)
	}
	if got := vetPackages([]byte("./x.go:1:1: bad\n"), []byte(listed)); len(got) != 1 || got[0] != "example.org" {
		t.Errorf("got %q; want the package in the working directory", got)
	}
}

// ran returns the status of a command line, and what it writes to standard output and standard error.
func ran(t *testing.T, args ...string) (status int, out, complaint string) {
	t.Helper()
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "stdout")))(t)
	defer file.Close()
	old := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = old }()
	complaint = complained(t, func() { status = dispatch(args) })
	return status, string(readFile(t, file.Name())), complaint
}

func TestEachCommandHasItsHelp(t *testing.T) {
	for _, c := range commands {
		if c.name == "help" {
			continue
		}
		var flags []string
		described = func(f *flag.FlagSet) { f.VisitAll(func(l *flag.Flag) { flags = append(flags, l.Name) }) }
		c.run(nil)
		described = nil
		for _, line := range [][]string{{"help", c.name}, {c.name, "-h"}, {c.name, "--help"}} {
			status, out, complaint := ran(t, line...)
			if status != 0 || complaint != "" || !strings.HasPrefix(out, "usage: iprof "+c.name) {
				t.Errorf("%q: got status %d, %q, %q; want its usage", line, status, out, complaint)
			}
			for _, name := range flags {
				if !strings.Contains(out, "\n  -"+name+" ") {
					t.Errorf("%q: got no line of -%s", line, name)
				}
			}
		}
	}
	if _, out, _ := ran(t, "help", "run"); !strings.Contains(out, "\n  -frame FUNC ") {
		t.Errorf("run: got\n%s", out)
	}
}

// A line that names the nearest, not the whole help.
func TestMistypedCommandsAndFlags(t *testing.T) {
	for line, want := range map[string]string{
		"runn .": "iprof run?", "expotr x": "iprof export?", "help toop": "iprof help top?",
		"top -jsn x": "did you mean -json?", "top --nonsense x": "there is no flag -",
		"export -frames many x": "chooses no frames",
		"diff -percent":         "needs an argument", "diff a": "usage: iprof diff",
		"top -token t localhost:1": "IPROF_TOKEN",
	} {
		status, out, complaint := ran(t, strings.Fields(line)...)
		if status != 2 || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, want) {
			t.Errorf("%s: got status %d, %q, %q; want a line with %q", line, status, out, complaint, want)
		}
	}
}

// Before and behind the file, with one dash or two, and a file whose name is a flag's behind "--".
func TestFlagsInAnyOrder(t *testing.T) {
	path := recorded(t)
	for _, line := range [][]string{{"top", path, "-json"}, {"top", "--json", path}, {"top", "-json=true", path},
		{"graph", "physics_solve", "-json", path}, {"top", "-json", "--", path}} {
		if status, out, complaint := ran(t, line...); status != 0 || !strings.HasPrefix(out, "{") {
			t.Errorf("%q: got status %d, %q, %q; want a JSON object", line, status, out, complaint)
		}
	}
}

// Files are the shells' own matter.
func TestCompletion(t *testing.T) {
	capture := readFile(t, recorded(t))
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("game.iprof", capture, 0o600))
	for line, want := range map[string]string{
		"ex": "export", "help ve": "verdicts version", "top -j": "-json", "top --js": "--json",
		"run -ra": "-race", "run -fr": "-frame", "test -be": "-bench -benchmem -benchtime",
		"export -format fo": "folded", "completion f": "fish", "graph physics": "physics_solve",
		"top game": "", "nonsense -": "",
	} {
		if got := strings.Join(candidates(strings.Split(line, " ")), " "); got != want {
			t.Errorf("%s: got %q; want %q", line, got, want)
		}
	}
	if all := candidates([]string{""}); !slices.Contains(all, "run") || len(all) != len(commands) {
		t.Errorf("got %q; want all commands", all)
	}
}
