//go:build cgo

package gl

import (
	"fmt"
	"testing"
	"unsafe"

	host "github.com/go-gl/gl/v3.3-core/gl"
)

// snapshot is the GL state as a host can ask for it, by name.
type snapshot struct {
	names  []string
	values []any
}

func (s *snapshot) add(name string, value any) {
	s.names, s.values = append(s.names, name), append(s.values, value)
}

// ints adds n values of a parameter.
func (s *snapshot) ints(name string, parameter uint32, n int) {
	v := make([]int32, 16)
	host.GetIntegerv(parameter, &v[0])
	for i := range n {
		s.add(fmt.Sprintf("%s[%d]", name, i), v[i])
	}
}

func (s *snapshot) floats(name string, parameter uint32, n int) {
	v := make([]float32, 16)
	host.GetFloatv(parameter, &v[0])
	for i := range n {
		s.add(fmt.Sprintf("%s[%d]", name, i), v[i])
	}
}

func (s *snapshot) bools(name string, parameter uint32, n int) {
	v := make([]bool, 16)
	host.GetBooleanv(parameter, &v[0])
	for i := range n {
		s.add(fmt.Sprintf("%s[%d]", name, i), v[i])
	}
}

func (s *snapshot) indexed(name string, parameter uint32, i uint32) {
	v := new(int32)
	host.GetIntegeri_v(parameter, i, v)
	s.add(fmt.Sprintf("%s(%d)", name, i), *v)
}

// compare lists what differs afterwards.
func (s *snapshot) compare(t *testing.T, after *snapshot) (differences []string) {
	t.Helper()
	if len(s.names) != len(after.names) {
		t.Fatalf("got %d values after; want %d", len(after.names), len(s.names))
	}
	for i, name := range s.names {
		if s.values[i] != after.values[i] {
			differences = append(differences, fmt.Sprintf("%s: got %v; want %v", name, after.values[i], s.values[i]))
		}
	}
	return differences
}

// take asks the current context for everything a draw might disturb, and its neighbours.
func take(t *testing.T, c *capabilities) *snapshot {
	t.Helper()
	s := &snapshot{}
	s.bindings(c)
	s.units(c)
	s.switches(c)
	s.fragments(c)
	s.blends(c)
	s.pixels(c)
	s.attributes(c)
	if c.compat {
		s.fixedFunction()
	}
	noError(t, "asking for the state")
	return s
}

func (s *snapshot) bindings(c *capabilities) {
	s.ints("CURRENT_PROGRAM", host.CURRENT_PROGRAM, 1)
	s.ints("ARRAY_BUFFER_BINDING", host.ARRAY_BUFFER_BINDING, 1)
	s.ints("ELEMENT_ARRAY_BUFFER_BINDING", host.ELEMENT_ARRAY_BUFFER_BINDING, 1)
	s.ints("FRAMEBUFFER_BINDING", host.FRAMEBUFFER_BINDING, 1)
	s.ints("RENDERBUFFER_BINDING", host.RENDERBUFFER_BINDING, 1)
	s.ints("VIEWPORT", host.VIEWPORT, 4)
	s.ints("SCISSOR_BOX", host.SCISSOR_BOX, 4)
	s.ints("ACTIVE_TEXTURE", host.ACTIVE_TEXTURE, 1)
	if c.vertexArrays {
		s.ints("VERTEX_ARRAY_BINDING", host.VERTEX_ARRAY_BINDING, 1)
		s.ints("READ_FRAMEBUFFER_BINDING", host.READ_FRAMEBUFFER_BINDING, 1)
	}
	if c.since(45, 0, "GL_ARB_clip_control") {
		s.ints("CLIP_ORIGIN", glClipOrigin, 1)
		s.ints("CLIP_DEPTH_MODE", glClipDepthMode, 1)
	}
}

func (s *snapshot) units(c *capabilities) {
	active := new(int32)
	host.GetIntegerv(host.ACTIVE_TEXTURE, active)
	for unit := range uint32(4) {
		host.ActiveTexture(host.TEXTURE0 + unit)
		s.ints(fmt.Sprintf("TEXTURE_BINDING_2D of unit %d", unit), host.TEXTURE_BINDING_2D, 1)
		s.ints(fmt.Sprintf("TEXTURE_BINDING_CUBE_MAP of unit %d", unit), host.TEXTURE_BINDING_CUBE_MAP, 1)
		if c.samplers {
			s.ints(fmt.Sprintf("SAMPLER_BINDING of unit %d", unit), host.SAMPLER_BINDING, 1)
		}
	}
	host.ActiveTexture(uint32(*active))
}

func (s *snapshot) switches(c *capabilities) {
	for _, w := range switchesOf(c) {
		s.add(w.name, host.IsEnabled(w.capability))
	}
	if c.viewportArrays {
		for i := range uint32(4) {
			s.add(fmt.Sprintf("SCISSOR_TEST(%d)", i), host.IsEnabledi(host.SCISSOR_TEST, i))
		}
	}
}

// fragments adds the parameters of what happens to a fragment.
func (s *snapshot) fragments(c *capabilities) {
	s.ints("DEPTH_FUNC", host.DEPTH_FUNC, 1)
	s.bools("DEPTH_WRITEMASK", host.DEPTH_WRITEMASK, 1)
	s.floats("DEPTH_RANGE", host.DEPTH_RANGE, 2)
	s.ints("CULL_FACE_MODE", host.CULL_FACE_MODE, 1)
	s.ints("FRONT_FACE", host.FRONT_FACE, 1)
	s.ints("STENCIL_FUNC", host.STENCIL_FUNC, 1)
	s.ints("STENCIL_REF", host.STENCIL_REF, 1)
	s.ints("STENCIL_FAIL", host.STENCIL_FAIL, 1)
	s.ints("STENCIL_WRITEMASK", host.STENCIL_WRITEMASK, 1)
	s.floats("COLOR_CLEAR_VALUE", host.COLOR_CLEAR_VALUE, 4)
	s.floats("SAMPLE_COVERAGE_VALUE", host.SAMPLE_COVERAGE_VALUE, 1)
	s.floats("LINE_WIDTH", host.LINE_WIDTH, 1)
	if !c.es {
		s.ints("POLYGON_MODE", host.POLYGON_MODE, 2)
		s.ints("LOGIC_OP_MODE", host.LOGIC_OP_MODE, 1)
		s.floats("POINT_SIZE", host.POINT_SIZE, 1)
	}
	if c.since(31, 0) {
		s.ints("PRIMITIVE_RESTART_INDEX", host.PRIMITIVE_RESTART_INDEX, 1)
	}
}

func (s *snapshot) blends(c *capabilities) {
	s.add("BLEND", host.IsEnabled(host.BLEND))
	s.floats("BLEND_COLOR", host.BLEND_COLOR, 4)
	parameters := []uint32{host.BLEND_SRC_RGB, host.BLEND_DST_RGB, host.BLEND_SRC_ALPHA, host.BLEND_DST_ALPHA,
		host.BLEND_EQUATION_RGB, host.BLEND_EQUATION_ALPHA}
	for _, p := range parameters {
		s.ints(fmt.Sprintf("blend %#x", p), p, 1)
		for i := uint32(0); i < 4 && c.indexedBlend; i++ {
			s.indexed(fmt.Sprintf("blend %#x", p), p, i)
		}
	}
	s.bools("COLOR_WRITEMASK", host.COLOR_WRITEMASK, 4)
	for i := uint32(0); i < 4 && c.indexedEnable; i++ {
		s.add(fmt.Sprintf("BLEND(%d)", i), host.IsEnabledi(host.BLEND, i))
		v := make([]bool, 4)
		host.GetBooleani_v(host.COLOR_WRITEMASK, i, &v[0])
		s.add(fmt.Sprintf("COLOR_WRITEMASK(%d)", i), fmt.Sprint(v))
	}
}

func (s *snapshot) pixels(c *capabilities) {
	for _, p := range unpacks(c) {
		s.ints(fmt.Sprintf("unpack %#x", p), p, 1)
	}
	s.ints("PACK_ALIGNMENT", host.PACK_ALIGNMENT, 1)
	if c.unpackBuffer {
		s.ints("PIXEL_UNPACK_BUFFER_BINDING", host.PIXEL_UNPACK_BUFFER_BINDING, 1)
		s.ints("PIXEL_PACK_BUFFER_BINDING", host.PIXEL_PACK_BUFFER_BINDING, 1)
	}
}

func (s *snapshot) attributes(c *capabilities) {
	v := new(int32)
	for i := range uint32(8) {
		for _, p := range []uint32{host.VERTEX_ATTRIB_ARRAY_ENABLED, host.VERTEX_ATTRIB_ARRAY_SIZE,
			host.VERTEX_ATTRIB_ARRAY_TYPE,
			host.VERTEX_ATTRIB_ARRAY_NORMALIZED, host.VERTEX_ATTRIB_ARRAY_STRIDE,
			host.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING} {
			host.GetVertexAttribiv(i, p, v)
			s.add(fmt.Sprintf("attribute %d %#x", i, p), *v)
		}
		if c.divisors {
			host.GetVertexAttribiv(i, host.VERTEX_ATTRIB_ARRAY_DIVISOR, v)
			s.add(fmt.Sprintf("attribute %d divisor", i), *v)
		}
		at := new(uintptr)
		host.GetVertexAttribPointerv(i, host.VERTEX_ATTRIB_ARRAY_POINTER, (*unsafe.Pointer)(unsafe.Pointer(at)))
		s.add(fmt.Sprintf("attribute %d pointer", i), *at)
	}
}

// fixedFunction adds what only contexts with the old pipeline have.
func (s *snapshot) fixedFunction() {
	s.floats("MODELVIEW_MATRIX", glModelviewMatrix, 16)
	s.floats("PROJECTION_MATRIX", glProjectionMatrix, 16)
	s.ints("MATRIX_MODE", 0x0BA0, 1)
	s.ints("ALPHA_TEST_FUNC", 0x0BC1, 1)
	s.floats("ALPHA_TEST_REF", 0x0BC2, 1)
	s.ints("SHADE_MODEL", 0x0B54, 1)
	s.ints("CLIENT_ACTIVE_TEXTURE", 0x84E1, 1)
	s.add("VERTEX_ARRAY", host.IsEnabled(0x8074))
	s.add("NORMAL_ARRAY", host.IsEnabled(0x8075))
	s.add("COLOR_ARRAY", host.IsEnabled(0x8076))
}

// noError fails the test if GL has an error to tell.
func noError(t *testing.T, doing string) {
	t.Helper()
	if e := host.GetError(); e != host.NO_ERROR {
		t.Fatalf("got GL error %#x after %s; want none", e, doing)
	}
}
