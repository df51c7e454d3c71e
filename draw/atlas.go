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

// The faces, with their size in pixels at scale 1. Those for numbers have one advance for all characters.
const (
	FaceText  Face = iota // regular, 13
	FaceBold              // bold, 13
	FaceSmall             // regular, 11.5
	FaceMono              // 13
	FaceTiny              // mono, 11
	FaceLarge             // mono, 24: the one number to be read from afar
	NumFaces  = iota
)

// faceSpec says what a face is made of.
type faceSpec struct {
	typeface fonts.Typeface
	pixels   float64
	tabular  bool // every advance is rounded to whole pixels, so each character looks alike wherever it stands
	ascii    bool // nothing else: a large face would fill the atlas
}

var faceSpecs = [NumFaces]faceSpec{
	FaceText:  {fonts.Regular, 13, false, false},
	FaceBold:  {fonts.Bold, 13, false, false},
	FaceSmall: {fonts.Regular, 11.5, false, false},
	FaceMono:  {fonts.Mono, 13, true, false},
	FaceTiny:  {fonts.Mono, 11, true, true},
	FaceLarge: {fonts.Mono, 24, true, true},
}

// The scales that atlases are made for: steps of an eighth from half to four times.
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

// NewAtlas returns the atlas for a content scale (device pixels to a nominal pixel): 0 means 1, others are clamped to 0.5..4
// and rounded to eighths. Atlases are made once for each scale, kept and shared, and never change: callers only read them.
// Any goroutine may call it.
func NewAtlas(scale float32) *Atlas {
	step := scaleSteps(scale)
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

// scaleSteps is the scale in eighths.
func scaleSteps(scale float32) int {
	return int(snap(min(max(scaleOf(scale), minScale), maxScale) * scaleStep))
}

// scaleOf makes 1 of what is no scale.
func scaleOf(scale float32) float32 {
	if !(scale > 0) || math.IsInf(float64(scale), 0) {
		return 1
	}
	return scale
}

// Scale returns the content scale that the atlas was made for.
func (a *Atlas) Scale() float32 { return a.scale }

func newAtlas(scale float32) *Atlas {
	a := &Atlas{scale: scale, Generation: int(atlases.generation.Add(1))}
	var p packer
	var white sprite
	p.add(solid(4), &white)
	for f := range a.faces {
		a.faces[f].rasterise(&p, faceSpecs[f], float64(scale))
	}
	finish := a.addSprites(&p)
	cut := a.addRounds(&p)
	a.Image = p.pack(textureWidth(scale))
	a.white = middle(white)
	finish()
	cut(a.Image)
	return a
}

// middle is the middle of a sprite.
func middle(s sprite) texel {
	return texel{uint16((uint32(s.from.u) + uint32(s.to.u) + 1) / 2), uint16((uint32(s.from.v) + uint32(s.to.v) + 1) / 2)}
}

// textureWidth keeps the texture roughly square.
func textureWidth(scale float32) int {
	switch {
	case scale <= 1.25:
		return 1024
	case scale <= 2.5:
		return 2048
	}
	return 4096
}

// solid is a fully covered square.
func solid(side int) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, side, side))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	return m
}
