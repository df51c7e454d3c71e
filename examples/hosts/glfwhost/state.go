package glfwhost

import (
	"errors"
	"fmt"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// state is the GL state that a host can query, by name.
type state map[string]string

// parameter is one value to query. A context without it raises an error, both before and after the overlay.
type parameter struct {
	name  string
	enum  uint32
	count int
}

// integers are queried as integers.
var integers = []parameter{
	{"program", gl.CURRENT_PROGRAM, 1}, {"program pipeline", gl.PROGRAM_PIPELINE_BINDING, 1},
	{"vertex array", gl.VERTEX_ARRAY_BINDING, 1}, {"array buffer", gl.ARRAY_BUFFER_BINDING, 1},
	{"index buffer", gl.ELEMENT_ARRAY_BUFFER_BINDING, 1}, {"uniform buffer", gl.UNIFORM_BUFFER_BINDING, 1},
	{"pixel pack buffer", gl.PIXEL_PACK_BUFFER_BINDING, 1}, {"pixel unpack buffer", gl.PIXEL_UNPACK_BUFFER_BINDING, 1},
	{"draw framebuffer", gl.DRAW_FRAMEBUFFER_BINDING, 1}, {"read framebuffer", gl.READ_FRAMEBUFFER_BINDING, 1},
	{"draw buffer", gl.DRAW_BUFFER, 1}, {"renderbuffer", gl.RENDERBUFFER_BINDING, 1},
	{"active texture", gl.ACTIVE_TEXTURE, 1}, {"viewport", gl.VIEWPORT, 4}, {"scissor box", gl.SCISSOR_BOX, 4},
	{"blend source", gl.BLEND_SRC_RGB, 1}, {"blend destination", gl.BLEND_DST_RGB, 1},
	{"blend source alpha", gl.BLEND_SRC_ALPHA, 1},
	{"blend destination alpha", gl.BLEND_DST_ALPHA, 1}, {"blend equation", gl.BLEND_EQUATION_RGB, 1},
	{"blend equation alpha", gl.BLEND_EQUATION_ALPHA, 1}, {"depth function", gl.DEPTH_FUNC, 1},
	{"depth mask", gl.DEPTH_WRITEMASK, 1},
	{"colour mask", gl.COLOR_WRITEMASK, 4}, {"cull face", gl.CULL_FACE_MODE, 1}, {"front face", gl.FRONT_FACE, 1},
	{"polygon mode", gl.POLYGON_MODE, 2}, {"stencil function", gl.STENCIL_FUNC, 1},
	{"stencil mask", gl.STENCIL_WRITEMASK, 1},
	{"logic operation", gl.LOGIC_OP_MODE, 1}, {"unpack alignment", gl.UNPACK_ALIGNMENT, 1},
	{"unpack row length", gl.UNPACK_ROW_LENGTH, 1},
	{"unpack skip rows", gl.UNPACK_SKIP_ROWS, 1}, {"unpack skip pixels", gl.UNPACK_SKIP_PIXELS, 1},
	{"pack alignment", gl.PACK_ALIGNMENT, 1},
	// fixed function
	{"matrix mode", 0x0BA0, 1}, {"modelview depth", 0x0BA3, 1}, {"projection depth", 0x0BA4, 1},
	{"attribute stack depth", 0x0BB0, 1},
	{"client attribute stack depth", 0x0BB1, 1}, {"shade model", 0x0B54, 1}, {"alpha function", 0x0BC1, 1},
	{"fog mode", 0x0B65, 1},
	{"client texture", 0x84E1, 1}, {"colour material", 0x0B56, 1},
}

// floats are queried as floating-point numbers.
var floats = []parameter{
	{"clear colour", gl.COLOR_CLEAR_VALUE, 4}, {"blend colour", gl.BLEND_COLOR, 4}, {"depth range", gl.DEPTH_RANGE, 2},
	{"line width", gl.LINE_WIDTH, 1}, {"point size", gl.POINT_SIZE, 1},
	// fixed function
	{"modelview matrix", 0x0BA6, 16}, {"projection matrix", 0x0BA7, 16}, {"texture matrix", 0x0BA8, 16},
	{"current colour", 0x0B00, 4},
	{"current normal", 0x0B02, 3}, {"fog colour", 0x0B66, 4}, {"alpha reference", 0x0BC2, 1},
}

// switches are enabled or disabled.
var switches = []parameter{
	{"blend", gl.BLEND, 0}, {"depth test", gl.DEPTH_TEST, 0}, {"cull face", gl.CULL_FACE, 0},
	{"scissor test", gl.SCISSOR_TEST, 0},
	{"stencil test", gl.STENCIL_TEST, 0}, {"sRGB", gl.FRAMEBUFFER_SRGB, 0}, {"multisample", gl.MULTISAMPLE, 0},
	{"dither", gl.DITHER, 0},
	{"logic operation", gl.COLOR_LOGIC_OP, 0}, {"polygon offset", gl.POLYGON_OFFSET_FILL, 0},
	{"depth clamp", gl.DEPTH_CLAMP, 0},
	{"primitive restart", gl.PRIMITIVE_RESTART, 0}, {"rasterizer discard", gl.RASTERIZER_DISCARD, 0},
	{"clip plane", gl.CLIP_DISTANCE0, 0},
	// fixed function
	{"lighting", 0x0B50, 0}, {"light 0", 0x4000, 0}, {"colour material", 0x0B57, 0}, {"normalize", 0x0BA1, 0},
	{"fog", 0x0B60, 0},
	{"alpha test", 0x0BC0, 0}, {"texture", 0x0DE1, 0}, {"vertex array", 0x8074, 0}, {"normal array", 0x8075, 0},
	{"colour array", 0x8076, 0}, {"texture coordinate array", 0x8078, 0},
}

// takeState queries all of it.
func takeState() state {
	s := state{}
	for _, p := range integers {
		var v [16]int32
		gl.GetIntegerv(p.enum, &v[0])
		s.add(p.name, v[:p.count])
	}
	for _, p := range floats {
		var v [16]float32
		gl.GetFloatv(p.enum, &v[0])
		s.add(p.name, v[:p.count])
	}
	for _, p := range switches {
		s.add(p.name+" on", gl.IsEnabled(p.enum))
	}
	s.addTextures()
	s.addAttributes()
	return s
}

// add stores a value, unless the query raised an error.
func (s state) add(name string, value any) {
	if gl.GetError() == gl.NO_ERROR {
		s[name] = fmt.Sprint(value)
	}
}

// addTextures queries each texture unit, which requires changing the active unit.
func (s state) addTextures() {
	var active, v int32
	gl.GetIntegerv(gl.ACTIVE_TEXTURE, &active)
	for unit := range uint32(8) {
		gl.ActiveTexture(gl.TEXTURE0 + unit)
		gl.GetIntegerv(gl.TEXTURE_BINDING_2D, &v)
		s.add(fmt.Sprint("texture ", unit), v)
		gl.GetIntegerv(gl.SAMPLER_BINDING, &v)
		s.add(fmt.Sprint("sampler ", unit), v)
	}
	gl.ActiveTexture(uint32(active))
}

func (s state) addAttributes() {
	var v int32
	for i := range uint32(8) {
		for _, p := range []uint32{gl.VERTEX_ATTRIB_ARRAY_ENABLED, gl.VERTEX_ATTRIB_ARRAY_SIZE,
			gl.VERTEX_ATTRIB_ARRAY_STRIDE, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, gl.VERTEX_ATTRIB_ARRAY_DIVISOR} {
			gl.GetVertexAttribiv(i, p, &v)
			s.add(fmt.Sprintf("attribute %d %#x", i, p), v)
		}
	}
}

// compare returns an error that lists the differences in a later state.
func (s state) compare(later state) (err error) {
	for name, was := range s {
		if is := later[name]; is != was {
			err = errors.Join(err, fmt.Errorf("the overlay changed %s: it was %s and is %s", name, was, is))
		}
	}
	return err
}
