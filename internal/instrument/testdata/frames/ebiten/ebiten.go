// Package ebiten has the shape of the real one, as far as the programs here use it.
package ebiten

type Image struct{}

type Game interface {
	Update() error
	Draw(screen *Image)
}

func RunGame(g Game) error {
	for {
		if err := g.Update(); err != nil {
			return err
		}
		g.Draw(&Image{})
	}
}
