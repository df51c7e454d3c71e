package ebitengine

import (
	"math"
	"sync"

	"github.com/hajimehoshi/ebiten/v2"
)

// enlarge draws the game's screen in the window, like the engine does for games without DrawFinalScreen.
func enlarge(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	scale := geoM.Element(0, 0)
	how := ebiten.DrawImageOptions{GeoM: geoM}
	switch {
	case !ebiten.IsScreenFilterEnabled() || math.Floor(scale) == scale:
	case scale < 1:
		how.Filter = ebiten.FilterLinear
	default:
		size := offscreen.Bounds().Size()
		screen.DrawRectShader(size.X, size.Y, sharp(), &ebiten.DrawRectShaderOptions{GeoM: geoM,
			Images: [4]*ebiten.Image{offscreen}, Uniforms: map[string]any{"Scale": float32(scale)}})
		return
	}
	screen.DrawImage(offscreen, &how)
}

// sharp returns a shader for fractional scales. Pixels stay sharp squares. A pixel of the window that two squares share
// has the mean of both, weighted by area.
var sharp = sync.OnceValue(func() *ebiten.Shader {
	shader, err := ebiten.NewShader([]byte(`//kage:unit pixels
package main

var Scale float

func Fragment(_ vec4, at vec2, _ vec4) vec4 {
	low, high := at-0.5/Scale, at+0.5/Scale
	first := imageSrc0Origin() + 0.5
	last := imageSrc0Origin() + imageSrc0Size() - 0.5
	share := clamp(fract(high)*Scale, 0, 1)
	a, b := clamp(low, first, last), clamp(high, first, last)
	top := mix(imageSrc0UnsafeAt(a), imageSrc0UnsafeAt(vec2(b.x, a.y)), share.x)
	bottom := mix(imageSrc0UnsafeAt(vec2(a.x, b.y)), imageSrc0UnsafeAt(b), share.x)
	return mix(top, bottom, share.y)
}
`))
	if err != nil {
		panic(err) // the text is above
	}
	return shader
})
