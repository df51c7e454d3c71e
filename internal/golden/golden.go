// Package golden compares the output of a test with a file under testdata.
//
//	golden.Text(t, "report.txt", got)
//
// With the flag -update it writes the file instead. If they differ, got, want and, for pictures, their difference are
// written to testdata/out. The test's message names these files.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Update reports whether the test runs with -update, and golden files are written anew.
var Update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// out is the folder for files that differ, to look at.
const out = "testdata/out"

// Text compares got with testdata/name, byte for byte.
func Text(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *Update {
		write(t, path, got)
		return
	}
	skipWithout(t)
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v (make it with -update); got is in %s", err, keep(t, name, "got", got))
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %s\ngot:  %s\nwant: %s", name, firstDifference(got, want),
			keep(t, name, "got", got), keep(t, name, "want", want))
	}
}

// skipWithout skips a test of a copy of the module without its test data. Some folders of test data are modules of
// their own, which a proxy of modules leaves out.
func skipWithout(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("testdata"); err != nil {
		t.Skip("the folder testdata is not here; it is in the repository")
	}
}

// firstDifference describes the first line that differs.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("line %d: got %q; want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines; want %d", len(g), len(w))
}

// keep writes one side of a comparison and returns its path.
func keep(t testing.TB, name, side string, data []byte) string {
	t.Helper()
	extension := filepath.Ext(name)
	path := filepath.Join(out, name[:len(name)-len(extension)]+"."+side+extension)
	write(t, path, data)
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
