// Package shaders holds the one GLSL program that draws a draw.List, and writes it in the dialect of any OpenGL or OpenGL ES
// version that has shaders.
//
//	vertex, fragment := shaders.Quads(shaders.GLSL150, "")
package shaders

import (
	_ "embed"
	"strings"
)

// Dialect is a version of the shading language.
type Dialect uint8

// The dialects: of OpenGL 2.1 and of every compatibility context, of OpenGL 3.2 and later, of OpenGL ES 2 and of ES 3.
const (
	GLSL110 Dialect = iota
	GLSL150
	GLSL100ES
	GLSL300ES
)

// The names of the vertex attributes, and the locations to bind them to before the program is linked. The position's name
// in a program is AttributePosition followed by the tag that Quads was given.
const (
	AttributePosition = "iprofPosition"
	AttributeAtlas    = "atlasPosition"
	AttributeColor    = "color"

	LocationPosition = 0
	LocationAtlas    = 1
	LocationColor    = 2
)

// The names of the uniforms: the matrix to clip space, the atlas's texture unit and the kind of blending (a float: 0 none,
// 1 straight alpha, 2 premultiplied alpha).
const (
	UniformProjection = "projection"
	UniformAtlas      = "atlas"
	UniformBlending   = "blending"
)

//go:embed quads.vert
var quadsVertex string

//go:embed quads.frag
var quadsFragment string

// precise asks ES for the precision that a position in a large atlas needs, where the fragment stage has it.
const precise = `#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
#else
precision mediump float;
#endif
`

// version is the first line of a stage, which must come before everything else.
func (d Dialect) version() string {
	return [...]string{"#version 110\n", "#version 150\n", "#version 100\n", "#version 300 es\n"}[d]
}

// modern reports whether the dialect says in, out and texture where the older ones say attribute, varying and texture2D.
func (d Dialect) modern() bool { return d == GLSL150 || d == GLSL300ES }

func (d Dialect) vertexPrefix() string {
	if d.modern() {
		return "#define IN in\n#define OUT out\n"
	}
	return "#define IN attribute\n#define OUT varying\n"
}

func (d Dialect) fragmentPrefix() string {
	prefix := ""
	if d == GLSL100ES || d == GLSL300ES {
		prefix = precise
	}
	if d.modern() {
		return prefix + "out vec4 result;\n#define IN in\n#define SAMPLE texture\n#define RESULT result\n"
	}
	return prefix + "#define IN varying\n#define SAMPLE texture2D\n#define RESULT gl_FragColor\n"
}

// Quads returns the two stages of the program in the given dialect. The tag, letters and digits, becomes the end of the
// position attribute's name, by which a program can be told from every other in any context.
func Quads(d Dialect, tag string) (vertex, fragment string) {
	name := "#define POSITION " + AttributePosition + tag + "\n"
	vertex = strings.Join([]string{d.version(), name, d.vertexPrefix(), quadsVertex}, "")
	fragment = strings.Join([]string{d.version(), d.fragmentPrefix(), quadsFragment}, "")
	return vertex, fragment
}
