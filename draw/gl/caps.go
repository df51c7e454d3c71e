//go:build cgo || windows

package gl

import (
	"fmt"
	"strings"

	"example.com/iprof/shaders"
)

// capabilities describes what the current context can do. The address of a function does not prove that it works,
// because GLX and EGL return an address for any name.
type capabilities struct {
	es         bool
	version    int  // 10 * major + minor
	compat     bool // has the fixed-function pipeline
	software   bool // it runs on the processor
	extensions map[string]bool

	vertexArrays, samplers, indexedEnable, indexedBlend, viewportArrays bool
	divisors, unpackRows, unpackBuffer, baseVertex, redTextures         bool
	clipPlanes                                                          int
}

// detect queries the current context. It returns an error if there is no context, or if the context has no shaders.
func detect() (*capabilities, error) {
	text := getString(glVersion)
	if text == "" {
		return nil, errNoContext
	}
	c := &capabilities{}
	if err := c.parseVersion(text); err != nil {
		return nil, err
	}
	c.extensions = c.listExtensions()
	c.compat = c.fixedFunction()
	c.software = isSoftware(getString(glRenderer))
	c.derive()
	return c, nil
}

// parseVersion parses strings such as "4.5 (Core Profile) Mesa" and "OpenGL ES 3.2 …".
func (c *capabilities) parseVersion(text string) error {
	number, es := strings.CutPrefix(text, "OpenGL ES ")
	var major, minor int
	if _, err := fmt.Sscanf(number, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("profgl: the OpenGL version %q cannot be read", text)
	}
	c.es, c.version = es, 10*major+minor
	if c.version < 20 || !es && c.version < 21 {
		return fmt.Errorf("profgl: OpenGL %q is too old: it takes OpenGL 2.1 or OpenGL ES 2", text)
	}
	return nil
}

func (c *capabilities) listExtensions() map[string]bool {
	set := map[string]bool{}
	if c.version < 30 {
		for _, name := range strings.Fields(getString(glExtensions)) {
			set[name] = true
		}
		return set
	}
	n := new(int32)
	getInteger(glNumExtensions, n)
	for i := range uint32(*n) {
		set[getStringi(glExtensions, i)] = true
	}
	return set
}

// isSoftware reports whether a renderer's name is one of Mesa's that run on the processor.
func isSoftware(renderer string) bool {
	for _, name := range [...]string{"llvmpipe", "softpipe", "swr", "Software Rasterizer"} {
		if strings.Contains(renderer, name) {
			return true
		}
	}
	return false
}

// fixedFunction reports whether the context has the matrices and tests that OpenGL 3.1 removed.
func (c *capabilities) fixedFunction() bool {
	if c.es {
		return false
	}
	bits := new(int32)
	switch {
	case c.version >= 32:
		getInteger(glContextProfileMask, bits)
		return *bits&glCompatibilityBit != 0
	case c.version >= 31:
		return c.extensions["GL_ARB_compatibility"]
	case c.version >= 30:
		getInteger(glContextFlags, bits)
		return *bits&glForwardCompatible == 0
	}
	return true
}

// since reports whether the context has a feature that came with these versions of OpenGL and OpenGL ES, or with one
// of the extensions. A version of 0 means that no version has it.
func (c *capabilities) since(gl, es int, extensions ...string) bool {
	first := gl
	if c.es {
		first = es
	}
	if first != 0 && c.version >= first {
		return true
	}
	for _, name := range extensions {
		if c.extensions[name] {
			return true
		}
	}
	return false
}

func (c *capabilities) derive() {
	c.vertexArrays = c.since(30, 30)
	c.samplers = c.since(33, 30, "GL_ARB_sampler_objects")
	c.indexedEnable = c.since(30, 32)
	c.indexedBlend = c.since(40, 32)
	c.viewportArrays = c.indexedEnable && c.since(41, 0, "GL_ARB_viewport_array")
	c.divisors = c.since(33, 30, "GL_ARB_instanced_arrays")
	c.unpackRows = c.since(20, 30)
	c.unpackBuffer = c.since(21, 30)
	c.baseVertex = c.since(32, 32, "GL_ARB_draw_elements_base_vertex")
	c.redTextures = c.since(30, 30)
	if c.since(20, 0, "GL_EXT_clip_cull_distance") {
		n := new(int32)
		getInteger(glMaxClipDistances, n)
		c.clipPlanes = int(*n)
	}
}

// dialect returns the shading language of the program.
func (c *capabilities) dialect() shaders.Dialect {
	switch {
	case c.es && c.version >= 30:
		return shaders.DialectGLSL300ES
	case c.es:
		return shaders.DialectGLSL100ES
	case c.version >= 32 && !c.compat:
		return shaders.DialectGLSL150
	}
	return shaders.DialectGLSL110
}
