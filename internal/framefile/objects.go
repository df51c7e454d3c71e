package framefile

import (
	"encoding/binary"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
)

// objectsEncoder writes traced allocations when they are new, and again after each key.
type objectsEncoder struct {
	of      *allocated.Table
	least   int  // number of zones that readers must know
	written bool // since the key
}

// take takes allocations for the next frame.
func (e *objectsEncoder) take(t *allocated.Table) {
	if t == e.of {
		return
	}
	e.of, e.least, e.written = t, 0, false
	for i := 0; t != nil && i < len(t.Rows); i++ {
		for _, zone := range t.Rows[i].Path {
			e.least = max(e.least, int(zone)+1)
		}
	}
}

// append appends a chunk if the allocations are new, and readers know their zones.
func (e *objectsEncoder) append(dst []byte, known int) []byte {
	if e.of == nil || e.written || known < e.least {
		return dst
	}
	e.written = true
	t := e.of
	p := appendNumbers(nil, flag(t.Full), uint64(max(t.Pause, 0)), t.Outside)
	p = appendNumbers(p, t.Left.Objects, t.Left.Bytes, t.Left.Freed, uint64(len(t.Frames)))
	last := uint64(0)
	for _, index := range t.Frames {
		p = appendNumbers(p, index-last)
		last = index
	}
	texts := newTexts()
	for i := range t.Rows {
		r := &t.Rows[i]
		p = appendNumbers(p, r.Frame, uint64(r.Lane), uint64(len(r.Path)))
		for _, zone := range r.Path {
			p = appendNumbers(p, uint64(zone))
		}
		p = appendNumbers(texts.append(p, r.Type), flag(r.Uncertain), r.Objects, r.Bytes, r.Freed)
	}
	return appendChunk(dst, chunkObjects, p)
}

//go:noinline
func appendNumbers(p []byte, list ...uint64) []byte {
	for _, n := range list {
		p = binary.AppendUvarint(p, n)
	}
	return p
}

// setObjects reads a chunk of allocations. It reads no more than a Table can have.
func (t *tables) setObjects(d *decoder) {
	out := &allocated.Table{Full: d.uvarint() != 0, Pause: time.Duration(min(d.uvarint(), 1<<62)), Outside: d.uvarint()}
	out.Left = d.objectSum()
	last := uint64(0)
	for range min(d.length(1), allocated.MaxFrames) {
		last += d.uvarint()
		out.Frames = append(out.Frames, last)
	}
	texts := readTexts{""}
	for len(d.rest) > 0 && d.err == nil && len(out.Rows) < allocated.MaxRows {
		r := allocated.Row{Frame: d.uvarint(), Lane: gather.LaneID(d.uvarint())}
		for range min(d.length(1), allocated.MaxPath) {
			zone := gather.ZoneID(d.number())
			if int(zone) >= len(t.zones) {
				zone = 0
			}
			r.Path = append(r.Path, zone)
		}
		r.Type, r.Uncertain = texts.next(d), d.uvarint() != 0
		r.Sum = d.objectSum()
		out.Rows = append(out.Rows, r)
	}
	if d.err == nil {
		t.objects = out
	}
}

func (d *decoder) objectSum() allocated.Sum {
	return allocated.Sum{Objects: d.uvarint(), Bytes: d.uvarint(), Freed: d.uvarint()}
}

// Allocated returns the newest traced allocations before the last frame read, nil if the capture has none. It returns
// the same pointer until there are newer ones.
func (c *Reader) Allocated() *allocated.Table { return c.tables.objects }
