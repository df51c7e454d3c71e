package framefile

import (
	"encoding/binary"
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// remarkValued is the flag of a remark that is a value. Longer texts than mostRemark bytes are cut.
const (
	remarkValued = 1
	mostRemark   = 1024
)

// appendRemarks appends the remarks on scopes in a frame, if it has remarks or if more have been dropped. A text stands
// once in a chunk.
func (e *Encoder) appendRemarks(dst []byte, f *gather.Frame) []byte {
	list := f.Remarks[:min(len(f.Remarks), measure.MaxRemarks)]
	if len(list) == 0 && f.Dropped.Remarks == e.saidDropped {
		return dst
	}
	e.saidDropped = f.Dropped.Remarks
	p, before := binary.AppendUvarint(e.payload[:0], e.saidDropped), platform.Ticks(0)
	texts := newTexts()
	for i := range list {
		m := &list[i]
		p = binary.AppendVarint(p, int64(m.Time-before))
		p = binary.AppendUvarint(p, uint64(m.Lane))
		p = binary.AppendUvarint(p, uint64(max(m.Zone, 0)))
		p = binary.AppendUvarint(p, uint64(max(m.Level, 0)))
		if before = m.Time; m.Valued {
			p = append(p, remarkValued)
			p = binary.LittleEndian.AppendUint64(p, math.Float64bits(m.Value))
			continue
		}
		p = texts.append(append(p, 0), m.Text)
	}
	e.payload = p
	return appendChunk(dst, chunkRemarks, p)
}

// setTexts reads a chunk of marks, of remarks, or of a section.
func (t *tables) setTexts(kind byte, d *decoder) {
	switch kind {
	case chunkMarks:
		t.setMarks(d)
	case chunkSection:
		t.setSection(d)
	default:
		t.setRemarks(d)
	}
}

// setRemarks reads a chunk of remarks. It reads no more remarks than a frame can have.
func (t *tables) setRemarks(d *decoder) {
	t.saidDropped, t.remarks = d.uvarint(), nil
	texts, at, bytes := readTexts{""}, platform.Ticks(0), 0
	for len(d.rest) > 0 && d.err == nil && len(t.remarks) < measure.MaxRemarks {
		at += platform.Ticks(d.varint())
		m := gather.Remark{Time: at, Lane: gather.LaneID(d.uvarint()), Zone: t.zoneNumber(d),
			Level: int32(min(d.uvarint(), mostID))}
		if m.Valued = d.uvarint()&remarkValued != 0; m.Valued {
			m.Value = d.float()
		} else {
			m.Text = texts.next(d)
		}
		if len(m.Text) > mostRemark {
			m.Text = measure.CopyName(m.Text)
		}
		if m.Value-m.Value != 0 {
			d.fail()
		}
		if bytes += len(m.Text); d.err == nil && bytes <= measure.MaxRemarkBytes {
			t.remarks = append(t.remarks, m)
		}
	}
}

// giveRemarks gives a frame the remarks of the chunk before it.
func (t *tables) giveRemarks(f *gather.Frame) {
	f.Remarks, f.Dropped.Remarks, t.remarks = t.remarks, t.saidDropped, nil
}
