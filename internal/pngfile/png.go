// Package pngfile writes PNG files. Package image/png would do, but all who write a page would link its decoder, too.
//
//	file := pngfile.Encode(2, 1, []byte{255, 0, 0, 0, 0, 255}) // a red and a blue pixel
package pngfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
)

// Encode returns a picture as a PNG file. Its pixels are red, green and blue of each, by rows from the top.
func Encode(width, height int, pixels []byte) []byte {
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	head = append(head, 8, 2, 0, 0, 0) // bits of a value; three values a pixel
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	row, above := make([]byte, 1+3*width), make([]byte, 3*width)
	for y := range height {
		line := pixels[3*y*width : 3*(y+1)*width]
		row[0] = 4 // the filter of each byte: Paeth's, which predicts pictures best
		for i, v := range line {
			left, corner := byte(0), byte(0)
			if i >= 3 {
				left, corner = line[i-3], above[i-3]
			}
			row[1+i] = v - paeth(left, above[i], corner)
		}
		_, _ = z.Write(row) // a Buffer has no errors
		above = line
	}
	_ = z.Close()
	file := []byte("\x89PNG\r\n\x1a\n")
	file = appendPart(file, "IHDR", head)
	file = appendPart(file, "IDAT", data.Bytes())
	return appendPart(file, "IEND", nil)
}

// appendPart appends a part of a PNG file, with its length and its check sum.
func appendPart(file []byte, kind string, data []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
	begin := len(file)
	file = append(append(file, kind...), data...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[begin:]))
}

// paeth predicts a byte from its neighbours: the one that is the nearest to left+above-corner.
func paeth(left, above, corner byte) byte {
	a, b := abs(int(above)-int(corner)), abs(int(left)-int(corner))
	c := abs(int(left) + int(above) - 2*int(corner))
	switch {
	case a <= b && a <= c:
		return left
	case b <= c:
		return above
	}
	return corner
}

func abs(v int) int { return max(v, -v) }
