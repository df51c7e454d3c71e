//go:build !iprof_off

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	game "example.com/iprof/internal/planted"
)

// The first lines of top have the function, the reason and the line of each planted hitch, with a trace and without.
func TestTopBeginsWithTheAnswer(t *testing.T) {
	for i := range game.Hitches {
		for _, traced := range []bool{false, true} {
			h := &game.Hitches[i]
			t.Run(h.Name+", traced "+strconv.FormatBool(traced), func(t *testing.T) {
				path, out := filepath.Join(t.TempDir(), "game.iprof"), filepath.Join(t.TempDir(), "out")
				file := must.Get(os.Create(path))(t)
				slow := must.Get(game.Play(file, h, traced))(t)
				must.Do(t, file.Close())
				if got := named("top")([]string{"-frames", strconv.FormatUint(slow, 10), "-o", out, path}); got != 0 {
					t.Fatalf("got status %d", got)
				}
				begin, _, _ := strings.Cut(string(readFile(t, out)), "\n\n")
				function, words := h.Words(traced)
				for _, want := range append(words, function) {
					if !strings.Contains(begin, want) {
						t.Errorf("got\n%s\nwant %q", begin, want)
					}
				}
			})
		}
	}
}
