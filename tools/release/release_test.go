package main

import (
	"os"
	"path/filepath"
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
	id, _, err := licenceOf("../..")
	if err != nil || id == "" {
		t.Errorf("the module's own licence: got %q, %v", id, err)
	}
	dir := t.TempDir()
	if _, _, err := licenceOf(dir); err == nil {
		t.Error("a folder without a licence: got no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := licenceOf(dir); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("a licence that is not known: got error %v", err)
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
