package framefile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// File is a capture whose frames can be read in any order, any number of times. Frames have numbers, from 0 for the
// first in the file. The program's own numbers are FrameSummary.Index. A File is for one goroutine at a time.
type File struct {
	in        io.ReaderAt
	keys      []fileKey
	keptBytes []byte // the head of the file, and the chunks that later chunks need
	frames    uint64
	end       int64 // of the last whole chunk
	cut       bool  // part of another chunk follows
	complete  bool
	indexed   bool    // the frames were found by the index
	bad       error   // ErrBadIndex, or nil
	cursor    *cursor // of Load
}

// fileKey describes the part of a file before a key.
type fileKey struct {
	offset   int64
	frames   uint64
	keptSize int // bytes of chunks that later chunks need
}

// errNoOrder is the error for a damaged file, whose frames can only be read in sequence. Load reads its undamaged
// parts.
var errNoOrder = errors.New("capture: the file is damaged, so its frames can only be read one after the other")

// OpenFile finds the frames of a capture of size bytes. It reads the index at the end of the file, or scans the whole
// file if the index is missing or wrong. The error is in's, ErrNotACapture, a *NewerError or errNoOrder.
func OpenFile(in io.ReaderAt, size int64) (*File, error) {
	if _, err := NewReader(io.NewSectionReader(in, 0, size)); err != nil {
		return nil, err
	}
	f, bad := readIndex(in, size)
	if bad == nil {
		return f, nil
	}
	if !errors.Is(bad, errNoIndex) && !errors.Is(bad, ErrBadIndex) {
		return nil, bad
	}
	f, err := passOver(in, size)
	if err == nil && errors.Is(bad, ErrBadIndex) {
		f.bad = bad
	}
	return f, err
}

// passOver finds the frames of a file without its index.
func passOver(in io.ReaderAt, size int64) (*File, error) {
	o := outline{in: bufio.NewReaderSize(io.NewSectionReader(in, 0, size), 1<<20)}
	if err := o.read(); err != nil {
		return nil, err
	}
	f := &File{in: in, keys: o.keys, keptBytes: o.keptBytes, frames: o.frames, end: o.offset, cut: o.offset < size,
		complete: o.complete}
	if len(f.keys) == 0 || f.keys[0].frames > 0 {
		return nil, errNoOrder
	}
	return f, nil
}

// Frames returns the number of frames.
func (f *File) Frames() uint64 { return f.frames }

// NewestOf reads the newest frames of a capture of size bytes into a session: at least frames of them, from a key on.
// It gives the session the sums of all frames, for averages: see process.HistoryLimits. The session reads the file
// again for a lens, and for statistics. Contents describes all frames, as for Load. If frames can only be read in
// sequence, the session has read all of them, as by Load, and the File is nil. The error is the same as for Load.
func NewestOf(s *process.Session, in io.ReaderAt, size int64, frames int) (*File, *Sums, *Contents, error) {
	f, err := OpenFile(in, size)
	var sums *Sums
	var c *Contents
	if err == nil {
		sums, c, err = f.newest(s, frames)
	}
	if isDisorder(err) && f != nil && f.indexed {
		s.ForgetProgram()
		if f, err = passOver(in, size); err == nil {
			f.bad = ErrBadIndex
			sums, c, err = f.newest(s, frames)
		}
	}
	if isDisorder(err) {
		s.ForgetProgram()
		c, err = Load(s, io.NewSectionReader(in, 0, size))
		return nil, nil, c, err
	}
	if err != nil {
		return nil, nil, nil, err
	}
	return f, sums, c, nil
}

// isDisorder reports whether an error means that frames can only be read in sequence.
func isDisorder(err error) bool {
	var damage *DamageError
	return errors.Is(err, errNoOrder) || errors.As(err, &damage)
}

// newest is NewestOf for a file whose frames can be read in any order.
func (f *File) newest(s *process.Session, frames int) (*Sums, *Contents, error) {
	sums, err := f.Sum()
	if err != nil {
		return nil, nil, err
	}
	k := f.keys[f.key(f.frames-min(f.frames, uint64(max(frames, 1))))]
	c, err := f.Load(s, k.frames, f.frames)
	if err != nil {
		return nil, nil, err
	}
	sums.Chosen = &fileSource{f, sums}
	setWhole(s, &sums.Whole)
	c.Frames, c.Lost = f.frames, sums.Lost
	if f.bad != nil {
		c.Damages = append(c.Damages, f.bad)
	}
	if f.cut {
		c.Damages = append(c.Damages, &DamageError{Offset: f.end, Cut: true})
	}
	return sums, c, nil
}

// setWhole gives a session the sums of all frames.
func setWhole(s *process.Session, w *process.Whole) {
	limits := s.HistoryLimits()
	limits.Whole = w
	s.SetHistoryLimits(limits)
}

// key returns the index in keys of the last key before a frame.
func (f *File) key(frame uint64) int {
	return max(sort.Search(len(f.keys), func(i int) bool { return f.keys[i].frames > frame })-1, 0)
}

// ends returns the fileKey behind the frames of a key.
func (f *File) ends(key int) fileKey {
	if key+1 < len(f.keys) {
		return f.keys[key+1]
	}
	return fileKey{f.end, f.frames, len(f.keptBytes)}
}

// Load reads the frames with the numbers from..to-1 into a session, as the function Load does. The session gets no data
// from behind these frames. Contents.Frames is their number. The error is an error of reading the file, or a
// *DamageError.
func (f *File) Load(s *process.Session, from, to uint64) (*Contents, error) {
	l := loader{session: s, contents: new(Contents)}
	c, err := f.read(from, to, func(frame *gather.Frame, _ []eventChunk) {
		l.reader = f.cursor.reader
		if err := l.take(frame); err != nil && len(l.contents.Damages) < mostDamages {
			l.contents.Damages = append(l.contents.Damages, err)
		}
	})
	if err != nil {
		return nil, err
	}
	if l.reader = c.reader; to >= f.frames { // the end has calls
		var frame gather.Frame
		if err := c.reader.Next(&frame); err == nil || !errors.Is(err, io.EOF) {
			f.cursor = nil
			return nil, unexpected(err)
		}
		l.takeHot()
		l.showPictures()
	}
	l.name()
	l.contents.Info, l.contents.Lost, l.contents.Complete = c.reader.Info(), c.reader.Lost(), f.complete
	return l.contents, nil
}

// read calls do with each of the frames from..to-1 and its events. They are valid until do returns.
func (f *File) read(from, to uint64, do func(*gather.Frame, []eventChunk)) (*cursor, error) {
	if f.cursor == nil {
		f.cursor = f.newCursor()
	}
	c := f.cursor
	to = min(to, f.frames)
	if err := c.seek(f.key(from), len(f.keys)); err != nil {
		f.cursor = nil
		return nil, err
	}
	var frame gather.Frame
	for at := c.at; at < to; at++ {
		if err := c.reader.Next(&frame); err != nil {
			f.cursor = nil
			return nil, unexpected(err)
		}
		if at >= from {
			do(&frame, c.reader.events)
		}
	}
	c.leave(to)
	return c, nil
}

// unexpected returns the error for frames that are not at the place that the index gives.
func unexpected(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return errNoOrder
	}
	return err
}

// cursor reads frames from keys on. It keeps the definitions that it has read.
type cursor struct {
	file   *File
	reader *Reader
	buffer *bufio.Reader
	offset int    // number of bytes of File.kept that were read
	at     uint64 // number of the next frame
}

func (f *File) newCursor() *cursor {
	c := &cursor{file: f, buffer: bufio.NewReaderSize(nil, 1<<16), offset: len(magic) + 2}
	c.reader = new(Reader)
	return c
}

// seek goes to the frames from a key up to another, or up to the end.
func (c *cursor) seek(key, to int) error {
	f := c.file
	k := f.keys[key]
	if k.keptSize < c.offset {
		*c = *f.newCursor()
	}
	c.reader.synced = true
	c.from(bytes.NewReader(f.keptBytes[c.offset:k.keptSize]), 0)
	for {
		kind, payload, err := c.reader.chunk()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			_, err = c.reader.take(kind, payload, nil)
		}
		if err != nil {
			return err
		}
	}
	end := f.ends(to - 1)
	c.from(io.NewSectionReader(f.in, k.offset, end.offset-k.offset), k.offset)
	c.reader.synced, c.at, c.offset = false, k.frames, k.keptSize
	return nil
}

// from makes the reader continue with in, which is at an offset of the file.
func (c *cursor) from(in io.Reader, offset int64) {
	c.buffer.Reset(in)
	c.reader.in = rewinder{in: c.buffer}
	c.reader.offset = offset
}

// leave stores the number of the next frame. Definitions before its key have been read.
func (c *cursor) leave(at uint64) {
	c.at = at
	if at > 0 {
		c.offset = c.file.keys[c.file.key(at-1)].keptSize
	}
}
