package draw

import "image"

// Vertex is one corner of a quad: 16 bytes, in device pixels from the top left, ready for the GPU.
type Vertex struct {
	X, Y       float32
	U, V       uint16 // position in the atlas, 0..65535 for 0..1
	R, G, B, A uint8  // straight (not premultiplied) alpha
}

// Atlas is the one texture of a List: coverage only. The texel at White is fully covered, for solid fills.
type Atlas struct {
	Image      *image.Alpha
	Generation int // changes whenever Image did: upload again
}

// List is a picture as quads, four vertices each in the order top left, top right, bottom right, bottom left, painted in
// order. The indices 0,1,2, 0,2,3 are implied. The zero value is an empty list.
type List struct {
	V     []Vertex
	Atlas *Atlas
}
