package html

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"strconv"

	"example.com/iprof/process/report"
)

// pictureShare is the part of the room for single frames that their pictures may take: one in pictureShare bytes.
const pictureShare = 8

// pictured lists the frames that have a picture, in an order.
func pictured(d *report.Dump, order []int) (list []int) {
	for _, i := range order {
		if p := d.FrameTrees[i].Picture; p.Valid() {
			list = append(list, i)
		}
	}
	return list
}

// appendPicture appends what a frame showed: its index, the picture's size, and a PNG in base64.
func appendPicture(b []byte, t *report.FrameTree) []byte {
	p := t.Picture
	b = strconv.AppendUint(append(b, `{"i":`...), t.Index, 10)
	b = strconv.AppendInt(append(b, `,"w":`...), int64(p.Width), 10)
	b = strconv.AppendInt(append(b, `,"h":`...), int64(p.Height), 10)
	var file bytes.Buffer
	if png.Encode(&file, pixels{p}) != nil {
		file.Reset()
	}
	b = append(b, `,"png":"`...)
	b = base64.StdEncoding.AppendEncode(b, file.Bytes())
	return append(b, `"}`...)
}

// pixels is a picture as an image.
type pixels struct{ *report.Picture }

// ColorModel implements image.Image.
func (p pixels) ColorModel() color.Model { return color.NRGBAModel }

// Bounds implements image.Image.
func (p pixels) Bounds() image.Rectangle { return image.Rect(0, 0, p.Width, p.Height) }

// Opaque has the encoder leave out alpha.
func (p pixels) Opaque() bool { return true }

// At implements image.Image.
func (p pixels) At(x, y int) color.Color {
	at := p.Pixels[3*(y*p.Width+x):]
	return color.NRGBA{at[0], at[1], at[2], 255}
}
