package egltest

import (
	"image/color"
	"strings"
	"testing"
)

// Every kind gives the version it is named after, and reads back what was cleared.
func TestRunGivesEachKindItsVersion(t *testing.T) {
	prefixes := map[Kind]string{Legacy: "2.1", ES3: "OpenGL ES 3.", ES2: "OpenGL ES 2.0"}
	for _, kind := range Kinds {
		Run(t, kind, 5, 3, func(t *testing.T, c *Context) {
			t.Log(c.Version, "|", c.Renderer)
			if want := prefixes[kind]; strings.Contains(c.Version, "Mesa") && !strings.HasPrefix(c.Version, want) {
				t.Errorf("got version %q; want %q", c.Version, want)
			}
			fill := color.RGBA{R: 255, G: 51, B: 0, A: 255}
			c.Clear(fill)
			img := c.Image()
			if got := img.RGBAAt(4, 2); got != fill || img.Bounds() != c.Bounds() {
				t.Errorf("got %v in %v; want %v in %v", got, img.Bounds(), fill, c.Bounds())
			}
		})
	}
}

func TestExactlyMatchesOneTest(t *testing.T) {
	if got, want := exactly("TestA/x(1)"), `^TestA$/^x\(1\)$`; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}
