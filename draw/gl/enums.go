//go:build cgo || windows

package gl

// The OpenGL constants that this package uses. The binding lacks the constants of some versions, so all are listed
// here.
const (
	glTriangles     = 0x0004
	glOne           = 1
	glSrcAlpha      = 0x0302
	glOneMinusAlpha = 0x0303
	glFuncAdd       = 0x8006
	glFill          = 0x1B02
	glFront         = 0x0404
	glBack          = 0x0405
	glFrontAndBack  = 0x0408
	glLowerLeft     = 0x8CA1

	glUnsignedByte  = 0x1401
	glUnsignedShort = 0x1403
	glUnsignedInt   = 0x1405
	glFloat         = 0x1406

	glRenderer           = 0x1F01
	glVersion            = 0x1F02
	glExtensions         = 0x1F03
	glNumExtensions      = 0x821D
	glContextFlags       = 0x821E
	glContextProfileMask = 0x9126
	glForwardCompatible  = 0x1 // a bit of glContextFlags
	glCompatibilityBit   = 0x2 // a bit of glContextProfileMask

	glViewport         = 0x0BA2
	glModelviewMatrix  = 0x0BA6
	glProjectionMatrix = 0x0BA7
	glMaxClipDistances = 0x0D32
	glMaxTextureSize   = 0x0D33

	glCullFace              = 0x0B44
	glPolygonMode           = 0x0B40
	glPolygonSmooth         = 0x0B41
	glPolygonStipple        = 0x0B42
	glDepthTest             = 0x0B71
	glStencilTest           = 0x0B90
	glAlphaTest             = 0x0BC0
	glBlend                 = 0x0BE2
	glColorLogicOp          = 0x0BF2
	glScissorTest           = 0x0C11
	glColorWritemask        = 0x0C23
	glClipDistance0         = 0x3000
	glSampleAlphaToCoverage = 0x809E
	glSampleAlphaToOne      = 0x809F
	glSampleCoverage        = 0x80A0
	glDepthBoundsTest       = 0x8890
	glSampleMask            = 0x8E51
	glRasterizerDiscard     = 0x8C89
	glFramebufferSRGB       = 0x8DB9
	glPrimitiveRestartFixed = 0x8D69
	glPrimitiveRestart      = 0x8F9D
	glClipOrigin            = 0x935C
	glClipDepthMode         = 0x935D

	glBlendSrcRGB        = 0x80C9
	glBlendDstRGB        = 0x80C8
	glBlendSrcAlpha      = 0x80CB
	glBlendDstAlpha      = 0x80CA
	glBlendEquationRGB   = 0x8009
	glBlendEquationAlpha = 0x883D

	glCurrentProgram      = 0x8B8D
	glFragmentShader      = 0x8B30
	glVertexShader        = 0x8B31
	glCompileStatus       = 0x8B81
	glLinkStatus          = 0x8B82
	glInfoLogLength       = 0x8B84
	glVertexArrayBinding  = 0x85B5
	glArrayBuffer         = 0x8892
	glElementArrayBuffer  = 0x8893
	glArrayBufferBinding  = 0x8894
	glElementArrayBinding = 0x8895
	glStreamDraw          = 0x88E0
	glStaticDraw          = 0x88E4

	glAttribEnabled    = 0x8622
	glAttribSize       = 0x8623
	glAttribStride     = 0x8624
	glAttribType       = 0x8625
	glAttribPointer    = 0x8645
	glAttribNormalized = 0x886A
	glAttribBuffer     = 0x889F
	glAttribDivisor    = 0x88FE

	glTexture2D        = 0x0DE1
	glTextureBinding2D = 0x8069
	glActiveTexture    = 0x84E0
	glTexture0         = 0x84C0
	glSamplerBinding   = 0x8919
	glTextureMagFilter = 0x2800
	glTextureMinFilter = 0x2801
	glTextureWrapS     = 0x2802
	glTextureWrapT     = 0x2803
	glNearest          = 0x2600
	glLinear           = 0x2601
	glClampToEdge      = 0x812F
	glRed              = 0x1903
	glLuminance        = 0x1909
	glR8               = 0x8229

	glUnpackSwapBytes    = 0x0CF0
	glUnpackLSBFirst     = 0x0CF1
	glUnpackRowLength    = 0x0CF2
	glUnpackSkipRows     = 0x0CF3
	glUnpackSkipPixels   = 0x0CF4
	glUnpackAlignment    = 0x0CF5
	glUnpackSkipImages   = 0x806D
	glUnpackImageHeight  = 0x806E
	glPixelUnpackBuffer  = 0x88EC
	glPixelUnpackBinding = 0x88EF

	glTimestamp            = 0x8E28
	glTimeElapsed          = 0x88BF
	glQueryCounterBits     = 0x8864
	glCurrentQuery         = 0x8865
	glQueryResult          = 0x8866
	glQueryResultAvailable = 0x8867
	glGPUDisjoint          = 0x8FBB

	glReadFramebuffer  = 0x8CA8
	glDrawFramebuffer  = 0x8CA9
	glReadBinding      = 0x8CAA // of framebuffers
	glDrawBinding      = 0x8CA6
	glRenderbuffer     = 0x8D41
	glRenderBinding    = 0x8CA7
	glComplete         = 0x8CD5
	glComponentType    = 0x8211
	glSignedInteger    = 0x1404
	glColorAttachment0 = 0x8CE0
	glColorBufferBit   = 0x4000
	glReadBuffer       = 0x0C02
	glDrawBuffer0      = 0x8825
	glSamples          = 0x80A9
	glRGBA             = 0x1908
	glRGBA8            = 0x8058
	glPackSwapBytes    = 0x0D00
	glPackLSBFirst     = 0x0D01
	glPackRowLength    = 0x0D02
	glPackSkipRows     = 0x0D03
	glPackSkipPixels   = 0x0D04
	glPackAlignment    = 0x0D05
	glPackSkipImages   = 0x806B
	glPackImageHeight  = 0x806C
	glPixelPackBuffer  = 0x88EB
	glPixelPackBinding = 0x88ED
	glStreamRead       = 0x88E1
	glMapRead          = 0x1
	glSyncComplete     = 0x9117
	glTimeoutExpired   = 0x911B
)
