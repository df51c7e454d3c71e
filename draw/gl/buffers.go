//go:build cgo || windows

package gl

import (
	"unsafe"

	"example.com/iprof/draw"
	"example.com/iprof/shaders"
)

const vertexSize = int(unsafe.Sizeof(draw.Vertex{}))

// shortBatch and longBatch are the greatest numbers of quads per draw call. Mesa's drivers that shade vertices on the
// processor read a short batch in place. Of a longer one they look up each index, and they are slow where some of its
// quads are clipped. Other drivers get long batches, as each call costs. A long batch has as many quads as
// 16-bit indices can address.
const (
	shortBatch = 170
	longBatch  = 16383
)

// buffers holds the quads of the current list, and the indices that all batches share.
type buffers struct {
	vertices, indices uint32
	batch             int  // greatest number of quads per draw call
	base              bool // calls name their first vertex
	filled            bool // the indices are uploaded
}

func newBuffers(c *capabilities) *buffers {
	b := &buffers{batch: longBatch, base: c.baseVertex}
	if b.base && c.software {
		b.batch = shortBatch
	}
	genBuffer(&b.vertices)
	genBuffer(&b.indices)
	return b
}

// draw draws the quads in batches.
func (b *buffers) draw(v []draw.Vertex) {
	bindBuffer(glElementArrayBuffer, b.indices)
	b.fill()
	bindBuffer(glArrayBuffer, b.vertices)
	bufferData(glArrayBuffer, len(v)*vertexSize, unsafe.Pointer(&v[0]), glStreamDraw)
	enableAttrib(shaders.LocationPosition)
	enableAttrib(shaders.LocationAtlas)
	enableAttrib(shaders.LocationColor)
	pointAt(0)
	for first, quads := 0, len(v)/4; first < quads; first += b.batch {
		b.call(first, min(quads-first, b.batch))
	}
}

// call draws a batch, which starts at a quad. Without a base vertex the attributes start there.
func (b *buffers) call(first, quads int) {
	if b.base {
		drawRange(uint32(4*quads-1), int32(6*quads), int32(4*first))
		return
	}
	if first > 0 {
		pointAt(uintptr(first * 4 * vertexSize))
	}
	drawElements(int32(6 * quads))
}

// pointAt points the vertex attributes at the vertices from a byte offset on.
func pointAt(at uintptr) {
	const stride = int32(vertexSize)
	var v draw.Vertex
	attribPointer(shaders.LocationPosition, 2, glFloat, false, stride, at+unsafe.Offsetof(v.X))
	attribPointer(shaders.LocationAtlas, 2, glUnsignedShort, true, stride, at+unsafe.Offsetof(v.U))
	attribPointer(shaders.LocationColor, 4, glUnsignedByte, true, stride, at+unsafe.Offsetof(v.R))
}

// fill uploads the indices 0,1,2, 0,2,3 of a batch to the bound element buffer, once. They go on for one more quad,
// because Mesa does not read in place to the end of a buffer.
func (b *buffers) fill() {
	if b.filled {
		return
	}
	b.filled = true
	data := make([]uint16, 0, 6*(b.batch+1))
	for i := range b.batch + 1 {
		at := uint16(4 * i)
		data = append(data, at, at+1, at+2, at, at+2, at+3)
	}
	bufferData(glElementArrayBuffer, 2*len(data), unsafe.Pointer(&data[0]), glStaticDraw)
}

func (b *buffers) delete() {
	deleteBuffer(&b.vertices)
	deleteBuffer(&b.indices)
}
