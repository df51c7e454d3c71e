package html

import (
	"encoding/base64"
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

// appendPicture appends the picture of a frame: the frame's index, the picture's size, and a PNG in base64.
func appendPicture(b []byte, t *report.FrameTree) []byte {
	p := t.Picture
	b = strconv.AppendUint(append(b, `{"i":`...), t.Index, 10)
	b = strconv.AppendInt(append(b, `,"w":`...), int64(p.Width), 10)
	b = strconv.AppendInt(append(b, `,"h":`...), int64(p.Height), 10)
	b = append(b, `,"png":"`...)
	b = base64.StdEncoding.AppendEncode(b, encodePNG(p))
	return append(b, `"}`...)
}
