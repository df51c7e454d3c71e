// Package shaders contains the GLSL program that draws a draw.List, for any version of OpenGL or OpenGL ES with
// shaders.
//
//	vertex, fragment := shaders.Quads(shaders.DialectGLSL150, "")
package shaders

import (
	_ "embed"
	"strings"
)

// Dialect is a version of the shading language.
type Dialect uint8

// The dialects: for OpenGL 2.1 and every compatibility context, for OpenGL 3.2 and later, for OpenGL ES 2, for OpenGL
// ES 3.
const (
	DialectGLSL110 Dialect = iota
	DialectGLSL150
	DialectGLSL100ES
	DialectGLSL300ES
)

// The names of the vertex attributes, and the locations to bind them to before the program is linked. In a program
// the position attribute's name is AttributePosition followed by the tag passed to Quads.
const (
	AttributePosition = "iprofPosition"
	AttributeAtlas    = "atlasPosition"
	AttributeColor    = "color"

	LocationPosition = 0
	LocationAtlas    = 1
	LocationColor    = 2
)

// The names of the uniforms: the matrix to clip space, the atlas's texture unit, and the form of colour that the
// blending expects (a float: 0 no blending, 1 straight alpha, 2 premultiplied alpha).
const (
	UniformProjection = "projection"
	UniformAtlas      = "atlas"
	UniformBlending   = "blending"
)

//go:embed quads.vert
var quadsVertex string

//go:embed quads.frag
var quadsFragment string

// precise requests highp in ES fragment stages that have it, because positions in a large atlas need it.
const precise = `#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
#else
precision mediump float;
#endif
`

// version returns the first line of a stage. It must precede everything else.
func (d Dialect) version() string {
	return [...]string{"#version 110\n", "#version 150\n", "#version 100\n", "#version 300 es\n"}[d]
}

// modern reports whether the dialect uses in, out and texture. Older dialects use attribute, varying and texture2D.
func (d Dialect) modern() bool { return d == DialectGLSL150 || d == DialectGLSL300ES }

func (d Dialect) vertexPrefix() string {
	if d.modern() {
		return "#define IN in\n#define OUT out\n"
	}
	return "#define IN attribute\n#define OUT varying\n"
}

func (d Dialect) fragmentPrefix() string {
	prefix := ""
	if d == DialectGLSL100ES || d == DialectGLSL300ES {
		prefix = precise
	}
	if d.modern() {
		return prefix + "out vec4 result;\n#define IN in\n#define SAMPLE texture\n#define RESULT result\n"
	}
	return prefix + "#define IN varying\n#define SAMPLE texture2D\n#define RESULT gl_FragColor\n"
}

// Quads returns the vertex and fragment stages of the program in a dialect. An unknown dialect panics.
// The tag becomes the end of the position attribute's name. It must consist of letters and digits.
// With a tag of its own, a program can be recognised in any context.
func Quads(d Dialect, tag string) (vertex, fragment string) {
	name := "#define POSITION " + AttributePosition + tag + "\n"
	vertex = strings.Join([]string{d.version(), name, d.vertexPrefix(), quadsVertex}, "")
	fragment = strings.Join([]string{d.version(), d.fragmentPrefix(), quadsFragment}, "")
	return vertex, fragment
}
