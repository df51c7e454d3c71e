package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
)

// said runs a command with -json, and returns what it says on standard output.
func said(t *testing.T, run func([]string) int, args ...string) (o written) {
	t.Helper()
	out := must.Get(os.Create(filepath.Join(t.TempDir(), "said")))(t)
	stdout := os.Stdout
	os.Stdout = out
	code := run(append([]string{"-json"}, args...))
	os.Stdout = stdout
	out.Close()
	text := readFile(t, out.Name())
	if err := json.Unmarshal(text, &o); err != nil || code != 0 {
		t.Fatalf("%q: got status %d, %v, %q; want an object", args, code, err, text)
	}
	return o
}

// TestCommandsSayWhatTheyWrote: with -json, the file with its size and its frames.
func TestCommandsSayWhatTheyWrote(t *testing.T) {
	path, dir := recorded(t), t.TempDir()
	page := filepath.Join(dir, "page.html")
	trace := filepath.Join(dir, "trace.json")
	again := filepath.Join(dir, "again.iprof")
	few := filepath.Join(dir, "few.csv")
	elsewhere := filepath.Join(dir, "elsewhere.iprof")
	for _, test := range []struct {
		got    written
		file   string
		frames uint64
	}{
		{said(t, named("html"), "-o", page, path), page, 100},
		{said(t, exportFile, "-format", "chrome", path, trace), trace, 100},
		{said(t, exportFile, "-format", "csv", "-frames", "20-24", path, few), few, 5},
		{said(t, importFile, trace, again), again, 100},
	} {
		info := must.Get(os.Stat(test.file))(t)
		if g := test.got; g.File != test.file || g.Bytes != info.Size() || g.Frames != test.frames || g.Unfinished {
			t.Errorf("got %+v; want %s, %d bytes, %d frames", g, test.file, info.Size(), test.frames)
		}
	}
	o := said(t, record, "-o", elsewhere, "-for", "1s", serving(t))
	_, contents, err := capture.Open(elsewhere)
	if err != nil || o.Frames != contents.Frames || o.File != elsewhere {
		t.Errorf("record: got %+v, %v; want %d frames in %s", o, err, contents.Frames, elsewhere)
	}
	for _, run := range []func([]string) int{named("html"), exportFile} {
		if run([]string{"-json", path}) == 0 {
			t.Error("got status 0 without a file; want an error")
		}
	}
}

// TestACaptureIsNotReplacedByWhatIsReadFromIt: by no command that writes, and under no name of it.
func TestACaptureIsNotReplacedByWhatIsReadFromIt(t *testing.T) {
	path := recorded(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	whole := string(readFile(t, path))
	for name, run := range map[string]func([]string) int{"export": exportFile, "html": show("html", page),
		"top": show("top", top), "import": importFile} {
		for _, output := range []string{path, link} {
			args := []string{"-o", output, path}
			if name == "import" {
				args = []string{path, output}
			}
			if run(args) == 0 || string(readFile(t, path)) != whole {
				t.Errorf("%s into %s: it is not refused, or the capture has changed", name, filepath.Base(output))
			}
		}
	}
}
