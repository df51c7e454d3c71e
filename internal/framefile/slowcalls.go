package framefile

import (
	"encoding/binary"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// appendSlowCalls appends the slow calls of a frame, if it has slow calls or if more have been dropped.
func (e *Encoder) appendSlowCalls(dst []byte, f *gather.Frame) []byte {
	list := f.SlowCalls[:min(len(f.SlowCalls), measure.MaxSlowCalls)]
	if len(list) == 0 && f.Dropped.Slow == e.slowDropped {
		return dst
	}
	e.slowDropped = f.Dropped.Slow
	p, before := binary.AppendUvarint(e.payload[:0], e.slowDropped), platform.Ticks(0)
	for i := range list {
		c := &list[i]
		p = binary.AppendUvarint(p, uint64(max(c.Zone, 0)))
		p = binary.AppendUvarint(p, uint64(c.Lane))
		p = binary.AppendVarint(p, int64(c.Begin-before))
		p = binary.AppendVarint(p, int64(c.End-c.Begin))
		p = binary.AppendVarint(p, int64(c.Usual))
		before = c.Begin
		parts := c.Parts[:min(len(c.Parts), measure.MaxCallParts)]
		p = binary.AppendUvarint(p, uint64(len(parts)))
		for k := range parts {
			q := &parts[k]
			p = binary.AppendUvarint(p, uint64(max(q.Zone, 0)))
			p = binary.AppendUvarint(p, uint64(max(q.Level, 0)))
			p = binary.AppendUvarint(p, uint64(q.Count))
			p = binary.AppendVarint(p, int64(q.Time))
		}
	}
	e.payload = p
	return appendChunk(dst, chunkSlowly, p)
}

// setSlowCalls reads a chunk of slow calls. It reads no more slow calls than a frame can have.
func (t *tables) setSlowCalls(d *decoder) {
	t.slowDropped, t.slowCalls = d.uvarint(), t.slowCalls[:0]
	at := platform.Ticks(0)
	for len(d.rest) > 0 && d.err == nil && len(t.slowCalls) < measure.MaxSlowCalls {
		c := gather.SlowCall{Zone: t.zoneNumber(d), Lane: gather.LaneID(d.uvarint())}
		at += platform.Ticks(d.varint())
		c.Begin, c.End = at, at+platform.Ticks(d.varint())
		c.Usual = platform.Ticks(d.varint())
		for range min(d.length(4), measure.MaxCallParts) {
			c.Parts = append(c.Parts, gather.CallPart{Zone: t.zoneNumber(d),
				Level: int32(min(d.uvarint(), measure.MaxCallParts)), Count: uint32(d.uvarint()),
				Time: platform.Ticks(d.varint())})
		}
		if d.err == nil {
			t.slowCalls = append(t.slowCalls, c)
		}
	}
}

// zoneNumber reads the number of a known zone.
func (t *tables) zoneNumber(d *decoder) gather.ZoneID {
	n := d.uvarint()
	if !t.hasZone(n) {
		d.fail()
		return 0
	}
	return gather.ZoneID(n)
}

// giveSlowCalls gives a frame the slow calls of the chunk before it.
func (t *tables) giveSlowCalls(f *gather.Frame) {
	f.SlowCalls = append(f.SlowCalls[:0], t.slowCalls...)
	f.Dropped.Slow, t.slowCalls = t.slowDropped, t.slowCalls[:0]
}
