package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

// recorded returns a capture of 100 replayed frames.
func recorded(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "replay.iprof")
	s := process.NewSession()
	r := replay.New(1, s)
	recorder, err := capture.Record(s, path)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
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

func TestCommandsRefuseOtherFiles(t *testing.T) {
	for _, args := range [][]string{{}, {"no such file"}, {"main.go"}, {"a", "b"}} {
		if show("top", top)(args) == 0 {
			t.Errorf("%q: the status is 0", args)
		}
	}
}

// TestAPageIsOfTheRecordedProgram: not of the command that writes it.
func TestAPageIsOfTheRecordedProgram(t *testing.T) {
	c := &capture.Contents{Info: capture.Info{Program: "recorded", GoVersion: "go0", Machine: "elsewhere"}}
	var out bytes.Buffer
	if err := jsonObject(&out, process.NewSession(), c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"recorded"`, `"go0"`, `"elsewhere"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in\n%.500s", want, &out)
		}
	}
}
