//go:build cgo

package gl

import (
	"unsafe"

	"example.com/iprof/internal/egltest"
	host "github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// The parameters of glClipControl that are not the default.
const (
	upperLeft = 0x8CA2
	zeroToOne = 0x935F
)

// named is a capability to switch on.
type named struct {
	name       string
	capability uint32
}

// switchesOf lists every capability of the context that could disturb a draw, independently of the table under test.
func switchesOf(c *capabilities) []named {
	list := []named{{"DEPTH_TEST", host.DEPTH_TEST}, {"CULL_FACE", host.CULL_FACE}, {"STENCIL_TEST", host.STENCIL_TEST},
		{"SCISSOR_TEST", host.SCISSOR_TEST}, {"POLYGON_OFFSET_FILL", host.POLYGON_OFFSET_FILL},
		{"SAMPLE_ALPHA_TO_COVERAGE", host.SAMPLE_ALPHA_TO_COVERAGE}, {"SAMPLE_COVERAGE", host.SAMPLE_COVERAGE}}
	add := func(has bool, more ...named) {
		if has {
			list = append(list, more...)
		}
	}
	add(c.since(13, 0, "GL_EXT_multisample_compatibility"), named{"SAMPLE_ALPHA_TO_ONE", host.SAMPLE_ALPHA_TO_ONE})
	add(!c.es, named{"COLOR_LOGIC_OP", host.COLOR_LOGIC_OP}, named{"POLYGON_SMOOTH", host.POLYGON_SMOOTH})
	add(c.since(30, 0, "GL_ARB_framebuffer_sRGB", "GL_EXT_framebuffer_sRGB", "GL_EXT_sRGB_write_control"),
		named{"FRAMEBUFFER_SRGB", host.FRAMEBUFFER_SRGB})
	add(c.since(30, 30), named{"RASTERIZER_DISCARD", host.RASTERIZER_DISCARD})
	add(c.since(32, 31, "GL_ARB_texture_multisample"), named{"SAMPLE_MASK", host.SAMPLE_MASK})
	add(c.since(31, 0), named{"PRIMITIVE_RESTART", host.PRIMITIVE_RESTART})
	add(c.since(43, 30, "GL_ARB_ES3_compatibility"), named{"PRIMITIVE_RESTART_FIXED_INDEX", glPrimitiveRestartFixed})
	add(c.extensions["GL_EXT_depth_bounds_test"], named{"DEPTH_BOUNDS_TEST", glDepthBoundsTest})
	for i := range c.clipPlanes {
		add(true, named{"CLIP_DISTANCE" + string(rune('0'+i)), host.CLIP_DISTANCE0 + uint32(i)})
	}
	add(c.compat, named{"ALPHA_TEST", glAlphaTest}, named{"POLYGON_STIPPLE", glPolygonStipple})
	return list
}

// unpacks lists the context's parameters of an upload.
func unpacks(c *capabilities) []uint32 {
	list := []uint32{host.UNPACK_ALIGNMENT}
	if c.since(20, 30) {
		list = append(list, host.UNPACK_ROW_LENGTH, host.UNPACK_SKIP_ROWS, host.UNPACK_SKIP_PIXELS,
			host.UNPACK_IMAGE_HEIGHT, host.UNPACK_SKIP_IMAGES)
	}
	if !c.es {
		list = append(list, host.UNPACK_SWAP_BYTES, host.UNPACK_LSB_FIRST)
	}
	return list
}

// oddHost is a host with objects of its own and a state in which nothing can be drawn.
type oddHost struct {
	c        *capabilities
	program  uint32
	arrays   uint32
	buffers  [3]uint32
	textures [3]uint32
	samplers [1]uint32
	blending bool   // switched on
	source   uint32 // blend factor
}

func newOddHost(ctx *egltest.Context, c *capabilities) *oddHost {
	h := &oddHost{c: c, source: host.DST_COLOR}
	p, err := newProgram(c.dialect())
	if err != nil {
		panic(err)
	}
	h.program = p.id
	host.GenBuffers(3, &h.buffers[0])
	host.GenTextures(3, &h.textures[0])
	if c.vertexArrays {
		host.GenVertexArrays(1, &h.arrays)
	}
	if c.samplers {
		host.GenSamplers(1, &h.samplers[0])
	}
	if c.compat {
		ctx.OddFixedFunction()
		m := mgl32.Translate3D(3, 4, 5)
		ctx.LoadMatrix(0x1700, (*[16]float32)(&m))
		m = mgl32.Scale3D(.5, .25, .125)
		ctx.LoadMatrix(0x1701, (*[16]float32)(&m))
	}
	return h
}

// set sets every value that a draw might disturb to something else than the default, and than what drawing needs.
func (h *oddHost) set() {
	h.setVertices()
	h.setTextures()
	h.setFragments()
	h.setBlend()
	h.setUpload()
	for _, w := range switchesOf(h.c) {
		host.Enable(w.capability)
	}
	if h.c.viewportArrays {
		host.Disablei(host.SCISSOR_TEST, 2)
	}
}

func (h *oddHost) setVertices() {
	host.UseProgram(h.program)
	if h.c.vertexArrays {
		host.BindVertexArray(h.arrays)
	}
	host.BindBuffer(host.ELEMENT_ARRAY_BUFFER, h.buffers[1])
	host.BindBuffer(host.ARRAY_BUFFER, h.buffers[0])
	host.BufferData(host.ARRAY_BUFFER, 4096, unsafe.Pointer(nil), host.STATIC_DRAW)
	for i := range uint32(8) {
		host.VertexAttribPointerWithOffset(i, int32(1+i%3), host.SHORT, i%2 == 0, int32(20+4*i), uintptr(8*i))
		if h.c.divisors {
			host.VertexAttribDivisorARB(i, i+1)
		}
		if i%2 == 1 {
			host.EnableVertexAttribArray(i)
		} else {
			host.DisableVertexAttribArray(i)
		}
	}
	host.BindBuffer(host.ARRAY_BUFFER, h.buffers[2])
}

func (h *oddHost) setTextures() {
	for unit, id := range h.textures {
		host.ActiveTexture(host.TEXTURE0 + uint32(unit))
		host.BindTexture(host.TEXTURE_2D, id)
		if h.c.samplers {
			host.BindSampler(uint32(unit), h.samplers[0])
		}
	}
}

func (h *oddHost) setFragments() {
	host.Scissor(1, 2, 3, 4)
	host.DepthFunc(host.NEVER)
	host.StencilFunc(host.NEVER, 3, 0x55)
	host.CullFace(host.FRONT_AND_BACK)
	host.FrontFace(host.CW)
	host.SampleCoverage(0.25, true)
	host.ColorMask(false, false, true, false)
	if h.c.indexedEnable {
		host.ColorMaski(2, true, false, false, true)
	}
	if h.c.since(31, 0) {
		host.PrimitiveRestartIndex(2)
	}
	if h.c.since(32, 31) {
		host.SampleMaski(0, 0)
	}
	if h.c.since(45, 0, "GL_ARB_clip_control") {
		host.ClipControl(upperLeft, zeroToOne)
	}
	if !h.c.es {
		host.LogicOp(host.CLEAR)
		h.setPolygonMode()
	}
}

func (h *oddHost) setPolygonMode() {
	if h.c.compat {
		host.PolygonMode(host.FRONT, host.POINT)
		host.PolygonMode(host.BACK, host.LINE)
		return
	}
	host.PolygonMode(host.FRONT_AND_BACK, host.POINT)
}

func (h *oddHost) setBlend() {
	if h.blending {
		host.Enable(host.BLEND)
	} else {
		host.Disable(host.BLEND)
	}
	host.BlendFuncSeparate(h.source, host.ONE_MINUS_SRC_ALPHA, host.ZERO, host.ONE)
	equation := uint32(host.FUNC_REVERSE_SUBTRACT)
	if h.blending {
		equation = host.FUNC_ADD
	}
	host.BlendEquationSeparate(equation, host.FUNC_SUBTRACT)
	if h.c.indexedBlend {
		host.Enablei(host.BLEND, 1)
		host.BlendFuncSeparateiARB(1, host.ZERO, host.SRC_COLOR, host.ONE, host.DST_ALPHA)
		host.BlendEquationSeparateiARB(1, host.MIN, host.MAX)
	}
}

func (h *oddHost) setUpload() {
	for i, p := range unpacks(h.c) {
		v := int32(3 + i)
		switch p {
		case host.UNPACK_ALIGNMENT:
			v = 8
		case host.UNPACK_SWAP_BYTES, host.UNPACK_LSB_FIRST:
			v = 1
		}
		host.PixelStorei(p, v)
	}
	if h.c.unpackBuffer {
		host.BindBuffer(host.PIXEL_UNPACK_BUFFER, h.buffers[0])
	}
}
