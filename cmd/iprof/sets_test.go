package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// withSets writes a capture that has two others in it as its sets of frames, and returns its name.
func withSets(t *testing.T, main []byte, sets map[string][]byte) string {
	t.Helper()
	r := must.Get(framefile.NewReader(bytes.NewReader(main)))(t)
	var f gather.Frame
	err := r.Next(&f)
	var b bytes.Buffer
	w := framefile.NewWriter(&b, r.Info())
	for ; err == nil; err = r.Next(&f) {
		must.Do(t, w.WriteJudged(&f, r.Judged()))
		for name, one := range sets {
			n := min(len(one), 5000)
			must.Get(w.Set(name).Write(one[:n]))(t)
			sets[name] = one[n:]
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	for name, one := range sets {
		must.Get(w.Set(name).Write(one))(t)
	}
	must.Do(t, w.Close())
	return writtenTo(t, b.Bytes())
}

func writtenTo(t *testing.T, file []byte) string {
	path := filepath.Join(t.TempDir(), "game.iprof")
	must.Do(t, os.WriteFile(path, file, 0o600))
	return path
}

// setCommands are commands that read a file.
var setCommands = []string{"top", "top -by package", "tree -json", "frames", "frames -json", "verdicts", "calls",
	"lanes -frames over", "graph render_world", "export -format csv", "export -format folded"}

// Each command with -set prints what it prints of a file with only that set.
func TestCommandsOfASet(t *testing.T) {
	main, other := must.Get(os.ReadFile(uneven(t)))(t), must.Get(os.ReadFile(recorded(t)))(t)
	all := withSets(t, main, map[string][]byte{"step": other, "odd \x1b & name": main})
	names := map[string]string{"": writtenTo(t, main), "step": writtenTo(t, other),
		"odd \x1b & name": writtenTo(t, main)}
	for set, alone := range names {
		for _, command := range setCommands {
			if strings.HasPrefix(command, "graph") == (set == "step") {
				inBothWays(t, func(t *testing.T) { sameOf(t, command, set, alone, all) })
			}
		}
	}
}

// sameOf compares what a command prints of a set, and of a file with only that set.
func sameOf(t *testing.T, command, set, alone, all string) {
	words := strings.Fields(command)
	want, code := shows(t, words[0], append(words[1:], alone)...)
	args := append(words[1:], all)
	if set != "" {
		args = append([]string{"-set", set}, args...)
	}
	got, c := shows(t, words[0], args...)
	if got = strings.ReplaceAll(got, all, alone); got != want || c != code {
		t.Errorf("%s of %q: got %d, %.300q; want %d, %.300q", command, set, c, got, code, want)
	}
}

// An unknown set is answered with the nearest and the list, in a line.
func TestUnknownSets(t *testing.T) {
	main := must.Get(os.ReadFile(recorded(t)))(t)
	all := withSets(t, main, map[string][]byte{"step": main, "odd \x1b & name": main})
	for args, want := range map[string]string{
		"top -set stpe " + all:                `-set "stpe": there is no such set of frames; the nearest is "step"; `,
		"calls -set other " + all:             `-set "other": there is no such set of frames; there are "`,
		"top -set step " + writtenTo(t, main): "the program has one set of frames",
	} {
		said := complained(t, func() {
			words := strings.Fields(args)
			if find(words[0]).run(words[1:]) == 0 {
				t.Errorf("%s: the status is 0", args)
			}
		})
		if !strings.Contains(said, want) || strings.Count(said, "\n") != 1 || strings.Contains(said, "\x1b") {
			t.Errorf("%s: got %q; want %q in it", args, said, want)
		}
	}
}
