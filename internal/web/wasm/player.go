//go:build js && wasm

package main

import (
	"image"
	"slices"
	"syscall/js"
	"unsafe"

	"example.com/iprof/draw"
	"example.com/iprof/shaders"
)

// player plays lists with WebGL2. A list is one upload and one call.
type player struct {
	gl                          js.Value
	program, projection         js.Value
	vertices, indices           js.Value
	array                       js.Value
	bytes                       js.Value                  // Uint8Array for the vertices
	room                        int                       // bytes
	quads                       int                       // that the indices cover
	textures                    map[*image.Alpha]*texture // by the picture of an atlas, which only grows
	matrix                      js.Value
	width, height               int // that the matrix is for
	bufferSubData, drawElements js.Value
}

type texture struct {
	id         js.Value
	generation int
	filter     int
}

// WebGL's constants.
const (
	glArrayBuffer        = 0x8892
	glElementArrayBuffer = 0x8893
	glStreamDraw         = 0x88E0
	glStaticDraw         = 0x88E4
	glVertexShader       = 0x8B31
	glFragmentShader     = 0x8B30
	glLinkStatus         = 0x8B82
	glFloat              = 0x1406
	glUnsignedShort      = 0x1403
	glUnsignedByte       = 0x1401
	glUnsignedInt        = 0x1405
	glTriangles          = 4
	glColorBufferBit     = 0x4000
	glBlend              = 0x0BE2
	glSrcAlpha           = 0x0302
	glOneMinusSrcAlpha   = 0x0303
	glOne                = 1
	glTexture2D          = 0x0DE1
	glTextureMinFilter   = 0x2801
	glTextureMagFilter   = 0x2800
	glTextureWrapS       = 0x2802
	glTextureWrapT       = 0x2803
	glClampToEdge        = 0x812F
	glNearest            = 0x2600
	glLinear             = 0x2601
	glRed                = 0x1903
	glR8                 = 0x8229
	glRGBA               = 0x1908
	glUnpackAlignment    = 0x0CF5
)

// newPlayer returns nil if the shaders do not compile.
func newPlayer(gl js.Value) *player {
	p := &player{gl: gl, textures: map[*image.Alpha]*texture{}}
	vertex, fragment := shaders.Quads(shaders.DialectGLSL300ES, "")
	p.program = gl.Call("createProgram")
	for _, stage := range []struct {
		kind   int
		source string
	}{{glVertexShader, vertex}, {glFragmentShader, fragment}} {
		shader := gl.Call("createShader", stage.kind)
		gl.Call("shaderSource", shader, stage.source)
		gl.Call("compileShader", shader)
		gl.Call("attachShader", p.program, shader)
	}
	gl.Call("bindAttribLocation", p.program, shaders.LocationPosition, shaders.AttributePosition)
	gl.Call("bindAttribLocation", p.program, shaders.LocationAtlas, shaders.AttributeAtlas)
	gl.Call("bindAttribLocation", p.program, shaders.LocationColor, shaders.AttributeColor)
	gl.Call("linkProgram", p.program)
	if !gl.Call("getProgramParameter", p.program, glLinkStatus).Truthy() {
		return nil
	}
	p.prepare()
	return p
}

// prepare sets the constant state.
func (p *player) prepare() {
	gl := p.gl
	gl.Call("useProgram", p.program)
	p.projection = gl.Call("getUniformLocation", p.program, shaders.UniformProjection)
	gl.Call("uniform1f", gl.Call("getUniformLocation", p.program, shaders.UniformBlending), 1)
	p.matrix = js.Global().Get("Float32Array").New(16)
	p.vertices, p.indices, p.array = gl.Call("createBuffer"), gl.Call("createBuffer"), gl.Call("createVertexArray")
	gl.Call("bindVertexArray", p.array)
	gl.Call("bindBuffer", glArrayBuffer, p.vertices)
	gl.Call("bindBuffer", glElementArrayBuffer, p.indices)
	var v draw.Vertex
	stride := int(unsafe.Sizeof(v))
	for _, a := range []struct {
		at, size, kind int
		normalized     bool
		offset         uintptr
	}{
		{shaders.LocationPosition, 2, glFloat, false, unsafe.Offsetof(v.X)},
		{shaders.LocationAtlas, 2, glUnsignedShort, true, unsafe.Offsetof(v.U)},
		{shaders.LocationColor, 4, glUnsignedByte, true, unsafe.Offsetof(v.R)},
	} {
		gl.Call("enableVertexAttribArray", a.at)
		gl.Call("vertexAttribPointer", a.at, a.size, a.kind, a.normalized, stride, int(a.offset))
	}
	gl.Call("enable", glBlend)
	gl.Call("blendFuncSeparate", glSrcAlpha, glOneMinusSrcAlpha, glOne, glOneMinusSrcAlpha)
	gl.Call("pixelStorei", glUnpackAlignment, 1)
}

func (p *player) clear(width, height int, ground [4]uint8) {
	p.gl.Call("viewport", 0, 0, width, height)
	p.gl.Call("clearColor", float32(ground[0])/255, float32(ground[1])/255, float32(ground[2])/255, 1)
	p.gl.Call("clear", glColorBufferBit)
}

// play draws a list into the lower left part of the canvas.
func (p *player) play(l *draw.List, width, height int) {
	p.gl.Call("viewport", 0, 0, width, height)
	p.project(width, height)
	p.bind(l)
	p.reserve(l.Quads())
	data := unsafe.Slice((*byte)(unsafe.Pointer(&l.V[0])), len(l.V)*int(unsafe.Sizeof(l.V[0])))
	js.CopyBytesToJS(p.bytes, data)
	p.gl.Call("bufferSubData", glArrayBuffer, 0, p.bytes, 0, len(data))
	p.gl.Call("drawElements", glTriangles, 6*l.Quads(), glUnsignedInt, 0)
}

// project sets the matrix from pixels, y down, to clip space.
func (p *player) project(width, height int) {
	if p.width == width && p.height == height {
		return
	}
	p.width, p.height = width, height
	x, y := 2/float64(width), -2/float64(height)
	for i, v := range [16]float64{x, 0, 0, 0, 0, y, 0, 0, 0, 0, -1, 0, -1, 1, 0, 1} {
		p.matrix.SetIndex(i, v)
	}
	p.gl.Call("uniformMatrix4fv", p.projection, false, p.matrix)
}

// bind binds the atlas, and uploads it if it has changed.
func (p *player) bind(l *draw.List) {
	t := p.textures[l.Atlas.Image]
	if t == nil {
		p.forget()
		t = &texture{id: p.gl.Call("createTexture"), generation: -1}
		p.textures[l.Atlas.Image] = t
	}
	p.gl.Call("bindTexture", glTexture2D, t.id)
	if t.generation < l.Atlas.Generation {
		t.generation = l.Atlas.Generation
		p.upload(l.Atlas.Image)
	}
	filter := glNearest
	if l.Smooth {
		filter = glLinear
	}
	if t.filter != filter {
		t.filter = filter
		p.gl.Call("texParameteri", glTexture2D, glTextureMinFilter, filter)
		p.gl.Call("texParameteri", glTexture2D, glTextureMagFilter, filter)
	}
}

// mostTextures is the greatest number of kept atlases: enough for the scales of a few screens.
const mostTextures = 4

// forget makes room for another texture.
func (p *player) forget() {
	if len(p.textures) < mostTextures {
		return
	}
	for image, t := range p.textures {
		p.gl.Call("deleteTexture", t.id)
		delete(p.textures, image)
	}
}

func (p *player) upload(m *image.Alpha) {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	pixels := m.Pix
	if m.Stride != width {
		pixels = nil
		for y := range height {
			pixels = append(pixels, m.Pix[y*m.Stride:][:width]...)
		}
	}
	bytes := js.Global().Get("Uint8Array").New(width * height)
	js.CopyBytesToJS(bytes, pixels)
	p.gl.Call("texImage2D", glTexture2D, 0, glR8, width, height, 0, glRed, glUnsignedByte, bytes)
	p.gl.Call("texParameteri", glTexture2D, glTextureWrapS, glClampToEdge)
	p.gl.Call("texParameteri", glTexture2D, glTextureWrapT, glClampToEdge)
}

// reserve makes room for quads in the buffers.
func (p *player) reserve(quads int) {
	if quads <= p.quads {
		return
	}
	p.quads = max(2*p.quads, quads, 4096)
	p.room = p.quads * 4 * int(unsafe.Sizeof(draw.Vertex{}))
	p.bytes = js.Global().Get("Uint8Array").New(p.room)
	p.gl.Call("bufferData", glArrayBuffer, p.room, glStreamDraw)
	corners := make([]uint32, 0, 6*p.quads)
	for i := range uint32(p.quads) {
		at := 4 * i
		corners = append(corners, at, at+1, at+2, at, at+2, at+3)
	}
	data := unsafe.Slice((*byte)(unsafe.Pointer(&corners[0])), 4*len(corners))
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	p.gl.Call("bufferData", glElementArrayBuffer, bytes, glStaticDraw)
}

// grab reads the picture drawn in this turn of the browser's loop.
func (p *player) grab(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	bytes := js.Global().Get("Uint8Array").New(len(m.Pix))
	p.gl.Call("readPixels", 0, 0, width, height, glRGBA, glUnsignedByte, bytes)
	js.CopyBytesToGo(m.Pix, bytes)
	for y := range height / 2 {
		top, bottom := m.Pix[y*m.Stride:][:m.Stride], m.Pix[(height-1-y)*m.Stride:][:m.Stride]
		line := slices.Clone(top)
		copy(top, bottom)
		copy(bottom, line)
	}
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}
