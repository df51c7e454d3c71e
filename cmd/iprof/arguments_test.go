package main

import (
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

// TestASlowClockChoosesFewerFunctions: where the program runs here, and not where it is only built.
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
