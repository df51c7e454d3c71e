// The engine needs a display as soon as it is imported. The tests of examples/hosts run these tests with one.
package ebitengine

import (
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
	"example.com/iprof/input"
)

// Each key that the overlay has a binding for is there, so a table of the engine's keys misses none.
func TestKeysCoverTheBindings(t *testing.T) {
	known := map[input.Key]bool{}
	for _, key := range keys() {
		if known[key] {
			t.Errorf("key %d: got two keys of the engine for it; want one", key)
		}
		known[key] = true
	}
	for _, b := range input.Bindings() {
		if !known[b.Key] {
			t.Errorf("key %d, bound to %s: got no key of the engine; want one", b.Key, b.Command)
		}
	}
}

// plain is a game without anything of its own.
type plain struct{ ebiten.Game }

func (plain) Layout(width, height int) (int, int) { return width / 2, height / 3 }

type exact struct{ plain }

func (exact) LayoutF(width, height float64) (float64, float64) { return width * 1.5, height }

func TestWrapKeepsTheLayout(t *testing.T) {
	if !iprof.Enabled {
		t.Skip("Wrap returns the game")
	}
	for _, c := range []struct {
		game  ebiten.Game
		x, y  float64
		wantX float64
		wantY float64
	}{{plain{}, 640.5, 300.9, 320, 100}, {plain{}, 0.2, 0, 0, 0}, {exact{}, 640.5, 300, 960.75, 300}} {
		if x, y := Wrap(c.game).(ebiten.LayoutFer).LayoutF(c.x, c.y); x != c.wantX || y != c.wantY {
			t.Errorf("%T in %v x %v: got %v, %v; want %v, %v", c.game, c.x, c.y, x, y, c.wantX, c.wantY)
		}
	}
}

// counting counts its updates.
type counting struct {
	plain
	updates int
}

func (c *counting) Update() error { c.updates++; return nil }

// Each Update is a frame of the set "tick".
func TestEachUpdateIsATick(t *testing.T) {
	if !iprof.Enabled {
		t.Skip("Wrap returns the game")
	}
	game := &counting{}
	w, tick := Wrap(game), iprof.Frames("tick")
	before := len(tick.AppendFrames(nil, 100))
	for range 5 {
		if err := w.Update(); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(tick.AppendFrames(nil, 100)) - before; got != game.updates || got != 5 {
		t.Errorf("got %d frames of the set tick for %d updates; want one each of 5", got, game.updates)
	}
}
