package main

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// isVersioned reports whether the program to run is "pkg@version", by the rule of go run.
func (a *arguments) isVersioned() bool {
	if a.verb != "run" || len(a.plan.Packages) != 1 {
		return false
	}
	name := a.plan.Packages[0]
	return strings.Contains(name, "@") && !strings.HasSuffix(name, ".go") && !build.IsLocalImport(name) &&
		!filepath.IsAbs(name)
}

// fetch makes "pkg@version" the program. Until restore there is no workspace: it is not the one of that module. The
// program itself gets the environment as it was.
func (a *arguments) fetch() (restore func(), err error) {
	a.environ = os.Environ()
	old, was := os.LookupEnv("GOWORK")
	restore = func() {
		if os.Unsetenv("GOWORK"); was {
			os.Setenv("GOWORK", old)
		}
	}
	os.Setenv("GOWORK", "off")
	program := a.plan.Packages[0]
	version, err := a.plan.Fetch(program)
	if err != nil {
		return restore, err
	}
	a.goFlags = append(slices.Clone(a.plan.Flags[:1]), a.goFlags...)
	if !strings.HasSuffix(program, "@"+version) && a.report != "none" {
		stderr.Printf("iprof: %s is %s\n", program, version)
	}
	return restore, nil
}

// environment returns the environment of the program.
func (a *arguments) environment() []string {
	if a.environ != nil {
		return slices.Clone(a.environ)
	}
	return os.Environ()
}
