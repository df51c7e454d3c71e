package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// installer runs the script as make does, for a program that was built before.
func installer(t *testing.T, what, stage, prefix string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	must.Do(t, os.WriteFile(program, []byte("#!/bin/sh\necho script\n"), 0o700))
	cmd := exec.Command("sh", "install", what)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "DESTDIR=" + stage, "PREFIX=" + prefix, "PROGRAM=" + program,
		"TOOL=" + program, "READER=" + program, "QUERY=" + program}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, out)
	}
	return string(out)
}

// files lists what is below a folder, folders with a slash at their end.
func files(t *testing.T, root string) (names []string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		name := strings.TrimPrefix(path, root)
		if d.IsDir() {
			name += "/"
		}
		names = append(names, name)
		return err
	}))
	return names
}

func TestInstallAndUninstall(t *testing.T) {
	stage := filepath.Join(t.TempDir(), "with a space")
	installer(t, "install", stage, "/usr")
	installer(t, "install", stage, "/usr") // once more, over itself
	got := files(t, stage)
	for _, want := range []string{
		"/usr/bin/iprof", "/usr/share/man/man1/iprof.1", "/usr/libexec/iprof/iprof-import-trace",
		"/usr/libexec/iprof/iprof-query",
		"/usr/bin/glviewer", "/usr/share/man/man1/glviewer.1", "/usr/share/applications/glviewer.desktop",
		"/usr/share/icons/hicolor/16x16/apps/glviewer.png", "/usr/share/icons/hicolor/256x256/apps/glviewer.png",
		"/usr/share/icons/hicolor/scalable/apps/glviewer.svg", "/usr/share/doc/glviewer/LICENSE",
		"/usr/share/mime/packages/glviewer.xml", "/usr/share/bash-completion/completions/iprof",
		"/usr/share/zsh/site-functions/_iprof", "/usr/share/fish/vendor_completions.d/iprof.fish",
		"/usr/share/pwsh/completions/_iprof.ps1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("after install: got %q; want %s among them", got, want)
		}
	}
	program, err := os.Stat(filepath.Join(stage, "usr/bin/glviewer"))
	if err != nil || program.Mode().Perm() != 0o755 {
		t.Errorf("the program: got %v, %v; want it executable", program, err)
	}
	list, err := os.ReadFile(filepath.Join(stage, "usr/share/glviewer/installed"))
	if err != nil || strings.Contains(string(list), stage) {
		t.Errorf("the list: got %v, %q; want names as they will be without DESTDIR", err, list)
	}
	installer(t, "uninstall", stage, "/usr")
	if got := files(t, stage); len(got) != 1 {
		t.Errorf("after uninstall: got %q; want nothing", got)
	}
	if out := installer(t, "uninstall", stage, "/usr"); !strings.Contains(out, "not installed") {
		t.Errorf("uninstall of nothing: got %q; want it to say so", out)
	}
}

// Files that were there before, and those that others put there later, stay.
func TestUninstallLeavesWhatIsNotItsOwn(t *testing.T) {
	stage := t.TempDir()
	for _, dir := range []string{"usr/bin", "usr/share/man/man1"} {
		must.Do(t, os.MkdirAll(filepath.Join(stage, dir), 0o755))
	}
	installer(t, "install", stage, "/usr")
	other := filepath.Join(stage, "usr/share/applications/other.desktop")
	must.Do(t, os.WriteFile(other, nil, 0o644))
	installer(t, "uninstall", stage, "/usr")
	want := []string{"/", "/usr/", "/usr/bin/", "/usr/share/", "/usr/share/applications/",
		"/usr/share/applications/other.desktop",
		"/usr/share/man/", "/usr/share/man/man1/"}
	if got := files(t, stage); !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestInstallWantsWholeNames(t *testing.T) {
	for _, env := range [][]string{{"PREFIX=usr"}, {"DESTDIR=stage", "PREFIX=/usr"}} {
		cmd := exec.Command("sh", "install", "install")
		cmd.Env = append(env, "PATH="+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "must be absolute") {
			t.Errorf("%q: got %v, %q; want it refused", env, err, out)
		}
	}
}
