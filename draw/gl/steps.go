//go:build cgo || windows

package gl

// These are the steps of the tables in state.go. Each step keeps the saved value in a variable of its own, which is on
// the heap and holds no pointer, as calls into C require.

// switchStep disables a capability. If it is already disabled, the step costs one query.
func switchStep(name string, capability uint32) step {
	var on bool
	enter := func() {
		if on = isEnabled(capability); on {
			disable(capability)
		}
	}
	leave := func() {
		if on {
			enable(capability)
		}
	}
	return step{name, enter, leave}
}

// scissorStep disables the scissor test, with several viewports only for viewport 0. glDisable would affect all
// viewports.
func scissorStep(c *capabilities) step {
	if !c.viewportArrays {
		return switchStep("SCISSOR_TEST", glScissorTest)
	}
	var on bool
	enter := func() {
		if on = isEnabledi(glScissorTest, 0); on {
			disablei(glScissorTest, 0)
		}
	}
	leave := func() {
		if on {
			enablei(glScissorTest, 0)
		}
	}
	return step{"SCISSOR_TEST", enter, leave}
}

// programStep saves the program in use. It cannot restore a program that was deleted while in use.
func programStep() step {
	var id int32
	enter := func() { getInteger(glCurrentProgram, &id) }
	leave := func() {
		if id == 0 || isProgram(uint32(id)) {
			useProgram(uint32(id))
		}
	}
	return step{"program", enter, leave}
}

func arrayBufferStep() step {
	var id int32
	return step{"ARRAY_BUFFER",
		func() { getInteger(glArrayBufferBinding, &id) },
		func() { bindBuffer(glArrayBuffer, uint32(id)) }}
}

// elementBufferStep is for contexts without vertex array objects. In other contexts the vertex array object holds this
// binding.
func elementBufferStep() step {
	var id int32
	return step{"ELEMENT_ARRAY_BUFFER",
		func() { getInteger(glElementArrayBinding, &id) },
		func() { bindBuffer(glElementArrayBuffer, uint32(id)) }}
}

// vertexArrayStep makes a vertex array object for each draw, because contexts that share objects do not share vertex
// array objects.
func vertexArrayStep() step {
	var old int32
	var own uint32
	enter := func() {
		getInteger(glVertexArrayBinding, &old)
		genVertexArray(&own)
		bindVertexArray(own)
	}
	leave := func() {
		bindVertexArray(uint32(old))
		deleteVertexArray(&own)
	}
	return step{"VERTEX_ARRAY", enter, leave}
}

// attribute is the state of a generic vertex attribute in a context without vertex array objects.
type attribute struct {
	enabled, size, kind, normalized, stride, buffer, divisor int32
	at                                                       uintptr
}

func attributeStep(c *capabilities, i uint32) step {
	a := new(attribute)
	enter := func() { a.save(c, i) }
	leave := func() { a.restore(c, i) }
	return step{"attribute " + string(rune('0'+i)), enter, leave}
}

func (a *attribute) save(c *capabilities, i uint32) {
	getAttrib(i, glAttribEnabled, &a.enabled)
	getAttrib(i, glAttribSize, &a.size)
	getAttrib(i, glAttribType, &a.kind)
	getAttrib(i, glAttribNormalized, &a.normalized)
	getAttrib(i, glAttribStride, &a.stride)
	getAttrib(i, glAttribBuffer, &a.buffer)
	getAttribPointer(i, &a.at)
	if c.divisors {
		getAttrib(i, glAttribDivisor, &a.divisor)
		attribDivisor(i, 0)
	}
}

func (a *attribute) restore(c *capabilities, i uint32) {
	bindBuffer(glArrayBuffer, uint32(a.buffer))
	attribPointer(i, a.size, uint32(a.kind), a.normalized != 0, a.stride, a.at)
	if c.divisors {
		attribDivisor(i, uint32(a.divisor))
	}
	if a.enabled == 0 {
		disableAttrib(i)
	} else {
		enableAttrib(i)
	}
}

func activeTextureStep() step {
	var unit int32
	enter := func() {
		getInteger(glActiveTexture, &unit)
		activeTexture(glTexture0)
	}
	return step{"ACTIVE_TEXTURE", enter, func() { activeTexture(uint32(unit)) }}
}

// textureStep and samplerStep are for texture unit 0, which activeTextureStep has made active.
func textureStep() step {
	var id int32
	return step{"TEXTURE_2D",
		func() { getInteger(glTextureBinding2D, &id) },
		func() { bindTexture(glTexture2D, uint32(id)) }}
}

func samplerStep() step {
	var id int32
	enter := func() {
		getInteger(glSamplerBinding, &id)
		if id != 0 {
			bindSampler(0, 0)
		}
	}
	leave := func() {
		if id != 0 {
			bindSampler(0, uint32(id))
		}
	}
	return step{"SAMPLER", enter, leave}
}

// colorMaskStep opens the colour mask of draw buffer 0. If the context allows it, the other masks stay.
func colorMaskStep(c *capabilities) step {
	var m [4]bool
	get, set := func() { getBoolean(glColorWritemask, &m[0]) }, colorMask
	if c.indexedEnable {
		get = func() { getBooleani(glColorWritemask, 0, &m[0]) }
		set = func(r, g, b, a bool) { colorMaski(0, r, g, b, a) }
	}
	all := [4]bool{true, true, true, true}
	enter := func() {
		if get(); m != all {
			set(true, true, true, true)
		}
	}
	leave := func() {
		if m != all {
			set(m[0], m[1], m[2], m[3])
		}
	}
	return step{"COLOR_WRITEMASK", enter, leave}
}

// polygonModeStep fills polygons. Front and back differ only with the fixed-function pipeline.
func polygonModeStep(c *capabilities) step {
	var mode [2]int32
	enter := func() {
		getInteger(glPolygonMode, &mode[0])
		if mode[0] != glFill || c.compat && mode[1] != glFill {
			polygonMode(glFrontAndBack, glFill)
		}
	}
	leave := func() {
		switch {
		case c.compat && mode[0] != mode[1]:
			polygonMode(glFront, uint32(mode[0]))
			polygonMode(glBack, uint32(mode[1]))
		case mode[0] != glFill:
			polygonMode(glFrontAndBack, uint32(mode[0]))
		}
	}
	return step{"POLYGON_MODE", enter, leave}
}

// clipControlStep sets the lower left origin. An upper left origin would turn the picture upside down.
func clipControlStep() step {
	var origin, depth int32
	enter := func() {
		getInteger(glClipOrigin, &origin)
		getInteger(glClipDepthMode, &depth)
		if origin != glLowerLeft {
			clipControl(glLowerLeft, uint32(depth))
		}
	}
	leave := func() {
		if origin != glLowerLeft {
			clipControl(uint32(origin), uint32(depth))
		}
	}
	return step{"CLIP_ORIGIN", enter, leave}
}

func pixelStoreStep(name string, parameter uint32, neutral int32) step {
	var old int32
	enter := func() {
		if getInteger(parameter, &old); old != neutral {
			pixelStore(parameter, neutral)
		}
	}
	leave := func() {
		if old != neutral {
			pixelStore(parameter, old)
		}
	}
	return step{name, enter, leave}
}

func unpackBufferStep() step {
	var id int32
	enter := func() {
		if getInteger(glPixelUnpackBinding, &id); id != 0 {
			bindBuffer(glPixelUnpackBuffer, 0)
		}
	}
	leave := func() {
		if id != 0 {
			bindBuffer(glPixelUnpackBuffer, uint32(id))
		}
	}
	return step{"PIXEL_UNPACK_BUFFER", enter, leave}
}
