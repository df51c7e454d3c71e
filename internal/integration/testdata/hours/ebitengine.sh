# online
# Puts the overlay into a game of Ebitengine.
go mod init game
cat >main.go <<'GO'
package main

import (
	"github.com/hajimehoshi/ebiten/v2"

	profebiten "example.com/iprof/hosts/ebitengine"
)

type game struct{ frames int }

func (g *game) Update() error {
	if g.frames++; g.frames > 60 {
		return ebiten.Termination
	}
	return nil
}
func (g *game) Draw(screen *ebiten.Image)           {}
func (g *game) Layout(width, height int) (int, int) { return width, height }

func main() {
	if err := ebiten.RunGame(profebiten.Wrap(&game{})); err != nil {
		panic(err)
	}
}
GO
. "$DOCS/docs/use.md/commands-3"
go build -o game .
xvfb-run -a -s '-screen 0 1280x720x24' ./game
