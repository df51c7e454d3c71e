package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// TestTheGoCommandSaysWhatItsFlagsAre: the flags are read from the go command in use, so a flag that Go adds is known.
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

// TestFlagsOfGoTest: they may stand before and behind the packages, and their values may be arguments of their own.
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

// TestVetNamesPackages: also those of external tests. The go command names files from the working directory.
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
