//go:build cgo || windows

package gl

// These functions set the blending of draw buffer 0 only. With several draw buffers, the plain calls would set the
// blending of all.

// setBlending switches the blending of draw buffer 0.
func setBlending(c *capabilities, on bool) {
	switch {
	case c.indexedEnable && on:
		enablei(glBlend, 0)
	case c.indexedEnable:
		disablei(glBlend, 0)
	case on:
		enable(glBlend)
	default:
		disable(glBlend)
	}
}

func blendingOn(c *capabilities) bool {
	if c.indexedEnable {
		return isEnabledi(glBlend, 0)
	}
	return isEnabled(glBlend)
}

func getBlend(c *capabilities, name uint32, out *int32) {
	if c.indexedBlend {
		getIntegeri(name, 0, out)
		return
	}
	getInteger(name, out)
}

func setBlendFunc(c *capabilities, sourceColor, color, sourceAlpha, alpha int32) {
	if c.indexedBlend {
		blendFunci(0, uint32(sourceColor), uint32(color), uint32(sourceAlpha), uint32(alpha))
		return
	}
	blendFunc(uint32(sourceColor), uint32(color), uint32(sourceAlpha), uint32(alpha))
}

func setBlendEquation(c *capabilities, color, alpha int32) {
	if c.indexedBlend {
		blendEquationi(0, uint32(color), uint32(alpha))
		return
	}
	blendEquation(uint32(color), uint32(alpha))
}

func blendSwitchStep(c *capabilities) step {
	var on bool
	enter := func() {
		on = blendingOn(c)
		setBlending(c, true)
	}
	leave := func() {
		if !on {
			setBlending(c, false)
		}
	}
	return step{"BLEND", enter, leave}
}

func blendFuncStep(c *capabilities) step {
	var f [4]int32
	enter := func() {
		getBlend(c, glBlendSrcRGB, &f[0])
		getBlend(c, glBlendDstRGB, &f[1])
		getBlend(c, glBlendSrcAlpha, &f[2])
		getBlend(c, glBlendDstAlpha, &f[3])
	}
	return step{"BLEND_FUNC", enter, func() { setBlendFunc(c, f[0], f[1], f[2], f[3]) }}
}

func blendEquationStep(c *capabilities) step {
	var e [2]int32
	enter := func() {
		getBlend(c, glBlendEquationRGB, &e[0])
		getBlend(c, glBlendEquationAlpha, &e[1])
		setBlendEquation(c, glFuncAdd, glFuncAdd)
	}
	return step{"BLEND_EQUATION", enter, func() { setBlendEquation(c, e[0], e[1]) }}
}

// setBlend sets one of the profiler's own blendings. Destination alpha keeps coverage, for windows that are
// composited.
func setBlend(c *capabilities, b Blend) {
	source := int32(glSrcAlpha)
	if b == BlendPremultiplied {
		source = glOne
	}
	setBlendFunc(c, source, glOneMinusAlpha, glOne, glOneMinusAlpha)
}

// The values of the program's blending uniform: the form of colour that the blending expects.
const (
	outputOpaque        = 0
	outputStraight      = 1
	outputPremultiplied = 2
)

// blendQuery reads the blending that the host has set.
type blendQuery struct{ source int32 }

// output returns the form of colour that the current blending expects.
func (q *blendQuery) output(c *capabilities, b Blend) float32 {
	switch {
	case b == BlendPremultiplied:
		return outputPremultiplied
	case b == BlendAlpha:
		return outputStraight
	case !blendingOn(c):
		return outputOpaque
	}
	if getBlend(c, glBlendSrcRGB, &q.source); q.source == glOne {
		return outputPremultiplied
	}
	return outputStraight
}
