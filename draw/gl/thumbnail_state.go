//go:build cgo || windows

package gl

// pictureState lists the state that keeping a picture saves, sets and restores.
func pictureState(c *capabilities) table {
	t := table{framebufferStep(), renderbufferStep(), packBufferStep(), scissorStep(c)}
	if c.since(30, 0, "GL_ARB_framebuffer_sRGB", "GL_EXT_framebuffer_sRGB", "GL_EXT_sRGB_write_control") {
		t = append(t, switchStep("FRAMEBUFFER_SRGB", glFramebufferSRGB))
	}
	t = append(t, pixelStoreStep("PACK_ALIGNMENT", glPackAlignment, 4))
	zero := func(name string, parameter uint32) { t = append(t, pixelStoreStep(name, parameter, 0)) }
	zero("PACK_ROW_LENGTH", glPackRowLength)
	zero("PACK_SKIP_ROWS", glPackSkipRows)
	zero("PACK_SKIP_PIXELS", glPackSkipPixels)
	if !c.es {
		zero("PACK_SWAP_BYTES", glPackSwapBytes)
		zero("PACK_LSB_FIRST", glPackLSBFirst)
	}
	return t
}

// framebufferStep restores both framebuffers.
func framebufferStep() step {
	var read, draw int32
	return step{"FRAMEBUFFER",
		func() {
			getInteger(glReadBinding, &read)
			getInteger(glDrawBinding, &draw)
		},
		func() {
			bindFramebuffer(glReadFramebuffer, uint32(read))
			bindFramebuffer(glDrawFramebuffer, uint32(draw))
		}}
}

func renderbufferStep() step {
	var id int32
	return step{"RENDERBUFFER",
		func() { getInteger(glRenderBinding, &id) },
		func() { bindRenderbuffer(uint32(id)) }}
}

func packBufferStep() step {
	var id int32
	return step{"PIXEL_PACK_BUFFER",
		func() {
			getInteger(glPixelPackBinding, &id)
			bindBuffer(glPixelPackBuffer, 0)
		},
		func() { bindBuffer(glPixelPackBuffer, uint32(id)) }}
}
