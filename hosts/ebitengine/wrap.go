// Package ebitengine shows the profiler's overlay in a game that uses Ebitengine. One line does it:
//
//	import profebiten "example.com/iprof/hosts/ebitengine"
//
//	ebiten.RunGame(profebiten.Wrap(game)) // was ebiten.RunGame(game)
//
// F1 shows the overlay, F2 gives it keys and mouse. The game should ignore keys and mouse while input.Captured, and a
// key while Used.
//
// Each picture is a frame. It begins with the first Update after the last picture, and ends when the picture is drawn.
// The engine's own time between pictures, most of which is the wait for the screen, is the zone "(between frames)",
// which is idle. Several calls of Update for one picture belong to one frame. Each call of Update is also a frame of
// the set "tick" (see iprof.Frames), so pictures and ticks have a history each.
//
// The engine does not expose its graphics library, so the overlay is drawn with DrawTriangles. It is drawn in the
// pixels of the window, independent of the size of the game's screen.
package ebitengine

import (
	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
)

// Zones of the wrapped game.
var (
	updateZone = iprof.Zone{Name: "Update"}
	drawZone   = iprof.Zone{Name: "Draw"}
)

// Wrap returns a game that behaves like game and shows the overlay. A game with a DrawFinalScreen or a LayoutF of its
// own keeps it. In programs built with the tag iprof_off, Wrap returns game itself.
func Wrap(game ebiten.Game) ebiten.Game {
	if !iprof.Enabled {
		return game
	}
	return &wrapped{game: game}
}

type wrapped struct {
	game    ebiten.Game
	overlay Overlay
	open    bool        // a frame has begun
	geoM    ebiten.GeoM // from the game's screen to the window
}

// begin begins a frame, unless one has begun.
func (w *wrapped) begin() {
	if !w.open {
		w.open = true
		iprof.BeginFrame("")
	}
}

// Update updates the game.
func (w *wrapped) Update() error {
	w.begin()
	tick := iprof.Frames("tick")
	tick.BeginFrame("")
	defer tick.EndFrame()
	x, y := ebiten.CursorPosition()
	Poll(w.geoM.Apply(float64(x), float64(y)))
	defer updateZone.Begin().End()
	return w.game.Update()
}

// Draw draws the game.
func (w *wrapped) Draw(screen *ebiten.Image) {
	w.begin()
	defer drawZone.Begin().End()
	w.game.Draw(screen)
}

// DrawFinalScreen draws the game's screen in the window, and the overlay over it. It ends the frame.
func (w *wrapped) DrawFinalScreen(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	w.geoM = geoM
	if d, ok := w.game.(ebiten.FinalScreenDrawer); ok {
		d.DrawFinalScreen(screen, offscreen, geoM)
	} else {
		enlarge(screen, offscreen, geoM)
	}
	w.overlay.Draw(screen, ebiten.Monitor().DeviceScaleFactor())
	iprof.EndFrame()
	w.open = false
}

// Layout returns the size of the game's screen.
func (w *wrapped) Layout(width, height int) (int, int) { return w.game.Layout(width, height) }

// LayoutF returns the size of the game's screen. It rounds in the same way as the engine for games without LayoutF.
func (w *wrapped) LayoutF(width, height float64) (float64, float64) {
	if f, ok := w.game.(ebiten.LayoutFer); ok {
		return f.LayoutF(width, height)
	}
	x, y := w.game.Layout(int(max(width, 1)), int(max(height, 1)))
	return float64(x), float64(y)
}
