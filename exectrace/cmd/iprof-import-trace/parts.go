package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"golang.org/x/exp/trace"

	"example.com/iprof/internal/budget"
)

// parts are the readable parts of a trace. A damaged trace is read again behind the damage.
type parts struct {
	skips []int  // number of generations before each part; a generation is about a second of the trace
	words string // the reader's message at the first damage
	last  bool   // nothing could be read behind the last damage
}

// eachPart calls do with each part of a trace. do returns the number of generations and events it has read, and the
// reason why it stopped.
func eachPart(in io.ReadSeeker, account *budget.Account, do func(r *trace.Reader) (generations, events int, err error),
) (p parts, err error) {
	for skip := 0; ; {
		if _, err := in.Seek(0, io.SeekStart); err != nil {
			return p, err
		}
		r, err := trace.NewReader(skipGenerations(account.Reader(in), skip))
		if err != nil {
			if skip > 0 {
				err = nil
			}
			return p, err
		}
		seen, events, err := do(r)
		if skip > 0 && events == 0 {
			return p, nil
		}
		p.skips, p.last = append(p.skips, skip), false
		if err == nil || errors.As(err, new(*budget.Error)) {
			return p, err
		}
		if p.last = true; p.words == "" {
			p.words = "the reader of traces says: " + firstLine(err.Error())
		}
		if skip += seen; seen == 0 {
			return p, nil
		}
	}
}

// mostWords bounds the reader's message, which may be very long.
const mostWords = 300

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s[:min(len(s), mostWords)]
}

// The kinds of batches that a trace has, and the length of its header.
const (
	batchOfEvents     = 1
	batchOfExperiment = 49
	endOfGeneration   = 52
	headerSize        = 16
	mostBatch         = 64 << 10
)

// skipGenerations returns a trace without its first generations.
func skipGenerations(in io.Reader, generations int) io.Reader {
	if generations == 0 {
		return in
	}
	b := bufio.NewReader(in)
	header := make([]byte, headerSize)
	_, err := io.ReadFull(b, header)
	return &laterBatches{in: b, skip: generations, head: header, err: err}
}

// laterBatches reads the batches behind the first generations.
type laterBatches struct {
	in     *bufio.Reader
	skip   int    // generations to skip
	count  int    // generations met so far
	latest uint64 // the latest generation met
	head   []byte // head of the present batch
	left   int    // unread bytes of the present batch
	err    error
}

// Read reads the header and the batches behind the skipped generations: see io.Reader.
func (r *laterBatches) Read(p []byte) (n int, err error) {
	for len(r.head)+r.left == 0 && r.err == nil {
		r.err = r.next()
	}
	switch {
	case len(r.head) > 0:
		n = copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	case r.err != nil:
		return 0, r.err
	}
	n, r.err = r.in.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, nil
}

// next goes to the next batch, and skips batches of the first generations.
func (r *laterBatches) next() error {
	head, generation, size, err := batchHead(r.in)
	if err != nil {
		return err
	}
	if size >= 0 && generation != r.latest {
		r.count, r.latest = r.count+1, generation
	}
	size = max(size, 0)
	if r.count <= r.skip {
		_, err = r.in.Discard(size)
		return err
	}
	r.head, r.left = head, size
	return nil
}

var errBatch = errors.New("there is no batch")

// batchHead reads the head of a batch: its bytes, its generation, and the number of bytes that follow. The end of a
// generation has only its kind as head, the generation 0 and the size -1.
func batchHead(in *bufio.Reader) (head []byte, generation uint64, size int, err error) {
	kind, err := in.ReadByte()
	if err != nil {
		return nil, 0, 0, err
	}
	head = []byte{kind}
	switch kind {
	case endOfGeneration:
		return head, 0, -1, nil
	case batchOfEvents:
	case batchOfExperiment:
		experiment, err := in.ReadByte()
		if err != nil {
			return nil, 0, 0, err
		}
		head = append(head, experiment)
	default:
		return nil, 0, 0, errBatch
	}
	var number uint64
	for i := range 4 { // generation, thread, time, size
		if number, err = binary.ReadUvarint(in); err != nil {
			return nil, 0, 0, err
		}
		if head = binary.AppendUvarint(head, number); i == 0 {
			generation = number
		}
	}
	if number > mostBatch {
		return nil, 0, 0, errBatch
	}
	return head, generation, int(number), nil
}
