package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/iprof/internal/instrument"
)

// go test runs go vet on the packages that it tests, and does not build tests of a package with problems. Its vet would
// see the files with zones and the profiler's packages. So this command runs go vet first, on the program's own files.

// vetByDefault are the checks that go test makes.
var vetByDefault = []string{"atomic", "bool", "buildtags", "directive", "errorsas", "ifaceassert", "nilfunc", "printf",
	"slog", "stringintconv", "tests"}

// vetted returns the packages in which go vet finds something. ok is false after a signal.
func (a *arguments) vetted() (bad []string, ok bool) {
	if a.vet == "off" {
		return nil, true
	}
	args := []string{"vet"}
	checks := vetByDefault
	if a.vet != "" {
		checks = strings.Split(a.vet, ",")
	}
	for _, check := range checks {
		if check != "all" {
			args = append(args, "-"+check)
		}
	}
	args = append(args, a.plan.Flags...)
	out, err := a.goVet(args, a.plan.Packages)
	if err == nil || a.plan.Context.Err() != nil {
		return nil, a.plan.Context.Err() == nil
	}
	listed, err := a.listed("{{.ImportPath}} {{.Dir}}")
	if err != nil {
		return nil, true // the build reports the cause
	}
	broken, _ := a.listed("{{if .Incomplete}}{{.ImportPath}}{{end}}", "-test")
	if bad = inFirstColumn(listed, strings.Fields(string(broken))); len(bad) > 0 { // go vet has checked none of them
		out, _ = a.goVet(args, a.without(bad))
	}
	return append(bad, vetPackages(out, listed)...), a.plan.Context.Err() == nil
}

func (a *arguments) goVet(args, packages []string) ([]byte, error) {
	cmd := exec.CommandContext(a.plan.Context, "go", append(slices.Clone(args), packages...)...)
	instrument.End(cmd)
	return cmd.CombinedOutput()
}

// inFirstColumn returns the words that are the first of a line.
func inFirstColumn(lines []byte, words []string) (found []string) {
	for line := range strings.Lines(string(lines)) {
		if first, _, _ := strings.Cut(line, " "); slices.Contains(words, first) {
			found = append(found, first)
		}
	}
	return found
}

// diagnosis is a line of go vet's output: a file, a line and a column.
var diagnosis = regexp.MustCompile(`(?m)^(?:vet: )?(\S.*\.go):\d+:\d+: `)

// vetPackages returns the packages in whose files go vet finds something. listed has an import path and a folder in
// each line.
func vetPackages(out, listed []byte) (packages []string) {
	paths := map[string]string{}
	for line := range strings.Lines(string(listed)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		paths[dir] = path
	}
	for _, m := range diagnosis.FindAllSubmatch(out, -1) {
		dir, err := filepath.Abs(filepath.Dir(string(m[1])))
		if path := paths[dir]; err == nil && path != "" && !slices.Contains(packages, path) {
			packages = append(packages, path)
		}
	}
	slices.Sort(packages)
	return packages
}

// listed returns a line for each tested package.
func (a *arguments) listed(format string, flags ...string) ([]byte, error) {
	args := slices.Concat([]string{"list", "-e", "-f", format}, flags, a.plan.Flags, []string{"--"})
	return exec.CommandContext(a.plan.Context, "go", append(args, a.plan.Packages...)...).Output()
}

// without returns the tested packages without the bad ones.
func (a *arguments) without(bad []string) []string {
	if len(bad) == 0 {
		return a.plan.Packages
	}
	listed, err := a.listed("{{.ImportPath}}")
	if err != nil {
		return a.plan.Packages
	}
	isBad := func(path string) bool { return slices.Contains(bad, path) }
	return slices.DeleteFunc(strings.Fields(string(listed)), isBad)
}
