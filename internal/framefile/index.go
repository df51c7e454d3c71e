package framefile

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Index stands at the end of a capture. It has the offsets at which reading can start, and those of the earlier chunks
// that this needs.
type Index struct {
	offset      int64 // of the next chunk in the file
	frames      uint64
	keys        []indexKey
	keptOffsets []int64 // offsets of chunks that later chunks need
}

// indexKey is a key in the file.
type indexKey struct {
	offset int64
	frames uint64 // number of frames before it
}

// Add adds whole chunks that are about to be written. The first chunks follow the head of the file.
func (x *Index) Add(chunks []byte) {
	at := 0
	if x.offset == 0 {
		at = len(magic) + 2
	}
	for at < len(chunks) {
		length, n := binary.Uvarint(chunks[at+1:])
		payload := chunks[at+1+n:][:length]
		x.note(chunks[at], payload, x.offset+int64(at))
		at += 1 + n + int(length) + 4
	}
	x.offset += int64(len(chunks))
}

// note adds a chunk at an offset.
func (x *Index) note(kind byte, payload []byte, offset int64) {
	switch {
	case kind == chunkFrame:
		x.frames++
	case kind == chunkKey:
		x.keys = append(x.keys, indexKey{offset, x.frames})
	case isKept(kind) && !isBeat(kind, payload):
		x.keptOffsets = append(x.keptOffsets, offset)
	}
}

// isBeat reports whether a chunk is a sign of life of a stream: a chunk of 0 lost frames.
func isBeat(kind byte, payload []byte) bool {
	return kind == chunkLost && len(payload) == 1 && payload[0] == 0
}

// isKept reports whether later chunks need chunks of this kind, even after another key.
func isKept(kind byte) bool {
	switch kind {
	case chunkInfo, chunkZones, chunkCounts, chunkNotes, chunkClock, chunkBudgets, chunkLost:
		return true
	}
	return false
}

// End appends the last chunks of a capture to chunks that were added.
func (x *Index) End(dst []byte) []byte {
	at := x.offset
	p, last := binary.AppendUvarint(nil, x.frames), indexKey{}
	p = binary.AppendUvarint(p, uint64(len(x.keys)))
	for _, k := range x.keys {
		p = binary.AppendUvarint(p, uint64(k.offset-last.offset))
		p = binary.AppendUvarint(p, k.frames-last.frames)
		last = k
	}
	p, before := binary.AppendUvarint(p, uint64(len(x.keptOffsets))), int64(0)
	for _, at := range x.keptOffsets {
		p = binary.AppendUvarint(p, uint64(at-before))
		before = at
	}
	dst = appendChunk(dst, chunkIndex, p)

	p, before = binary.AppendUvarint(p[:0], x.frames), 0
	for _, k := range x.keys {
		p = binary.AppendUvarint(p, uint64(k.offset-before))
		before = k.offset
	}
	dst = appendChunk(dst, chunkEnd, p)
	return appendChunk(dst, chunkLast, binary.LittleEndian.AppendUint64(nil, uint64(at)))
}

// lastBytes is the length of the last chunk.
const lastBytes = 1 + 1 + 8 + 4

// errNoIndex is the error for a file without an index at its end. The file was cut off, or has an older version.
var errNoIndex = errors.New("capture: the file has no index")

// ErrBadIndex is the error for a file whose index does not match its frames. The index is ignored.
var ErrBadIndex = errors.New("capture: the index at the end of the file is wrong; its frames were found without it")

// readIndex reads the index of a file of size bytes. The error is errNoIndex, ErrBadIndex, or an error of reading.
func readIndex(in io.ReaderAt, size int64) (*File, error) {
	var last [lastBytes]byte
	if size < int64(len(magic)+2+lastBytes) {
		return nil, errNoIndex
	}
	if _, err := in.ReadAt(last[:], size-lastBytes); err != nil {
		return nil, err
	}
	if last[0] != chunkLast || last[1] != 8 || !summed(last[:]) {
		return nil, errNoIndex
	}
	at := binary.LittleEndian.Uint64(last[2:])
	if at < uint64(len(magic)+2) || at >= uint64(size-lastBytes) {
		return nil, ErrBadIndex
	}
	f := &File{in: in, keptBytes: make([]byte, len(magic)+2), end: int64(at), complete: true, indexed: true}
	if _, err := in.ReadAt(f.keptBytes, 0); err != nil {
		return nil, err
	}
	chunk, err := chunkAt(in, int64(at), size-lastBytes, mostPayload)
	if err != nil {
		return nil, err
	}
	if chunk[0] != chunkIndex {
		return nil, ErrBadIndex
	}
	end, err := chunkAt(in, int64(at)+int64(len(chunk)), size-lastBytes, mostPayload)
	if err != nil {
		return nil, err
	}
	if int64(at)+int64(len(chunk)+len(end)) != size-lastBytes {
		return nil, errNoIndex // the file is several files joined
	}
	_, n := binary.Uvarint(chunk[1:])
	d := &decoder{rest: chunk[1+n : len(chunk)-4]}
	if f.readKeys(d); d.err != nil {
		return nil, ErrBadIndex
	}
	return f, f.readKept(d)
}

// summed reports whether a chunk has the right checksum.
func summed(chunk []byte) bool {
	end := len(chunk) - 4
	return crc32.Checksum(chunk[:end], castagnoli()) == binary.LittleEndian.Uint32(chunk[end:])
}

// chunkAt reads the chunk at offset at. The chunk must not reach beyond end, and has at most most bytes. The error is
// ErrBadIndex or an error of reading.
func chunkAt(in io.ReaderAt, at, end int64, most int) ([]byte, error) {
	head := make([]byte, max(min(1+binary.MaxVarintLen64, end-at), 0))
	if _, err := in.ReadAt(head, at); err != nil {
		return nil, err
	}
	if len(head) < 2 {
		return nil, ErrBadIndex
	}
	length, n := binary.Uvarint(head[1:])
	if n <= 0 || length > uint64(most) || 1+int64(n)+int64(length)+4 > end-at {
		return nil, ErrBadIndex
	}
	chunk := make([]byte, 1+n+int(length)+4)
	if _, err := in.ReadAt(chunk, at); err != nil {
		return nil, err
	}
	if !summed(chunk) {
		return nil, ErrBadIndex
	}
	return chunk, nil
}

// readKeys reads the keys of an index. It checks that they ascend and that each has room for its frames.
func (f *File) readKeys(d *decoder) {
	f.frames = d.uvarint()
	last := fileKey{}
	for i := range d.length(2) {
		offset, frames := d.uvarint(), d.uvarint()
		k := fileKey{offset: last.offset + int64(offset), frames: last.frames + frames}
		if offset == 0 || offset > uint64(f.end-last.offset) || i == 0 && frames > 0 || i > 0 && frames > offset ||
			k.offset < int64(len(magic)+2) || k.offset >= f.end {
			d.fail()
			return
		}
		f.keys = append(f.keys, k)
		last = k
	}
	if len(f.keys) == 0 || f.frames < last.frames || f.frames-last.frames > uint64(f.end-last.offset) {
		d.fail()
	}
}

// readKept reads the chunks that later chunks need.
func (f *File) readKept(d *decoder) error {
	next, at := 0, uint64(0)
	end := int64(len(magic) + 2)
	for range d.length(1) {
		more := d.uvarint()
		if d.err != nil || more > uint64(f.end)-at || int64(at+more) < end {
			return ErrBadIndex
		}
		at += more
		for next < len(f.keys) && f.keys[next].offset < int64(at) {
			f.keys[next].keptSize = len(f.keptBytes)
			next++
		}
		chunk, err := chunkAt(f.in, int64(at), f.end, mostKept-min(len(f.keptBytes), mostKept))
		if err != nil {
			return err
		}
		if !isKept(chunk[0]) {
			return ErrBadIndex
		}
		f.keptBytes = append(f.keptBytes, chunk...)
		end = int64(at) + int64(len(chunk))
	}
	for ; next < len(f.keys); next++ {
		f.keys[next].keptSize = len(f.keptBytes)
	}
	if d.err != nil || len(d.rest) > 0 {
		return ErrBadIndex
	}
	return nil
}
