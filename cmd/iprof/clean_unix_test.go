//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// inCache makes a folder the user's cache, with these files below "iprof". It returns that folder.
func inCache(t *testing.T, files ...string) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home) // of macOS
	t.Setenv("XDG_CACHE_HOME", home)
	base, err := os.UserCacheDir()
	if err != nil || !strings.HasPrefix(base, home) {
		t.Fatalf("the cache is %s, %v; want it below %s", base, err, home)
	}
	dir := filepath.Join(base, "iprof")
	for _, name := range files {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		write(t, path, strings.Repeat("x", 100_000))
	}
	return dir
}

// left returns the names in a folder.
func left(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Folders that iprof made go, with what is in them. Others, links, files, and a program that runs stay.
func TestCleanRemovesOnlyItsOwn(t *testing.T) {
	running := fmt.Sprintf("game-0123abcd/bin/%s%d-1/game", runStart, os.Getpid())
	dir := inCache(t, "user-89abcdef/files/a.go", "user-89abcdef/bin/user", "program/files/b.go", "sources/1/go.mod",
		"starts/1.json", "versions/1/tool/go.mod",
		"viewer/1/viewer.wasm.gz", "checked-fonts/index", "game-0123abcd/files/c.go", running,
		"recent", "settings.json", "photos/1.png", "holidays-0123abcd/1.png", "program-old/files/d.go")
	kept := filepath.Join(t.TempDir(), "go1.25")
	must.Do(t, os.MkdirAll(filepath.Join(kept, "bin"), 0o755))
	for _, link := range []string{"toolchains", "linked-0123abcd"} {
		must.Do(t, os.Symlink(kept, filepath.Join(dir, link)))
	}
	before := left(t, dir)
	only, _, _ := fed(t, nil, "clean", "-n")
	if now := left(t, dir); !slices.Equal(now, before) || !strings.Contains(only, "would remove 0.8 MB") {
		t.Errorf("-n: got %q, and %s", now, only)
	}
	out, errors, status := fed(t, nil, "clean")
	want := []string{"game-0123abcd", "holidays-0123abcd", "linked-0123abcd", "photos", "program-old", "recent",
		"settings.json", "toolchains"}
	if now := left(t, dir); status != 0 || !slices.Equal(now, want) {
		t.Errorf("status %d, left %q; want %q\n%s%s", status, now, want, out, errors)
	}
	for _, text := range []string{"removed " + filepath.Join(dir, "user-89abcdef") + " (0.2 MB)\n",
		fmt.Sprintf("removed 0.8 MB: folders of %s: 7\n", dir)} {
		if !strings.Contains(out, text) {
			t.Errorf("got %s; want %s", out, text)
		}
	}
	if !strings.Contains(errors, fmt.Sprintf("game-0123abcd is not removed: process %d runs", os.Getpid())) {
		t.Errorf("got %s; want the program that runs", errors)
	}
	if names := left(t, kept); !slices.Equal(names, []string{"bin"}) {
		t.Errorf("the folder of a link has %q", names)
	}
	if again, _, status := fed(t, nil, "clean"); status != 0 || again != "there is nothing to remove in "+dir+"\n" {
		t.Errorf("again: got %d, %s", status, again)
	}
}

// A name could be meant as what to remove. Without a cache there is nothing to remove.
func TestCleanTakesNoNames(t *testing.T) {
	dir := inCache(t)
	if _, errors, status := fed(t, nil, "clean", "photos"); status != 2 ||
		!strings.Contains(errors, "usage: iprof clean") {
		t.Errorf("got %d, %s; want status 2 and the usage", status, errors)
	}
	if out, _, status := fed(t, nil, "clean"); status != 0 || out != "there is nothing to remove in "+dir+"\n" {
		t.Errorf("got %d, %s", status, out)
	}
}

// The first run names the cache, a later one does not, and clean knows each folder of it.
func TestCleanLeavesNothingOfARun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": emptyMain})
	base, err := os.UserCacheDir()
	if err != nil || base != os.Getenv("XDG_CACHE_HOME") {
		t.Skip("the cache is elsewhere on this system")
	}
	for _, first := range []bool{true, false} {
		_, errors, status := fed(t, nil, "run", "-module", module, ".")
		if status != 0 || strings.Contains(errors, "iprof clean removes") != first {
			t.Errorf("first %t: got %d, %s; want the cache named by the first run only", first, status, errors)
		}
		list, _, _ := fed(t, nil, "clean", "-n")
		sum := list[strings.LastIndex(list, "would remove ")+len("would remove "):] // the last line has it
		if size, _, _ := strings.Cut(sum, ":"); first && !strings.Contains(errors, " has "+size+" now") {
			t.Errorf("the first run said %s; want %s", errors, size)
		}
	}
	if _, errors, status := fed(t, nil, "clean"); status != 0 || errors != "" {
		t.Errorf("got %d, %s", status, errors)
	}
	if names := left(t, filepath.Join(base, "iprof")); len(names) > 0 {
		t.Errorf("left %q; want nothing", names)
	}
}
