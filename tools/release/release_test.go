package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSectionsAreThoseOfTheirVersion(t *testing.T) {
	const changes = "# Changes\n\n## v0.2.0 (2026-12-01)\n\n* New.\n* More.\n\n## v0.1.0\n\n* Old.\n\n## v0.0.1\n\n"
	for version, want := range map[string]string{"v0.2.0": "* New.\n* More.\n", "v0.1.0": "* Old.\n"} {
		if got, err := section(changes, version); got != want || err != nil {
			t.Errorf("%s: got %q, %v; want %q", version, got, err, want)
		}
	}
	for version, want := range map[string]string{"v0.3.0": "no section", "v0.0.1": "empty", "v0.2": "no section"} {
		if _, err := section(changes, version); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v; want %q", version, err, want)
		}
	}
}

// A release made of a tree with newer changes says that its notes lack them.
func TestNotesOfATreeWithNewerChanges(t *testing.T) {
	for newer, want := range map[string]int{"## Unreleased\n\n* Newer.\n\n": 1, "## Unreleased\n\n": 0, "": 0} {
		dir := t.TempDir()
		changes := "# Changes\n\n" + newer + "## v0.2.0\n\n* New.\n"
		if err := os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), []byte(changes), 0o600); err != nil {
			t.Fatal(err)
		}
		r := &release{root: dir, out: dir, version: "v0.2.0"}
		if err := r.notes(); err != nil {
			t.Fatal(err)
		}
		if len(r.unchecked) != want {
			t.Errorf("%q: got %q; want %d line", newer, r.unchecked, want)
		}
		if notes, _ := os.ReadFile(filepath.Join(dir, "notes.md")); string(notes) != "* New.\n" {
			t.Errorf("%q: got the notes %q", newer, notes)
		}
	}
}

func TestLicencesAreRecognised(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := licencesOf(dir, true); err == nil {
		t.Error("a folder without a licence: got no error")
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	write("LICENSE", "Permission is hereby granted, free of charge")
	write("glfw/LICENSE.md", "This software is provided 'as-is', by GLFW")
	write("testdata/LICENSE", "All rights reserved.")
	ids, text, err := licencesOf(dir, true)
	if !slices.Equal(ids, []string{"MIT", "Zlib"}) || !strings.Contains(string(text), "by GLFW") || err != nil {
		t.Errorf("got %q, %v in\n%s\nwant the licence of the folder inside, too", ids, err, text)
	}
	write("LICENSE", "All rights reserved.")
	if _, _, err := licencesOf(dir, false); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("a licence that is not known: got error %v", err)
	}
}

// Every program has the library of Go in it, and those that draw our typefaces: their licences want to be told.
func TestLicencesOfGoAndOfTypefaces(t *testing.T) {
	r := &release{root: "../..", module: "example.com/iprof", version: "v0.2.0"}
	modules, err := r.linked()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range modules {
		got = append(got, m.path+" "+strings.Join(m.licences, " "))
	}
	if want := []string{"example.com/iprof/fonts BSD-3-Clause", "std BSD-3-Clause"}; !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// A release can be made in a worktree of git, whose .git is a file.
func TestModulesOfAWorktree(t *testing.T) {
	tree, beside := t.TempDir(), filepath.Join(t.TempDir(), "beside")
	for _, folder := range append([]string{""}, nested...) {
		dir := filepath.Join(tree, folder)
		mod := []byte("module " + path.Join("example.com/iprof", folder) + "\n")
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o600),
			os.WriteFile(filepath.Join(dir, "LICENSE"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "all"},
		{"worktree", "add", "-q", beside}} {
		if err := run(tree, nil, "git", args...); err != nil {
			t.Fatal(err)
		}
	}
	r := &release{root: beside, out: t.TempDir(), module: "example.com/iprof", version: "v0.2.0"}
	if err := r.zips(); err != nil {
		t.Fatal(err)
	}
	zips, _ := filepath.Glob(filepath.Join(r.out, "proxy/example.com/iprof/*/*/@v/v0.2.0.zip"))
	if len(zips) == 0 {
		t.Error("got no zip of a nested module")
	}
}

func TestWrongVersionsAreRefused(t *testing.T) {
	for _, version := range []string{"0.2.0", "v1", "v0.2.0+meta", "next"} {
		if _, err := begin("../..", filepath.Join(t.TempDir(), "dist"), version); err == nil {
			t.Errorf("%s: got no error", version)
		}
	}
	if _, err := begin("../..", t.TempDir(), "v0.2.0"); err == nil || !strings.Contains(err.Error(), "OUT=") {
		t.Errorf("a folder that exists: got error %v", err)
	}
}

func TestTheSumsAreOfEveryFile(t *testing.T) {
	r := &release{out: t.TempDir(), version: "v0.2.0"}
	program := r.file("iprof")
	if err := errors.Join(os.WriteFile(program, []byte("iprof"), 0o755), r.sums()); err != nil {
		t.Fatal(err)
	}
	if got := r.programs(); !slices.Equal(got, []string{program}) {
		t.Errorf("got the programs %q; want %q", got, program)
	}
	sums, _ := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if want := sumOf(program) + "  " + filepath.Base(program) + "\n"; string(sums) != want {
		t.Errorf("got %q; want %q", sums, want)
	}
}

// What is published requires the release, and replaces nothing by a folder of the tree.
func TestPublishedModulesHaveTheirVersion(t *testing.T) {
	for _, folder := range nested {
		mod, err := os.ReadFile(filepath.Join("../..", folder, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := published(mod, "example.com/iprof", "v1.2.3")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(got), "example.com/iprof v1.2.3") || strings.Contains(string(got), "replace") {
			t.Errorf("%s: got\n%s\nwant the version, and no replacement", folder, got)
		}
	}
}

// A command that was built without its sources and its viewer is no release, and neither is one of another version.
func TestTheCommandHasToWorkAlone(t *testing.T) {
	r := &release{root: "../..", out: t.TempDir(), version: "v0.2.0"}
	for _, name := range []string{"iprof", reader, "glviewer"} {
		script := "#!/bin/sh\n[ $1 = -version ] && echo " + name + " $VERSION x || [ $1 != \"$BROKEN\" ]\n"
		if err := os.WriteFile(r.file(name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("VERSION", r.version)
	for broken, want := range map[string]bool{"": true, "run": false, "html": false} {
		t.Setenv("BROKEN", broken)
		if err := r.tryAlone(); (err == nil) != want {
			t.Errorf("without %q: got %v", broken, err)
		}
	}
	t.Setenv("BROKEN", "")
	t.Setenv("VERSION", "v0.3.0")
	if err := r.tryAlone(); err == nil || !strings.Contains(err.Error(), "v0.3.0") {
		t.Errorf("with the version of another: got %v", err)
	}
}
