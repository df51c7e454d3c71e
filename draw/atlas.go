package draw

import (
	"image"
	"math"
	"sync"
	"sync/atomic"

	"example.com/iprof/fonts"
)

// Face is a typeface at a size.
type Face uint8

// The faces, with their sizes in pixels at scale 1. In the mono faces all characters have the same advance.
const (
	FaceText  Face = iota // regular, 13
	FaceBold              // bold, 13
	FaceSmall             // regular, 11.5
	FaceMono              // 13
	FaceTiny              // mono, 11
	FaceLarge             // mono, 24: for one number that is read from a distance
	NumFaces  = iota
)

// faceSpec describes how a face is made.
type faceSpec struct {
	typeface fonts.Typeface
	pixels   float64
	tabular  bool // advances are rounded to whole pixels, so a character always looks the same
	ASCII    bool // ASCII characters only: a large face would fill the atlas
}

var faceSpecs = [NumFaces]faceSpec{
	FaceText:  {fonts.TypefaceRegular, 13, false, false},
	FaceBold:  {fonts.TypefaceBold, 13, false, false},
	FaceSmall: {fonts.TypefaceRegular, 11.5, false, false},
	FaceMono:  {fonts.TypefaceMono, 13, true, false},
	FaceTiny:  {fonts.TypefaceMono, 11, true, true},
	FaceLarge: {fonts.TypefaceMono, 24, true, true},
}

// Atlases are made for scales from minScale to maxScale, in steps of 1/scaleStep.
const (
	minScale  = 0.5
	maxScale  = 4
	scaleStep = 8
)

var atlases struct {
	sync.Mutex
	byStep     map[int]*Atlas
	generation atomic.Int64
}

// NewAtlas returns the atlas for a content scale, in device pixels per nominal pixel. 0 means 1. Other values are
// clamped to 0.5..4 and rounded to eighths. Each scale has one atlas, which is made once, kept and shared. Its contents
// never change, so callers must not write to it. Characters that a text needs are added: the list then gets a new atlas
// with the same picture and a greater generation. Any goroutine may call NewAtlas.
func NewAtlas(scale float32) *Atlas {
	step := scaleSteps(scale)
	a := made(step)
	if a.spare.replaceable() {
		a = replace(step, a, a.spare.renew())
	}
	a.spare.clock.Add(1)
	return a
}

// made returns the atlas of a scale, and makes it at the first use.
func made(step int) *Atlas {
	atlases.Lock()
	defer atlases.Unlock()
	if a := atlases.byStep[step]; a != nil {
		return a
	}
	if atlases.byStep == nil {
		atlases.byStep = map[int]*Atlas{}
	}
	a := newAtlas(float32(step) / scaleStep)
	atlases.byStep[step] = a
	return a
}

// replace replaces the atlas old of a scale, unless another goroutine has replaced it already. It returns the atlas in
// force.
func replace(step int, old, by *Atlas) *Atlas {
	atlases.Lock()
	defer atlases.Unlock()
	if now := atlases.byStep[step]; now != old && now != nil {
		return now
	}
	atlases.byStep[step] = by
	return by
}

// scaleSteps converts a scale to eighths, clamped to the allowed range.
func scaleSteps(scale float32) int {
	return int(Snap(min(max(ContentScale(scale), minScale), maxScale) * scaleStep))
}

// ContentScale returns the scale, or 1 if it is not a positive finite number.
func ContentScale(scale float32) float32 {
	if !(scale > 0) || math.IsInf(float64(scale), 0) {
		return 1
	}
	return scale
}

// Scale returns the content scale that the atlas was made for.
func (a *Atlas) Scale() float32 { return a.scale }

func newAtlas(scale float32) *Atlas {
	a := &Atlas{scale: scale, Generation: int(atlases.generation.Add(1)), faces: new([NumFaces]faceGlyphs)}
	var p packer
	var white sprite
	p.add(solid(4), &white)
	for f := range a.faces {
		a.faces[f].rasterise(&p, faceSpecs[f], float64(scale))
	}
	finish := a.addSprites(&p)
	cut := a.addRounds(&p)
	width, bottom := textureWidth(scale), 0
	a.Image, bottom = p.pack(width, spareRows(width))
	a.spare = newSpare(a, bottom)
	a.white = middle(white)
	finish()
	cut(a.Image)
	return a
}

// middle returns the position in the middle of a sprite.
func middle(s sprite) texel {
	u, v := uint32(s.from.u)+uint32(s.to.u)+1, uint32(s.from.v)+uint32(s.to.v)+1
	return texel{uint16(u / 2), uint16(v / 2)}
}

// textureWidth returns the width in texels that keeps the texture roughly square.
func textureWidth(scale float32) int {
	switch {
	case scale <= 1.25:
		return 1024
	case scale <= 2.5:
		return 2048
	}
	return 4096
}

// solid returns a fully covered square mask.
func solid(side int) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, side, side))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	return m
}
