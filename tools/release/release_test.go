package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
)

// script runs parts of the script with another tree, or with this one, and returns what it says.
func script(t *testing.T, root, out, version string, parts ...string) (said string, err error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"release", out, version}, parts...)...)
	cmd.Env = os.Environ()
	if root != "" {
		cmd.Env = append(cmd.Env, "ROOT="+root)
	}
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// write writes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o755))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Notes are the section of a version. A release made of a tree with newer changes says that its notes lack them.
func TestNotesAreTheSectionOfTheirVersion(t *testing.T) {
	const changes = "## v0.2.0 (2026-12-01)\n\n* New.\n\n* More.\n\n## v0.1.0\n\n* Old.\n\n## v0.0.1\n\n"
	for _, c := range []struct{ head, version, notes, said string }{
		{"", "v0.2.0", "* New.\n\n* More.\n", ""},
		{"", "v0.1.0", "* Old.\n", ""},
		{"## Unreleased\n\n", "v0.1.0", "* Old.\n", ""},
		{"## Unreleased\n\n* Newer.\n\n", "v0.1.0", "* Old.\n", "not checked: the notes lack 1 lines"},
		{"", "v0.3.0", "", "no section"},
		{"", "v0.0.1", "", "empty"},
	} {
		root, out := t.TempDir(), t.TempDir()
		write(t, root, map[string]string{"CHANGELOG.md": "# Changes\n\n" + c.head + changes, "go.mod": "module m\n"})
		said, err := script(t, root, out, c.version, "notes")
		notes, _ := os.ReadFile(filepath.Join(out, "notes.md"))
		if string(notes) != c.notes || !strings.Contains(said, c.said) || (err == nil) != (c.notes != "") ||
			c.said == "" && strings.Contains(said, "not checked") {
			t.Errorf("%q%s: got %q, %v, and the notes %q; want %q and %q", c.head, c.version, said, err, notes, c.said,
				c.notes)
		}
	}
}

func TestLicencesAreRecognised(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := licencesOf(dir, true); err == nil {
		t.Error("a folder without a licence: got no error")
	}
	mit, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	bsd, err := os.ReadFile("../../fonts/LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"LICENSE": string(mit), "glfw/LICENSE.md": string(bsd),
		"testdata/LICENSE": "All rights reserved."})
	ids, text, err := licencesOf(dir, true)
	if !slices.Equal(ids, []string{"MIT", "BSD-3-Clause"}) || !bytes.Contains(text, bsd) || err != nil {
		t.Errorf("got %q, %v in\n%s\nwant the licence of the folder inside, too", ids, err, text)
	}
	write(t, dir, map[string]string{"LICENSE": "All rights reserved."})
	if _, _, err := licencesOf(dir, false); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("a licence that is not known: got error %v", err)
	}
	ours := module.Version{Path: "m", Version: "v0.2.0"}
	if err := writeLicences(ours, dir, strings.NewReader("m v1\n")); err == nil {
		t.Error("a module without a folder: got no error")
	}
}

// Every program has the library of Go in it, and those that draw our typefaces: their licences must be shown.
func TestLicencesOfGoAndOfTypefaces(t *testing.T) {
	out := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(out, "iprof_v0.2.0_linux_amd64"), ".")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err := script(t, "", out, "v0.2.0", "licences"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, _ := os.ReadFile(filepath.Join(out, "licences.txt"))
	sbom, _ := os.ReadFile(filepath.Join(out, "sbom.json"))
	for _, want := range []string{"example.com/iprof/fonts v0.2.0 (BSD-3-Clause)", "\nstd 1.", "golang.org/x/mod v",
		"github.com/google/licensecheck v"} {
		if !strings.Contains("\n"+string(text), want) {
			t.Errorf("licences: got no %q in\n%s", want, text)
		}
		name, _, _ := strings.Cut(strings.TrimSpace(want), " ")
		if !strings.Contains(string(sbom), `"name": "`+name+`"`) {
			t.Errorf("SBOM: got no %s in\n%s", name, sbom)
		}
	}
}

// tree has a module and those below it, and a worktree of git, whose .git is a file. What is published requires the
// release, and replaces nothing by a folder of the tree.
func TestModulesOfAWorktree(t *testing.T) {
	tree, beside, out := t.TempDir(), filepath.Join(t.TempDir(), "beside"), t.TempDir()
	nested := []string{"cmd/iprof-query", "cmd/iprofvet", "exectrace", "export/otel", "export/prometheus",
		"hosts/ebitengine", "hosts/raylib", "iprofhttp/routers"}
	for _, folder := range append([]string{"."}, nested...) {
		mod, err := os.ReadFile(filepath.Join("../..", folder, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, tree, map[string]string{folder + "/go.mod": string(mod), folder + "/a.go": "package a\n"})
	}
	write(t, tree, map[string]string{"LICENSE": "ours"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "all"},
		{"worktree", "add", "-q", beside}} {
		if said, err := exec.Command("git", append([]string{"-C", tree}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	if said, err := script(t, beside, out, "v1.2.3", "modules"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, folder := range append([]string{""}, nested...) {
		at := filepath.Join(out, "proxy", path.Join("example.com/iprof", folder), "@v", "v1.2.3")
		if zip, err := os.ReadFile(at + ".zip"); err != nil || !bytes.Contains(zip, []byte("v1.2.3/LICENSE")) {
			t.Errorf("%q: got error %v; want a zip with a licence", folder, err)
		}
		mod, err := os.ReadFile(at + ".mod")
		alone := folder == "" || folder == "cmd/iprofvet" // they require no module of ours
		if err != nil || bytes.Contains(mod, []byte("replace")) ||
			!alone && !bytes.Contains(mod, []byte("example.com/iprof v1.2.3")) {
			t.Errorf("%q: got %v,\n%s\nwant the version, and no replacement", folder, err, mod)
		}
	}
}

func TestWrongVersionsAreRefused(t *testing.T) {
	for _, version := range []string{"0.2.0", "v1", "v0.2.0+meta", "next", "v01.2.0"} {
		if said, err := script(t, "", filepath.Join(t.TempDir(), "dist"), version); err == nil {
			t.Errorf("%s: got %q and no error", version, said)
		}
	}
	if said, err := script(t, "", t.TempDir(), "v0.2.0"); err == nil || !strings.Contains(said, "OUT=") {
		t.Errorf("a folder that exists: got %q, %v", said, err)
	}
}

func TestTheSumsAreOfEveryFile(t *testing.T) {
	out := t.TempDir()
	write(t, out, map[string]string{"iprof": "iprof", "proxy/a": ""})
	if said, err := script(t, "", out, "v0.2.0", "sums"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	sums, _ := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	const want = "cf78278f255e101a91c330ca8ef68231e0c925c9e123e040847ff39ec3f045b1  iprof\n" +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  proxy/a\n"
	if string(sums) != want {
		t.Errorf("got %q; want %q", sums, want)
	}
}

// A command that was built without its sources and its viewer is no release, and neither is one of another version.
func TestTheCommandHasToWorkAlone(t *testing.T) {
	system, err := exec.Command("go", "env", "GOOS", "GOARCH").Output()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for _, name := range []string{"iprof", "iprof-import-trace", "iprof-query", "glviewer"} {
		file := strings.Join(append([]string{name, "v0.2.0"}, strings.Fields(string(system))...), "_")
		write(t, out, map[string]string{file: "#!/bin/sh\n[ $1 = -version ] && echo " + name +
			" $VERSION x || [ $1 != \"$BROKEN\" ]\n"})
	}
	for _, c := range []struct {
		broken, version string
		right           bool
	}{{"", "v0.2.0", true}, {"run", "v0.2.0", false}, {"html", "v0.2.0", false}, {"", "v0.3.0", false}} {
		t.Setenv("BROKEN", c.broken)
		t.Setenv("VERSION", c.version)
		if said, err := script(t, "", out, "v0.2.0", "alone"); (err == nil) != c.right ||
			c.version != "v0.2.0" && !strings.Contains(said, c.version) {
			t.Errorf("without %q, of version %s: got %q, %v", c.broken, c.version, said, err)
		}
	}
}
