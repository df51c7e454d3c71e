package main

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

// recorded returns a capture of 100 replayed frames.
func recorded(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "replay.iprof")
	s := process.NewSession()
	r := replay.New(1, s)
	recorder := must.Get(capture.Record(s, capture.RecordOptions{Path: path}))(t)
	for range 100 {
		must.Do(t, r.Step())
	}
	must.Do(t, recorder.Close())
	return path
}

func TestCommandsShowACapture(t *testing.T) {
	path := recorded(t)
	for _, test := range []struct{ command, want string }{
		{"top", "decompress"}, {"tree", "render_world"}, {"frames", "busy ms"}, {"html", "<!DOCTYPE html>"},
		{"json", `"frames"`},
	} {
		t.Run(test.command, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			words := strings.Fields(test.command)
			for _, c := range commands {
				if c.name == words[0] && c.run(append(words[1:], "-o", out, path)) != 0 {
					t.Fatal("the status is not 0")
				}
			}
			if text := readFile(t, out); !bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(test.want))) {
				t.Errorf("there is no %q in\n%.2000s", test.want, text)
			}
		})
	}
}

// TestABlackBoxsFileOpensAtItsHitch: top and tree show the frame that triggered it and the verdict, or all with -all.
func TestABlackBoxsFileOpensAtItsHitch(t *testing.T) {
	dir := t.TempDir()
	s := process.NewSession()
	s.SetFrameBudget(20 * time.Millisecond)
	box, err := capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, After: 20, OverBudget: 1, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	r := replay.New(1, s)
	for range 200 {
		must.Do(t, r.Step())
	}
	must.Do(t, box.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	_, contents, err := framefile.Open(files[0])
	if err != nil || !contents.HasFrame {
		t.Fatal(err, contents)
	}
	frame := fmt.Sprintf("this is frame %d;", contents.Frame)
	commands := map[string]func(io.Writer, *process.Session, *opened) error{"top": top, "tree": tree}
	for name, write := range commands {
		out := filepath.Join(t.TempDir(), name)
		if show(name, write)([]string{"-o", out, files[0]}) != 0 {
			t.Fatal("the status is not 0")
		}
		got := string(readFile(t, out))
		verdict := replay.Spike(contents.Frame) + " 16.8 (usually 0.38)."
		if !strings.Contains(got, frame) || !strings.Contains(got, verdict) {
			t.Errorf("%s: there is no %q or %q in\n%s", name, frame, verdict, got)
		}
		if show(name, write)([]string{"-all", "-o", out, files[0]}) != 0 {
			t.Fatal("the status is not 0")
		}
		if got := string(readFile(t, out)); strings.Contains(got, frame) {
			t.Errorf("%s -all: there is %q in\n%s", name, frame, got)
		}
	}
}

// TestExportWritesTheTrace that is in a capture; without one it says so and leaves no file, or the one that was there.
func TestExportWritesTheTrace(t *testing.T) {
	dir := t.TempDir()
	path, out := recorded(t), filepath.Join(dir, "out")
	if exportFile([]string{"-format", "trace", "-o", out, path}) == 0 {
		t.Error("without a trace: the status is 0")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("without a trace: there is a file")
	}
	write(t, out, "old")
	if exportFile([]string{"-format", "trace", "-o", out, path}) == 0 || string(readFile(t, out)) != "old" {
		t.Errorf("without a trace: got %q in the file; want it as it was", readFile(t, out))
	}
	path = filepath.Join(dir, "a.iprof")
	file := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(file, framefile.Info{})
	must.Do(t, errors.Join(w.WriteTrace(bytes.NewReader([]byte("go 1.26 trace"))), w.Close(), file.Close()))
	if exportFile([]string{"-format", "trace", "-o", out, path}) != 0 {
		t.Fatal("the status is not 0")
	}
	if got := string(readFile(t, out)); got != "go 1.26 trace" {
		t.Errorf("got %q", got)
	}
}

func TestCommandsRefuseOtherFiles(t *testing.T) {
	for _, args := range [][]string{{}, {"no such file"}, {"main.go"}, {"a", "b"}} {
		if show("top", top)(args) == 0 {
			t.Errorf("%q: the status is 0", args)
		}
	}
}

// TestAPageIsOfTheRecordedProgram: not of the command that writes it.
func TestAPageIsOfTheRecordedProgram(t *testing.T) {
	var file, out bytes.Buffer // of a program that ended before its first frame
	info := framefile.Info{Program: "recorded", GoVersion: "go0", Machine: "elsewhere"}
	must.Do(t, framefile.NewWriter(&file, info).Close())
	s := process.NewSession()
	c := must.Get(framefile.Load(s, &file))(t)
	must.Do(t, jsonObject(&out, s, &opened{Contents: c}))
	for _, want := range []string{`"recorded"`, `"go0"`, `"elsewhere"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in\n%.500s", want, &out)
		}
	}
}

// TestThePageKeepsItsSpaces: what makes text safe for terminals leaves the thin spaces in the page's numbers alone.
func TestThePageKeepsItsSpaces(t *testing.T) {
	path := recorded(t)
	out := filepath.Join(t.TempDir(), "page.html")
	shown, _ := asIprof(t, filepath.Dir(path), "html", path)
	if named("html")([]string{"-o", out, path}) != 0 {
		t.Fatal("the page was not written")
	}
	written := must.Get(os.ReadFile(out))(t)
	calls := regexp.MustCompile(`<dt>calls</dt><dd>(\d+\x{2009}\d{3})</dd>`)
	for name, text := range map[string]string{"-o": string(written), "standard output": shown} {
		text = html.UnescapeString(text)
		if !calls.MatchString(text) {
			t.Errorf("%s: no number of calls with a thin space in\n%.300s", name, text[strings.Index(text, "<dt>"):])
		}
	}
}
