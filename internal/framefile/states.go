package framefile

import (
	"encoding/binary"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// appendStates appends the states of a frame, if it has states. A text stands once in a chunk.
func (e *Encoder) appendStates(dst []byte, f *gather.Frame) []byte {
	states := f.States[:min(len(f.States), mostStates)]
	if len(states) == 0 {
		return dst
	}
	p, before := e.payload[:0], platform.Ticks(0)
	texts := newTexts()
	for i := range states {
		q := &states[i]
		p = binary.AppendUvarint(p, uint64(q.Kind))
		p = binary.AppendUvarint(p, uint64(q.Lane))
		p = binary.AppendVarint(p, int64(q.Begin-before))
		p = binary.AppendVarint(p, int64(q.End-q.Begin))
		p = binary.AppendUvarint(p, uint64(q.Waker))
		before = q.Begin
		for _, s := range [...]string{q.Reason, q.Place, q.By, q.At} {
			p = texts.append(p, s)
		}
	}
	e.payload = p
	return appendChunk(dst, chunkStates, p)
}

// mostStates bounds the states of a frame in a capture.
const mostStates = 1 << 15

// setStates reads a chunk of states. It reads no more states than a frame can have.
func (t *tables) setStates(d *decoder) {
	t.states = t.states[:0]
	texts, at := readTexts{""}, platform.Ticks(0)
	for len(d.rest) > 0 && d.err == nil && len(t.states) < mostStates {
		q := gather.LaneState{Kind: gather.StateKind(min(d.uvarint(), uint64(gather.StateGone)))}
		q.Lane = gather.LaneID(d.uvarint())
		at += platform.Ticks(d.varint())
		q.Begin, q.End = at, at+platform.Ticks(d.varint())
		q.Waker = gather.LaneID(d.uvarint())
		q.Reason = texts.next(d)
		q.Place = texts.next(d)
		q.By = texts.next(d)
		q.At = texts.next(d)
		if d.err == nil && q.End > q.Begin {
			t.states = append(t.states, q)
		}
	}
}

// giveStates gives a frame the states of the chunk before it.
func (t *tables) giveStates(f *gather.Frame) {
	f.States = append(f.States[:0], t.states...)
	t.states = t.states[:0]
}
