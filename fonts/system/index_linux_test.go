package system_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/fonts/system"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/outfiletest"
)

// opens is set in a process that opens the fonts of the machine: the library does so once.
const opens = "IPROF_TEST_OPENS"

// measures is set in a process that opens them, and says how many MB of memory it has.
const measures = "IPROF_TEST_MEASURES"

func TestMain(m *testing.M) {
	if os.Getenv(opens) != "" {
		if _, err := system.Open(); err != nil {
			fmt.Println(err)
		}
		return
	}
	if os.Getenv(measures) != "" {
		f, err := system.Open()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println(m.Sys>>20, err, words(f.Layout("物", style)))
		return
	}
	os.Exit(m.Run())
}

// openFonts opens the fonts of the machine in a process with these variables.
func openFonts(t *testing.T, variables ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "HOME" && name != "XDG_CACHE_HOME" && name != "TMPDIR" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, append(variables, opens+"=1")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	} else if len(out) > 0 {
		t.Skipf("this machine has no fonts: %s", out)
	}
}

// plant makes links to a file in a folder, with the names that an index may have.
func plant(t *testing.T, folder, victim string) {
	t.Helper()
	for version := range 30 {
		link := filepath.Join(folder, fmt.Sprintf("font_index_v%d.cache", version))
		must.Do(t, os.Symlink(victim, link))
	}
}

// Another user can plant a link where the library keeps its index of fonts, in a folder of temporary files or in a
// cache that is not the user's own. It is not followed, and nothing is left there.
func TestNoIndexInAFolderOfOthers(t *testing.T) {
	for _, test := range []struct{ name, variable, below string }{{"no cache", "TMPDIR", ""},
		{"a cache of all", "XDG_CACHE_HOME", "iprof/checked-fonts"}} {
		t.Run(test.name, func(t *testing.T) {
			shared := t.TempDir()
			folder, victim := filepath.Join(shared, test.below), filepath.Join(t.TempDir(), "victim")
			must.Do(t, os.MkdirAll(folder, 0o777))
			must.Do(t, os.Chmod(folder, 0o777))
			must.Do(t, os.WriteFile(victim, []byte("PRECIOUS"), 0o600))
			plant(t, folder, victim)
			before := filesIn(t, folder)
			openFonts(t, test.variable+"="+shared)
			if text, err := os.ReadFile(victim); string(text) != "PRECIOUS" || err != nil {
				t.Errorf("the victim: got %.20q, %v; want it as it was", text, err)
			}
			outfiletest.OnlyFiles(t, folder, before...)
		})
	}
	own := t.TempDir()
	openFonts(t, "XDG_CACHE_HOME="+own)
	if kept := filesIn(t, filepath.Join(own, "iprof", "checked-fonts")); len(kept) != 1 {
		t.Errorf("a cache of one's own: got %q; want the index", kept)
	}
}

func filesIn(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// A font bomb among the fonts of the user is left out, with an index and without. The others are used.
func TestDamagedSystemFonts(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	folder := filepath.Join(data, "fonts")
	must.Do(t, os.Mkdir(folder, 0o700))
	add := func(name string, text []byte) {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	add("good.ttf", with(nil))
	for i, name := range []string{"a table beyond the end", "groups of all characters", "lists that are shared"} {
		add(fmt.Sprintf("bomb%d.ttf", i), bombs[name])
		for range 2 { // the first fills the index
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), measures+"=1", "XDG_DATA_HOME="+data, "XDG_CACHE_HOME="+cache)
			out, err := cmd.CombinedOutput()
			var mb int
			var rest string
			_, scanned := fmt.Sscan(string(out), &mb, &rest)
			if err = errors.Join(err, scanned); err != nil || mb > 500 || !strings.Contains(string(out), "<nil> [物]") {
				t.Errorf("%s: got %d MB, %v\n%.2000s", name, mb, err, out)
			}
		}
	}
}
