package framefile

import (
	"encoding/binary"
	"hash/crc32"
)

// A file begins with the magic bytes, the major and the minor version. Readers refuse a newer major version. They skip
// unknown chunks and numbers of a newer minor version.
const (
	magic = "\x89IPROF\r\n"
	major = 1
	minor = 11
)

// The kinds of chunk. See docs/format.md.
const (
	chunkInfo    = 'I' // program, machine and clock; the first chunk
	chunkKey     = 'K' // forgets lanes and nodes; its payload is syncMark, which readers search for after damage
	chunkZones   = 'Z' // zones, by id
	chunkCounts  = 'C' // counters, by id
	chunkNotes   = 'N' // sentences about misuse
	chunkClock   = 'W' // why the clock was chosen
	chunkBudgets = 'B' // of zones
	chunkEvents  = 'E' // begins and ends of scopes in the next frame
	chunkMarks   = 'M' // marks of the next frame
	chunkRemarks = 'U' // texts and values of scopes, of the next frame
	chunkSection = 'G' // section of the frames that follow
	chunkStates  = 'S' // states of lanes, of the next frame
	chunkSlowly  = 'Q' // slow single calls of the next frame
	chunkCalls   = 'H' // histograms of the durations of single calls
	chunkPicture = 'P' // picture of a frame
	chunkHot     = 'O' // hot lines of all zones
	chunkSlow    = 'R' // hot lines of slow frames, for the next chunkHot
	chunkWaited  = 'A' // shares of zones' self time without a processor, for the next chunkHot
	chunkObjects = 'Y' // allocations of some frames
	chunkFrame   = 'F'
	chunkSet     = 'V' // a piece of the capture of another set of frames
	chunkLost    = 'L' // frames that were dropped because writing was too slow
	chunkTrace   = 'T' // a part of an execution trace of Go
	chunkIndex   = 'D' // offsets of frames and Definitions
	chunkEnd     = 'X' // number of frames, and offsets of the keys
	chunkLast    = 'J' // offset of the index; the last chunk of the file
)

// syncMark is the payload of key chunks.
const syncMark = "\xf3\x9d capture key \x1b\xc4"

const (
	framesPerKey = 256
	mostPayload  = 64 << 20 // bytes of a chunk; a longer one counts as damaged
	mostString   = 64 << 10 // bytes; longer strings are cut
	mostZones    = 1 << 20  // a session takes a kilobyte for each zone
)

// castagnoli returns the table of CRC-32C. It is a function, so that a program without captures does not compute the
// table.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// appendChunk appends a chunk: kind, length, payload, and the CRC-32C of all three.
func appendChunk(dst []byte, kind byte, payload []byte) []byte {
	begin := len(dst)
	dst = append(dst, kind)
	dst = binary.AppendUvarint(dst, uint64(len(payload)))
	dst = append(dst, payload...)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[begin:], castagnoli()))
}

// AppendLost appends a number of frames that were dropped. 0 is a sign of life.
func AppendLost(dst []byte, frames uint64) []byte {
	return appendChunk(dst, chunkLost, binary.AppendUvarint(nil, frames))
}

func appendString(dst []byte, s string) []byte {
	s = s[:min(len(s), mostString)]
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}
