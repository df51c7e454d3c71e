package framefile

import (
	"encoding/binary"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// appendSection appends the section of a frame if it differs from the section of the frame before, or if a key has been
// written meanwhile.
func (e *Encoder) appendSection(dst []byte, f *gather.Frame) []byte {
	if f.Section == e.section {
		return dst
	}
	e.section = f.Section
	e.payload = appendString(binary.AppendUvarint(e.payload[:0], f.Section.Number), f.Section.Name)
	return appendChunk(dst, chunkSection, e.payload)
}

// setSection reads the section of the frames that follow.
func (t *tables) setSection(d *decoder) {
	s := gather.SectionInfo{Number: d.uvarint(), Name: d.string()}
	if len(s.Name) > mostRemark {
		s.Name = measure.CopyName(s.Name)
	}
	if t.section = s; s.Number == 0 || d.err != nil {
		t.section = gather.SectionInfo{}
	}
}
