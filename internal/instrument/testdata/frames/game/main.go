// A game whose library calls Draw: 5 frames.
package main

import (
	"errors"
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"
)

type game struct{ ticks int }

func (g *game) Update() error {
	if g.ticks++; g.ticks > 5 {
		return errors.New("over")
	}
	return nil
}

func (g *game) Draw(screen *ebiten.Image) {}

func main() { fmt.Println(ebiten.RunGame(&game{})) }
