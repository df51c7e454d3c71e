package framefile

import (
	"encoding/binary"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// appendMarks appends the marks of a frame, if it has marks or if more marks have been dropped.
func (e *Encoder) appendMarks(dst []byte, f *gather.Frame) []byte {
	if len(f.Marks) == 0 && f.Dropped.Marks == e.dropped {
		return dst
	}
	e.dropped = f.Dropped.Marks
	p, before := binary.AppendUvarint(e.payload[:0], e.dropped), platform.Ticks(0)
	for i := range f.Marks {
		m := &f.Marks[i]
		p = binary.AppendVarint(p, int64(m.Time-before))
		p = binary.AppendUvarint(p, uint64(m.Lane))
		p = appendString(p, m.Text)
		before = m.Time
	}
	e.payload = p
	return appendChunk(dst, chunkMarks, p)
}

// setMarks reads a chunk of marks. It reads no more marks than a frame can have.
func (t *tables) setMarks(d *decoder) {
	t.dropped, t.marks = d.uvarint(), t.marks[:0]
	at := platform.Ticks(0)
	for len(d.rest) > 0 && d.err == nil && len(t.marks) < measure.MaxMarks {
		at += platform.Ticks(d.varint())
		m := gather.MarkInfo{Time: at, Lane: gather.LaneID(d.uvarint()), Text: d.string()}
		if d.err == nil {
			t.marks = append(t.marks, m)
		}
	}
}

// giveMarks gives a frame the marks of the chunk before it.
func (t *tables) giveMarks(f *gather.Frame) {
	f.Marks = append(f.Marks[:0], t.marks...)
	f.Dropped.Marks, t.marks = t.dropped, t.marks[:0]
}
