package framefile

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"

	"example.com/iprof/process/report"
)

// MaxPictures bounds the pictures that wait to be written or to be read. Later ones are dropped.
const MaxPictures = 8

// AppendPicture appends a chunk with a picture. Each byte is the difference from the pixel to the left, then all bytes
// are deflated.
func AppendPicture(dst []byte, f *report.FramePicture) []byte {
	p := f.Picture
	payload := binary.AppendUvarint(nil, f.Frame)
	payload = binary.AppendUvarint(payload, uint64(p.Width))
	payload = binary.AppendUvarint(payload, uint64(p.Height))
	differences := make([]byte, len(p.Pixels))
	for i, v := range p.Pixels {
		if i%(3*p.Width) >= 3 {
			v -= p.Pixels[i-3]
		}
		differences[i] = v
	}
	out := bytes.NewBuffer(payload)
	w, _ := flate.NewWriter(out, flate.BestSpeed) // no error: the level is valid
	_, _ = w.Write(differences)
	_ = w.Close()
	return appendChunk(dst, chunkPicture, out.Bytes())
}

// picture reads a chunk with a picture. It reads no more bytes than width and height need, and both are bounded.
func (d *decoder) picture() (f report.FramePicture) {
	f.Frame = d.uvarint()
	width, height := d.uvarint(), d.uvarint()
	if width == 0 || height == 0 || width > report.MaxPictureSide || height > report.MaxPictureSide {
		d.fail()
		return f
	}
	p := &report.Picture{Width: int(width), Height: int(height), Pixels: make([]byte, 3*width*height)}
	in := flate.NewReader(bytes.NewReader(d.rest))
	_, err := io.ReadFull(in, p.Pixels)
	if n, end := in.Read(make([]byte, 1)); err != nil || n > 0 || !errors.Is(end, io.EOF) {
		d.fail()
		return f
	}
	for i := range p.Pixels {
		if i%(3*p.Width) >= 3 {
			p.Pixels[i] += p.Pixels[i-3]
		}
	}
	f.Picture = p
	return f
}

// takePicture keeps a picture until the next frame is read, or until the end.
func (c *Reader) takePicture(d *decoder) {
	if f := d.picture(); d.err == nil && len(c.pictures) < MaxPictures {
		c.pictures = append(c.pictures, f)
	}
}

// Pictures returns the pictures of earlier frames that stand in the capture between the last two frames read, or before
// its end. It is valid until the next call of Next.
func (c *Reader) Pictures() []report.FramePicture { return c.pictures }

// WritePicture writes the picture of an earlier frame. It returns the first error of the stream.
func (w *Writer) WritePicture(f report.FramePicture) error {
	w.buffer = AppendPicture(w.buffer, &f)
	return w.flush()
}

// TakePicture writes the picture of an earlier frame. The session calls it.
func (w *Writer) TakePicture(index uint64, p *report.Picture) {
	_ = w.WritePicture(report.FramePicture{Frame: index, Picture: p}) // WriteFrame returns the error, too
}
