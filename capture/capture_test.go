package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// written returns a capture of so many random frames, and the frames.
func written(t testing.TB, seed uint64, n int, end bool) ([]byte, []*gather.Frame) {
	t.Helper()
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{Program: "test", Machine: "none"})
	p := newProgram(seed)
	var frames []*gather.Frame
	for range n {
		f := p.next()
		frames = append(frames, f)
		must.Do(t, w.WriteFrame(f))
	}
	if end {
		must.Do(t, w.Close())
	}
	return file.Bytes(), frames
}

// readAll reads all frames that can be read.
func readAll(t testing.TB, file []byte) (frames []gather.Frame, damages int, r *framefile.Reader) {
	t.Helper()
	r = must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
	for {
		var f gather.Frame
		err := r.Next(&f)
		var damage *capture.DamageError
		switch {
		case err == nil:
			frames = append(frames, clone(f))
		case errors.Is(err, io.EOF):
			return frames, damages, r
		case errors.As(err, &damage):
			damages++
		default:
			t.Fatal(err)
		}
	}
}

// clone copies what the reader uses again.
func clone(f gather.Frame) gather.Frame {
	f.Values = append([]gather.CounterValue(nil), f.Values...)
	f.Marks = append([]gather.MarkInfo(nil), f.Marks...)
	f.Lanes = append([]gather.LaneFrame(nil), f.Lanes...)
	for i := range f.Lanes {
		f.Lanes[i].Nodes = append([]gather.Node(nil), f.Lanes[i].Nodes...)
		f.Lanes[i].Extras = append([]gather.NodeExtra(nil), f.Lanes[i].Extras...)
	}
	return f
}

// same reports whether a frame equals the written one. The reader's list of zones may have later zones, too.
func same(got gather.Frame, want *gather.Frame) bool {
	w := clone(*want)
	got.Zones, got.Counters = got.Zones[:min(len(w.Zones), len(got.Zones))],
		got.Counters[:min(len(w.Counters), len(got.Counters))]
	if len(w.Counters) == 0 {
		w.Counters, got.Counters = nil, nil
	}
	return reflect.DeepEqual(got, w)
}

func TestFramesComeBackAsTheyWere(t *testing.T) {
	for seed := range uint64(6) {
		file, frames := written(t, seed, 600, true)
		got, damages, r := readAll(t, file)
		if len(got) != len(frames) || damages != 0 || !r.Complete() {
			t.Fatalf("seed %d: %d of %d frames, %d damages, complete %t", seed, len(got), len(frames), damages,
				r.Complete())
		}
		for i := range got {
			if !same(got[i], frames[i]) {
				t.Fatalf("seed %d, frame %d: got\n%+v\nwant\n%+v", seed, i, got[i], *frames[i])
			}
		}
	}
}

// A file cut off anywhere has all frames that were whole before the cut.
func TestEveryCut(t *testing.T) {
	file, frames := written(t, 3, 40, false)
	head, last := 0, 0
	for end := 0; end < len(file); end += 1 + end/200 {
		r, err := framefile.NewReader(bytes.NewReader(file[:end]))
		if err != nil {
			head++
			continue
		}
		var f gather.Frame
		n := 0
		for r.Next(&f) == nil {
			if !same(clone(f), frames[n]) {
				t.Fatalf("cut at %d: frame %d is wrong", end, n)
			}
			n++
		}
		if n < last {
			t.Fatalf("cut at %d: %d frames; a shorter file had %d", end, n, last)
		}
		last = n
	}
	if head != 10 || last != len(frames)-1 {
		t.Errorf("%d lengths had no head, the longest cut %d frames; want 10 and %d", head, last, len(frames)-1)
	}
}

// Each flipped bit is detected, and frames behind the next key are read.
func TestEveryBit(t *testing.T) {
	file, frames := written(t, 4, 300, true)
	for at := 10; at < len(file); at += 1 + len(file)/200 {
		bad := bytes.Clone(file)
		bad[at] ^= 1 << (at % 8)
		if n := checkDamaged(t, at, bad, frames); n < 300-256 && at > 400 {
			t.Errorf("byte %d: only %d frames are left", at, n)
		}
	}
}

// Where chunks behind a key have given way to something else, no frame is wrong.
func TestChunksThatAreGone(t *testing.T) {
	file, frames := written(t, 4, 600, true)
	chunks := chunksOf(file)
	for i, at := range chunks {
		if file[at] != 'K' {
			continue
		}
		for gone := 1; gone < 6; gone++ {
			bad := slices.Concat(file[:chunks[i+1]], []byte("F\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
				file[chunks[i+1+gone]:])
			checkDamaged(t, chunks[i+1], bad, frames)
		}
	}
}

// chunksOf returns where the chunks begin.
func chunksOf(file []byte) (places []int) {
	for at := headBytes; at+1 < len(file); {
		places = append(places, at)
		length, n := binary.Uvarint(file[at+1:])
		at += 1 + n + int(length) + 4
	}
	return places
}

// checkDamaged reads a capture with damage and returns how many frames are left. They must be as they were.
func checkDamaged(t *testing.T, at int, bad []byte, frames []*gather.Frame) (left int) {
	t.Helper()
	got, damages, _ := readAll(t, bad)
	if damages == 0 {
		t.Fatalf("byte %d: nothing was noticed", at)
	}
	for _, f := range got {
		i := int(f.Index) - 1
		if i < len(frames) {
			f.Misuse.Notes = frames[i].Misuse.Notes // they may have been in what is damaged
		}
		if i >= len(frames) || !same(f, frames[i]) && !strings.Contains(name(f), "lost") {
			t.Fatalf("byte %d: frame %d is wrong", at, f.Index)
		}
	}
	return len(got)
}

// name is the names of all zones.
func name(f gather.Frame) string {
	var b strings.Builder
	for _, z := range f.Zones {
		b.WriteString(z.Name)
	}
	for _, c := range f.Counters {
		b.WriteString(c.Name)
	}
	return b.String()
}

func TestOtherFilesAreRefused(t *testing.T) {
	file, _ := written(t, 1, 1, true)
	newer := bytes.Clone(file)
	newer[8] = 9
	var version *capture.NewerError
	if _, err := framefile.NewReader(bytes.NewReader(newer)); !errors.As(err, &version) || version.Major != 9 {
		t.Errorf("a newer version: got %v", err)
	}
	for _, text := range []string{"", "\x89PNG\r\n\x1a\nxxxx", "\x89IPR"} {
		if _, err := framefile.NewReader(strings.NewReader(text)); !errors.Is(err, capture.ErrNotACapture) {
			t.Errorf("%q: got %v; want ErrNotACapture", text, err)
		}
	}
}
