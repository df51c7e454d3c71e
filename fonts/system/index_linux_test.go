package system_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/fonts/system"
	"example.com/iprof/internal/outfiletest"
)

// opens is set in a process that opens the fonts of the machine: the library does so once.
const opens = "IPROF_TEST_OPENS"

func TestMain(m *testing.M) {
	if os.Getenv(opens) != "" {
		if _, err := system.Open(); err != nil {
			fmt.Println(err)
		}
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
		if err := os.Symlink(victim, link); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoIndexInAFolderOfOthers: another user can plant a link where the library keeps its index of fonts, in a folder
// of temporary files or in a cache that is not the user's own. It is not followed, and nothing is left there.
func TestNoIndexInAFolderOfOthers(t *testing.T) {
	for _, test := range []struct{ name, variable, below string }{{"no cache", "TMPDIR", ""},
		{"a cache of all", "XDG_CACHE_HOME", "iprof/fonts"}} {
		t.Run(test.name, func(t *testing.T) {
			shared := t.TempDir()
			folder, victim := filepath.Join(shared, test.below), filepath.Join(t.TempDir(), "victim")
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(victim, []byte("PRECIOUS"), 0o600); err != nil {
				t.Fatal(err)
			}
			plant(t, folder, victim)
			before := filesIn(t, folder)
			openFonts(t, test.variable+"="+shared)
			if text, err := os.ReadFile(victim); string(text) != "PRECIOUS" || err != nil {
				t.Errorf("the victim: got %.20q, %v; want it as it was", text, err)
			}
			outfiletest.Alone(t, folder, before...)
		})
	}
	own := t.TempDir()
	openFonts(t, "XDG_CACHE_HOME="+own)
	if kept := filesIn(t, filepath.Join(own, "iprof", "fonts")); len(kept) != 1 {
		t.Errorf("a cache of one's own: got %q; want the index", kept)
	}
}

func filesIn(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
