package main

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

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

// TestEachCommandHasItsHelp: in each way that people ask for it, with each of its flags.
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

// TestMistypedCommandsAndFlags: a line that names the nearest, not the whole help.
func TestMistypedCommandsAndFlags(t *testing.T) {
	for line, want := range map[string]string{
		"runn .": "iprof run?", "expotr x": "iprof export?", "help toop": "iprof help top?",
		"top -jsn x": "did you mean -json?", "top --nonsense x": "there is no flag -",
		"export -slowest many x": "invalid value", "diff -percent": "needs an argument", "diff a": "usage: iprof diff",
		"top -token t localhost:1": "IPROF_TOKEN",
	} {
		status, out, complaint := ran(t, strings.Fields(line)...)
		if status != 2 || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, want) {
			t.Errorf("%s: got status %d, %q, %q; want a line with %q", line, status, out, complaint, want)
		}
	}
}

// TestFlagsInAnyOrder: before and behind the file, with one dash or two, and a file whose name is a flag's behind "--".
func TestFlagsInAnyOrder(t *testing.T) {
	path := recorded(t)
	for _, line := range [][]string{{"top", path, "-json"}, {"top", "--json", path}, {"top", "-json=true", path},
		{"graph", "physics_solve", "-json", path}, {"top", "-json", "--", path}} {
		if status, out, complaint := ran(t, line...); status != 0 || !strings.HasPrefix(out, "{") {
			t.Errorf("%q: got status %d, %q, %q; want a JSON object", line, status, out, complaint)
		}
	}
}

// TestCompletion: of commands, flags, formats and zones. Files are the shells' own matter.
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
