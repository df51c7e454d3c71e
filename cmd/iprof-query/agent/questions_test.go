//go:build !iprof_off

package agent_test

import (
	"os"
	"strings"
	"testing"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/planted"
)

// plant writes a capture of a game with a planted hitch.
func plant(t *testing.T, dir, name string, h *planted.Hitch, traced bool) (slow uint64) {
	create(t, dir, name, func(file *os.File) { slow = must.Get(planted.Play(file, h, traced))(t) })
	return slow
}

// Why the worst frame was slow is one question: for each planted hitch the answer has function, reason and line.
func TestWhyTheWorstFrameWasSlow(t *testing.T) {
	for i := range planted.Hitches {
		for _, traced := range []bool{false, true} {
			h := &planted.Hitches[i]
			t.Run(h.Name+map[bool]string{true: ", traced"}[traced], func(t *testing.T) {
				dir := t.TempDir()
				plant(t, dir, "game.iprof", h, traced)
				c := connect(t, budget.Usual, dir)
				text := c.ask("why", arguments{"capture": "game.iprof"})
				function, words := h.Words(traced)
				has(t, strings.ReplaceAll(text, "'", ""), append(words, function)...)
			})
		}
	}
}
