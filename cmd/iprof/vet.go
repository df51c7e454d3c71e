package main

import (
	"bufio"
	"bytes"
	"os/exec"
	"slices"
	"strings"

	"example.com/iprof/internal/instrument"
)

// go test runs go vet on the packages that it tests, and builds no tests of a package with problems. Vet would see the
// files with zones and the profiler's packages, so it is run before, on the program's own files.

// vetByDefault are the checks that go test makes.
var vetByDefault = []string{"atomic", "bool", "buildtags", "directive", "errorsas", "ifaceassert", "nilfunc", "printf",
	"stringintconv", "tests"}

// vetted returns the packages in which go vet finds something. ok is false after a signal.
func (a *arguments) vetted() (bad []string, ok bool) {
	if a.vet == "off" || slices.Contains(a.goFlags, "-c") {
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
	cmd := exec.CommandContext(a.plan.Context, "go", append(append(args, a.plan.Flags...), a.plan.Packages...)...)
	instrument.End(cmd)
	out, err := cmd.CombinedOutput()
	if a.plan.Context.Err() != nil {
		return nil, false
	}
	if err == nil {
		return nil, true
	}
	return vetPackages(out), true
}

// vetPackages returns the packages that the output of go vet names: "# [example.org/game]".
func vetPackages(out []byte) (packages []string) {
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		line, ok := strings.CutPrefix(s.Text(), "# [")
		if name, closed := strings.CutSuffix(line, "]"); ok && closed && !slices.Contains(packages, name) {
			packages = append(packages, strings.TrimSuffix(strings.Fields(name)[0], "_test"))
		}
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// without returns the packages that are tested but for the bad ones.
func (a *arguments) without(bad []string) []string {
	if len(bad) == 0 {
		return a.plan.Packages
	}
	args := append(append([]string{"list", "-e"}, a.plan.Flags...), "--")
	out, err := exec.CommandContext(a.plan.Context, "go", append(args, a.plan.Packages...)...).Output()
	if err != nil {
		return a.plan.Packages
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(p string) bool { return slices.Contains(bad, p) })
}
