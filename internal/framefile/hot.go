package framefile

import (
	"encoding/binary"
	"math"

	"example.com/iprof/process/report"
)

// The greatest number of lines and functions of a zone that are written and read.
const mostHot = 64

// hotEncoder writes hot lines when they are new, and again after each key.
type hotEncoder struct {
	zones      *report.HotZones
	written    bool              // hot lines were written since the key
	knownZones int               // number of zones that readers knew then
	partial    bool              // lines of other zones were left out
	slowFrames []report.HotFrame // written since the key
	waited     bool              // shares were written
}

// take takes hot lines for the next frame.
func (e *hotEncoder) take(h *report.HotZones) {
	if h != e.zones {
		e.zones, e.written = h, false
	}
}

// append appends a chunk if the hot lines are new. It leaves out zones from the number known on, which readers do not
// know yet, until they do.
func (e *hotEncoder) append(dst []byte, known int) []byte {
	if e.zones == nil || e.written && !(e.partial && known > e.knownZones) {
		return dst
	}
	if e.partial {
		e.slowFrames = nil
	}
	e.written, e.knownZones, e.partial = true, known, false
	h := e.zones
	dst = e.appendWaited(e.appendSlow(dst, h.Frames), h.Waited)
	p := appendString(nil, h.Error)
	p = binary.AppendUvarint(p, uint64(max(h.Samples, 0)))
	p = binary.AppendUvarint(p, uint64(max(h.Outside, 0)))
	texts := newTexts()
	for i := range h.Zones[:min(len(h.Zones), report.MaxHotZones)] {
		if e.knows(h.Zones[i].Zone) {
			p = appendHot(p, texts, &h.Zones[i])
		}
	}
	return appendChunk(dst, chunkHot, p)
}

// knows reports whether readers know a zone.
func (e *hotEncoder) knows(zone report.ZoneID) bool {
	known := int(zone) < e.knownZones
	e.partial = e.partial || !known
	return known
}

// appendHot appends the lines of a zone.
func appendHot(p []byte, texts texts, z *report.HotLines) []byte {
	p = binary.AppendUvarint(p, uint64(max(z.Zone, 0)))
	p = binary.AppendUvarint(p, uint64(max(z.Samples, 0)))
	p = binary.AppendUvarint(p, uint64(max(z.ByStack, 0)))
	lines := z.Lines[:min(len(z.Lines), mostHot)]
	p = binary.AppendUvarint(p, uint64(len(lines)))
	for i := range lines {
		l := &lines[i]
		p = texts.append(texts.append(p, l.Function), l.File)
		p = binary.AppendUvarint(p, uint64(max(l.Line, 0)))
		p = binary.AppendUvarint(texts.append(p, l.Text), uint64(max(l.Samples, 0)))
	}
	functions := z.Functions[:min(len(z.Functions), mostHot)]
	p = binary.AppendUvarint(p, uint64(len(functions)))
	for i := range functions {
		p = binary.AppendUvarint(texts.append(p, functions[i].Function), uint64(max(functions[i].Samples, 0)))
	}
	return p
}

// setHot reads a chunk of hot lines. It reads no more than a chunk can have.
func (t *tables) setHot(d *decoder) {
	h := &report.HotZones{Error: d.string(), Samples: d.number(), Outside: d.number()}
	texts := readTexts{""}
	for len(d.rest) > 0 && d.err == nil && len(h.Zones) < report.MaxHotZones {
		h.Zones = append(h.Zones, texts.hot(d))
	}
	if d.err == nil {
		h.Frames, h.Waited, t.hot = t.slowFrames, t.waited, h
	}
}

// hot reads the lines of a zone.
func (t *readTexts) hot(d *decoder) report.HotLines {
	z := report.HotLines{Zone: report.ZoneID(d.number()), Samples: d.number(), ByStack: d.number()}
	for range min(d.length(5), mostHot) {
		z.Lines = append(z.Lines, report.HotLine{Function: t.next(d), File: t.next(d), Line: d.number(),
			Text: t.next(d), Samples: d.number()})
	}
	for range min(d.length(2), mostHot) {
		z.Functions = append(z.Functions, report.HotFunction{Function: t.next(d), Samples: d.number()})
	}
	return z
}

// number reads a number of at least 0. A number larger than a program can have is clamped.
func (d *decoder) number() int { return int(min(d.uvarint(), math.MaxInt32)) }

// Hot returns the newest hot lines before the last frame read, nil if the capture has none. It returns the same pointer
// until there are newer ones.
func (c *Reader) Hot() *report.HotZones { return c.tables.hot }
