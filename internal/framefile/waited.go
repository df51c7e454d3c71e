package framefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"

	"example.com/iprof/process/report"
)

const (
	mostWaited  = 4096      // greatest number of shares that are written and read
	waitedParts = 1_000_000 // units of a share of 1
)

// appendWaited appends the shares of zones' self time without a processor, if there are shares or there were some
// before.
func (e *hotEncoder) appendWaited(dst []byte, shares map[report.ZoneID]float64) []byte {
	if len(shares) == 0 && !e.waited {
		return dst
	}
	e.waited = len(shares) > 0
	var p []byte
	for _, zone := range slices.Sorted(maps.Keys(shares))[:min(len(shares), mostWaited)] {
		if !e.knows(zone) {
			continue
		}
		p = binary.AppendUvarint(p, uint64(max(zone, 0)))
		p = binary.AppendUvarint(p, uint64(math.Round(waitedParts*min(max(shares[zone], 0), 1))))
	}
	return appendChunk(dst, chunkWaited, p)
}

// setWaited reads a chunk of shares, for the next chunk of hot lines.
func (t *tables) setWaited(d *decoder) {
	shares := map[report.ZoneID]float64{}
	for len(d.rest) > 0 && d.err == nil && len(shares) < mostWaited {
		zone := report.ZoneID(d.number())
		if share := d.uvarint(); d.err == nil && share > 0 {
			shares[zone] = float64(min(share, waitedParts)) / waitedParts
		}
	}
	if d.err == nil {
		t.waited = shares
	}
}

// AddHot adds the hot lines of a whole run, and the shares that zones waited, to a finished capture. A reader that
// began before may not find the end of the file. The error is the file's, ErrNotACapture, a *NewerError or errNoOrder.
func AddHot(path string, h *report.HotZones) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	f, err := OpenFile(file, info.Size())
	if err != nil {
		return err
	}
	more, err := f.ending(file, info.Size(), (&hotEncoder{zones: h}).append(nil, math.MaxInt))
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	if _, err = file.WriteAt(more, f.end); err == nil {
		err = file.Truncate(f.end + int64(len(more)))
	}
	return err
}

// ending returns chunks, followed by the index and the end of the file.
func (f *File) ending(in io.ReaderAt, size int64, chunks []byte) ([]byte, error) {
	if !f.indexed {
		return chunks, nil
	}
	end := make([]byte, size-f.end-lastBytes)
	if _, err := in.ReadAt(end, f.end); err != nil {
		return nil, err
	}
	at := binary.LittleEndian.AppendUint64(nil, uint64(f.end)+uint64(len(chunks)))
	return appendChunk(append(chunks, end...), chunkLast, at), nil
}
