package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
)

// capture writes a capture of some frames of a random program.
func capture(t *testing.T, dir, name string, seed uint64, frames int) string {
	return create(t, dir, name, func(file *os.File) {
		w, p := framefile.NewWriter(file, framefile.Info{Program: "game"}), world.NewRandom(seed)
		for range frames {
			must.Do(t, w.WriteFrame(p.Frame()))
		}
		must.Do(t, w.Close())
	})
}

// No file outside the folders is opened or described: by no path, link or folder that is a link. Inside, all are.
func TestOnlyTheFoldersAreRead(t *testing.T) {
	top := t.TempDir()
	in, out := filepath.Join(top, "in"), filepath.Join(top, "inside-not")
	for _, dir := range []string{filepath.Join(in, "below"), out} {
		must.Do(t, os.MkdirAll(dir, 0o700))
	}
	own := capture(t, in, "own.iprof", 1, 30)
	capture(t, filepath.Join(in, "below"), "deep.iprof", 2, 30)
	secret := capture(t, out, "secret.iprof", 3, 30)
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(in, at)); err != nil && runtime.GOOS == "windows" {
			t.Skip(err)
		}
	}
	link("own.iprof", "near.iprof")
	link(secret, "far.iprof")
	link("../inside-not/secret.iprof", "relative.iprof")
	link(out, "folder")
	link("missing.iprof", "missing-link.iprof")
	c := connect(t, budget.Usual, in)
	for _, path := range []string{"own.iprof", "./own.iprof", "below/../own.iprof", own, "below/deep.iprof",
		filepath.Join(in, "below", "deep.iprof"), "near.iprof"} {
		has(t, c.ask("open", arguments{"capture": path}), `"frames":30`)
	}
	for _, path := range []string{"far.iprof", "relative.iprof", "folder/secret.iprof", "../inside-not/secret.iprof",
		secret, "below/../../inside-not/secret.iprof", "/etc/passwd",
		filepath.Join(in, "..", "inside-not", "secret.iprof")} {
		for _, text := range []string{c.fails("open", arguments{"capture": path}),
			c.fails("compare", arguments{"capture": "own.iprof", "base": path})} {
			has(t, text, "outside the folders", "open without a capture")
		}
	}
	for _, path := range []string{"missing.iprof", "missing-link.iprof", "below", "folder", "own.iprof/x", "\x00"} {
		has(t, c.fails("open", arguments{"capture": path}), "open without a capture lists")
	}
	list := c.ask("open", nil)
	has(t, list, `"own.iprof"`, `"shown":"rows 2 of 2"`, filepath.Join("below", "deep.iprof"))
	if strings.Contains(list, "secret") || strings.Contains(list, "far") {
		t.Errorf("got %s; want no link", list)
	}
}

// Several folders are one place: names in the list are whole.
func TestFilesOfSeveralFolders(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	capture(t, a, "a.iprof", 1, 20)
	whole := capture(t, b, "b.iprof", 2, 21)
	c := connect(t, budget.Usual, a, b)
	has(t, c.ask("open", nil), whole, "rows 2 of 2")
	has(t, c.ask("open", arguments{"capture": "a.iprof"}), `"frames":20`)
	has(t, c.ask("open", arguments{"capture": whole}), `"frames":21`)
	has(t, c.ask("open", arguments{"capture": "b.iprof"}), `"frames":21`)
}

// A file that has changed since is read again, and of many captures the newest stay open.
func TestCapturesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, budget.Usual, dir)
	has(t, c.fails("top", nil), "no capture is open", "open")
	for i := range 8 {
		capture(t, dir, "a.iprof", 1, 20+i)
		name := fmt.Sprint(i, ".iprof")
		capture(t, dir, name, 2, 40)
		c.ask("open", arguments{"capture": name})
		has(t, c.ask("open", arguments{"capture": "a.iprof"}), fmt.Sprintf(`"last":"f%d"`, 19+i))
		if n := c.server.OpenCaptures(); n != min(i+2, 4) {
			t.Errorf("got %d open captures of %d; want at most four", n, i+2)
		}
	}
}
