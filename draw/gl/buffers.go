//go:build cgo || windows

package gl

import (
	"unsafe"

	"example.com/iprof/draw"
	"example.com/iprof/shaders"
)

const vertexSize = int(unsafe.Sizeof(draw.Vertex{}))

// smallBatch is the number of quads that 16-bit indices can address. bigBatch is more than any picture holds.
const (
	smallBatch = 16383
	bigBatch   = 1 << 26
)

// buffers holds the quads of the current list, and the indices that all lists share.
type buffers struct {
	vertices, indices uint32
	quads             int // number of quads that the indices cover
	batch             int // greatest number of quads per draw call
	kind              uint32
}

func newBuffers(c *capabilities) *buffers {
	b := &buffers{batch: bigBatch, kind: glUnsignedInt}
	if !c.bigIndices {
		b.batch, b.kind = smallBatch, glUnsignedShort
	}
	genBuffer(&b.vertices)
	genBuffer(&b.indices)
	return b
}

// draw draws the quads in one call. Contexts with 16-bit indices need several calls for large lists.
func (b *buffers) draw(v []draw.Vertex) {
	quads := len(v) / 4
	bindBuffer(glElementArrayBuffer, b.indices)
	b.reserve(min(quads, b.batch))
	bindBuffer(glArrayBuffer, b.vertices)
	bufferData(glArrayBuffer, len(v)*vertexSize, unsafe.Pointer(&v[0]), glStreamDraw)
	enableAttrib(shaders.LocationPosition)
	enableAttrib(shaders.LocationAtlas)
	enableAttrib(shaders.LocationColor)
	for first := 0; first < quads; first += b.batch {
		pointAt(uintptr(first * 4 * vertexSize))
		drawElements(int32(6*min(quads-first, b.batch)), b.kind, 0)
	}
}

// pointAt points the vertex attributes at the vertices from a byte offset on.
func pointAt(at uintptr) {
	const stride = int32(vertexSize)
	var v draw.Vertex
	attribPointer(shaders.LocationPosition, 2, glFloat, false, stride, at+unsafe.Offsetof(v.X))
	attribPointer(shaders.LocationAtlas, 2, glUnsignedShort, true, stride, at+unsafe.Offsetof(v.U))
	attribPointer(shaders.LocationColor, 4, glUnsignedByte, true, stride, at+unsafe.Offsetof(v.R))
}

// reserve makes the indices of the bound element buffer cover the given number of quads.
func (b *buffers) reserve(quads int) {
	if quads <= b.quads {
		return
	}
	for b.quads = max(b.quads, 1024); b.quads < quads; b.quads *= 2 {
	}
	b.quads = min(b.quads, b.batch)
	if b.kind == glUnsignedShort {
		fill[uint16](b.quads)
		return
	}
	fill[uint32](b.quads)
}

// fill uploads the indices 0,1,2, 0,2,3 of the given number of quads.
func fill[T uint16 | uint32](quads int) {
	data := make([]T, 0, 6*quads)
	for i := range quads {
		at := T(4 * i)
		data = append(data, at, at+1, at+2, at, at+2, at+3)
	}
	bufferData(glElementArrayBuffer, len(data)*int(unsafe.Sizeof(data[0])), unsafe.Pointer(&data[0]), glStaticDraw)
}

func (b *buffers) delete() {
	deleteBuffer(&b.vertices)
	deleteBuffer(&b.indices)
}
