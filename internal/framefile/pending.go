package framefile

import (
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/timeline"
)

// mostSpare is the number of used copies, and of chunks, whose memory is kept for the next frames. While frames wait,
// all memory is kept, because a program that is ahead of the encoder would touch fresh memory at each Update. Later,
// one more copy and one more chunk are freed each time that no frame waits.
const mostSpare = 4

// pendingEvents has the events of the running program's frames that are not encoded yet. Update only copies events. The
// writing goroutines encode the copies, in the order of the frames.
type pendingEvents struct {
	encoding sync.Mutex // held while events are encoded; locked before mu
	events   eventEncoder

	mu    sync.Mutex     // held for moments
	list  []*FrameEvents // frames whose events are not encoded, oldest first
	keyed bool           // a key came after the last frame in list

	spare  []*FrameEvents
	copies []*measure.EventCopy // spare
}

// FrameEvents has the events of a frame: first as a copy, then as a chunk.
type FrameEvents struct {
	stretch
	copied *measure.EventCopy // nil after the events are encoded
	Events int                // number of events in the copy
	Hole   int                // their place in the bytes that AppendFrame has appended to
	keyed  bool               // a key came before this frame
	chunk  []byte
}

// CopyEvents copies the next frame's events if there is room, their source is the running program, and there is memory.
// Otherwise it returns nil, and AppendFrame encodes them. The copy has a hole in the bytes that AppendFrame appends.
func (e *Encoder) CopyEvents(f *gather.Frame, room bool) *FrameEvents {
	begin := beginOf(f)
	if e.copied = nil; !room || e.source != (timeline.LiveEvents{}) || f.End <= begin {
		return nil
	}
	if e.pending == nil {
		e.pending = &pendingEvents{events: e.events}
	}
	e.copied = e.pending.take(begin, f.End)
	return e.copied
}

// AppendCopied appends the events of a copy, which it takes back. Any goroutine may call it.
func (e *Encoder) AppendCopied(dst []byte, f *FrameEvents) []byte { return e.pending.append(dst, f) }

// appendEvents appends the events of a frame, or sets the hole of their copy.
func (e *Encoder) appendEvents(dst []byte, f *gather.Frame) []byte {
	from := e.source
	e.source = nil
	switch {
	case from == nil:
		return dst
	case e.copied != nil:
		e.copied.Hole = len(dst)
		e.copied.set(f, len(e.Has.zones))
		e.pending.push(e.copied)
		return dst
	}
	e.now.set(f, len(e.Has.zones))
	if e.pending == nil {
		return e.events.append(dst, from, &e.now)
	}
	return e.pending.appendNow(dst, from, &e.now)
}

// forgetEvents forgets the places, at a key.
func (e *Encoder) forgetEvents() {
	e.events.forget()
	if p := e.pending; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.keyed = true
	}
}

// beginOf returns the time at which a frame's events begin.
func beginOf(f *gather.Frame) platform.Ticks { return f.Begin - max(f.Between, 0) }

// take copies events, or returns nil.
func (p *pendingEvents) take(begin, end platform.Ticks) *FrameEvents {
	copied := p.spareCopy()
	if !copied.TakeBriefly(begin, end-1) {
		p.dropSpare()
		return nil
	}
	f := p.spareFrame()
	f.copied, f.Events = copied, copied.Len()
	return f
}

func (p *pendingEvents) spareCopy() (c *measure.EventCopy) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.copies) - 1
	if n < 0 {
		return new(measure.EventCopy)
	}
	c, p.copies = p.copies[n], p.copies[:n]
	return c
}

func (p *pendingEvents) spareFrame() (f *FrameEvents) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.spare) - 1
	if n < 0 {
		return new(FrameEvents)
	}
	f, p.spare = p.spare[n], p.spare[:n]
	return f
}

// dropSpare frees the memory of unused copies.
func (p *pendingEvents) dropSpare() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.copies {
		c.Drop()
	}
	p.copies = nil
}

func (p *pendingEvents) isEmpty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.list) == 0
}

// push adds the events of a frame.
func (p *pendingEvents) push(f *FrameEvents) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f.keyed, p.keyed = p.keyed, false
	p.list = append(p.list, f)
}

// append appends a frame's chunk. It first encodes the events of earlier frames.
func (p *pendingEvents) append(dst []byte, f *FrameEvents) []byte {
	p.encoding.Lock()
	defer p.encoding.Unlock()
	for f.copied != nil {
		p.encodeOldest()
	}
	dst = append(dst, f.chunk...)
	p.giveBack(f)
	return dst
}

// appendNow encodes and appends a chunk at once.
func (p *pendingEvents) appendNow(dst []byte, from timeline.EventSource, of *stretch) []byte {
	p.encoding.Lock()
	defer p.encoding.Unlock()
	for !p.isEmpty() {
		p.encodeOldest()
	}
	p.mu.Lock()
	if p.keyed {
		p.events.forget()
	}
	p.keyed = false
	p.mu.Unlock()
	return p.events.append(dst, from, of)
}

// encodeOldest encodes the events of the oldest frame, and keeps the memory of the copy.
func (p *pendingEvents) encodeOldest() {
	p.mu.Lock()
	f := p.list[0]
	p.mu.Unlock()
	if f.keyed {
		p.events.forget()
	}
	f.chunk = p.events.append(f.chunk[:0], f.copied, &f.stretch)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = p.list[:copy(p.list, p.list[1:])]
	if p.keepsSpare(len(p.copies)) {
		p.copies = append(p.copies, f.copied)
	} else {
		f.copied.Drop()
	}
	f.copied = nil
}

// giveBack keeps the memory of a chunk.
func (p *pendingEvents) giveBack(f *FrameEvents) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.keepsSpare(len(p.spare)) {
		p.spare = append(p.spare, f)
	}
}

// keepsSpare reports whether memory is kept besides that of some others. The mutex is held.
func (p *pendingEvents) keepsSpare(others int) bool { return len(p.list) > 0 || others < mostSpare }
