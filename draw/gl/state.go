//go:build cgo || windows

package gl

// A step protects one piece of the host's GL state that drawing changes or depends on. enter saves the state and sets
// the values that drawing needs; leave restores it. Both do nothing if the context lacks the feature. They raise no GL
// error and do not allocate.
type step struct {
	name         string
	enter, leave func()
}

// table is a list of steps, entered in order and left in reverse.
type table []step

func (t table) enter() {
	for i := range t {
		t[i].enter()
	}
}

func (t table) leave() {
	for i := len(t) - 1; i >= 0; i-- {
		t[i].leave()
	}
}

// drawingState lists the state that every draw saves, sets and restores. Renderer's comment lists the state that GL
// cannot restore.
func drawingState(c *capabilities) table {
	t := table{programStep(), arrayBufferStep()}
	if c.vertexArrays {
		t = append(t, vertexArrayStep())
	} else {
		t = append(t, elementBufferStep())
		for i := range uint32(3) {
			t = append(t, attributeStep(c, i))
		}
	}
	t = append(t, activeTextureStep(), textureStep())
	if c.samplers {
		t = append(t, samplerStep())
	}
	t = append(t, scissorStep(c), colorMaskStep(c))
	if !c.es {
		t = append(t, polygonModeStep(c))
	}
	if c.since(45, 0, "GL_ARB_clip_control") {
		t = append(t, clipControlStep())
	}
	return append(t, switches(c)...)
}

// switches lists the capabilities that drawing disables.
func switches(c *capabilities) table {
	t := table{}
	off := func(name string, capability uint32, has bool) {
		if has {
			t = append(t, switchStep(name, capability))
		}
	}
	off("DEPTH_TEST", glDepthTest, true)
	off("CULL_FACE", glCullFace, true)
	off("STENCIL_TEST", glStencilTest, true)
	off("SAMPLE_ALPHA_TO_COVERAGE", glSampleAlphaToCoverage, true)
	off("SAMPLE_COVERAGE", glSampleCoverage, true)
	off("SAMPLE_ALPHA_TO_ONE", glSampleAlphaToOne, c.since(13, 0, "GL_EXT_multisample_compatibility"))
	off("SAMPLE_MASK", glSampleMask, c.since(32, 31, "GL_ARB_texture_multisample"))
	off("COLOR_LOGIC_OP", glColorLogicOp, !c.es)
	off("POLYGON_SMOOTH", glPolygonSmooth, !c.es)
	off("FRAMEBUFFER_SRGB", glFramebufferSRGB,
		c.since(30, 0, "GL_ARB_framebuffer_sRGB", "GL_EXT_framebuffer_sRGB", "GL_EXT_sRGB_write_control"))
	off("RASTERIZER_DISCARD", glRasterizerDiscard, c.since(30, 30))
	off("PRIMITIVE_RESTART", glPrimitiveRestart, c.since(31, 0))
	off("PRIMITIVE_RESTART_FIXED_INDEX", glPrimitiveRestartFixed, c.since(43, 30, "GL_ARB_ES3_compatibility"))
	off("DEPTH_BOUNDS_TEST", glDepthBoundsTest, c.since(0, 0, "GL_EXT_depth_bounds_test"))
	for i := range c.clipPlanes {
		off("CLIP_DISTANCE"+string(rune('0'+i)), glClipDistance0+uint32(i), true)
	}
	off("ALPHA_TEST", glAlphaTest, c.compat)
	off("POLYGON_STIPPLE", glPolygonStipple, c.compat)
	return t
}

// blendingState lists the state that a draw with a Blend of its own saves and restores in addition.
func blendingState(c *capabilities) table {
	return table{blendSwitchStep(c), blendFuncStep(c), blendEquationStep(c)}
}

// uploadState lists the state that an upload of an atlas saves, sets and restores in addition.
func uploadState(c *capabilities) table {
	t := table{pixelStoreStep("UNPACK_ALIGNMENT", glUnpackAlignment, 1)}
	zero := func(name string, parameter uint32, has bool) {
		if has {
			t = append(t, pixelStoreStep(name, parameter, 0))
		}
	}
	zero("UNPACK_ROW_LENGTH", glUnpackRowLength, c.unpackRows)
	zero("UNPACK_SKIP_ROWS", glUnpackSkipRows, c.unpackRows)
	zero("UNPACK_SKIP_PIXELS", glUnpackSkipPixels, c.unpackRows)
	zero("UNPACK_IMAGE_HEIGHT", glUnpackImageHeight, c.unpackRows)
	zero("UNPACK_SKIP_IMAGES", glUnpackSkipImages, c.unpackRows)
	zero("UNPACK_SWAP_BYTES", glUnpackSwapBytes, !c.es)
	zero("UNPACK_LSB_FIRST", glUnpackLSBFirst, !c.es)
	if c.unpackBuffer {
		t = append(t, unpackBufferStep())
	}
	return t
}
