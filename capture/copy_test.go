package capture_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
)

// streamed returns the stream of so many frames, without an end.
func streamed(t *testing.T, frames int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, p := framefile.NewWriter(&b, capture.Info{Program: "sending"}), world.NewRandom(4)
	p.Prepare()
	for range frames {
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	return b.Bytes()
}

// slowly gives a few bytes at a time, as a connection does.
type slowly struct {
	*bytes.Reader
	most int
}

func (s slowly) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), s.most)]) }

// TestCopyEndsAStream: a copy is the stream with an end and an index, however the bytes arrive, and a copy of a copy is
// the same file.
func TestCopyEndsAStream(t *testing.T) {
	const frames = 2000
	stream := streamed(t, frames)
	var first []byte
	for _, most := range []int{1 << 20, 1000, 37} {
		var b bytes.Buffer
		if n, err := framefile.Copy(&b, slowly{bytes.NewReader(stream), most}); n != frames || err != nil {
			t.Fatalf("got %d frames, %v; want %d", n, err, frames)
		}
		if first == nil {
			first = b.Bytes()
		}
		if !bytes.Equal(b.Bytes(), first) || !bytes.HasPrefix(first, stream) {
			t.Fatalf("with %d bytes at a time the copy differs", most)
		}
	}
	var again bytes.Buffer
	if n, err := framefile.Copy(&again, bytes.NewReader(first)); n != frames || err != nil ||
		!bytes.Equal(again.Bytes(), first) {
		t.Errorf("a copy of a whole file has %d frames and %d bytes, %v; want the same %d bytes", n, again.Len(), err,
			len(first))
	}
	in := &counting{Reader: bytes.NewReader(first)}
	f, err := framefile.OpenFile(in, int64(len(first)))
	if err != nil || f.Frames() != frames || in.read > len(first)/4 {
		t.Fatalf("opened %d frames with %d of %d bytes, %v; want the index", f.Frames(), in.read, len(first), err)
	}
	s := withHistory(frames)
	if c, err := f.Load(s, 300, 600); err != nil || c.Frames != 300 {
		t.Errorf("loaded %+v, %v; want 300 frames by the index", c, err)
	}
}

// TestCopyKeepsWhatIsGood: of a stream that is cut off somewhere, or that a bad byte ends, the copy has all whole
// frames before it, and an end.
func TestCopyKeepsWhatIsGood(t *testing.T) {
	stream := streamed(t, 5)
	for at := 0; at < len(stream); at += 1 + at/40 {
		var b bytes.Buffer
		n, err := framefile.Copy(&b, bytes.NewReader(stream[:at]))
		if at < 10 {
			if !errors.Is(err, capture.ErrNotACapture) || b.Len() > 0 {
				t.Fatalf("of %d bytes: %v, and wrote %d; want none", at, err, b.Len())
			}
			continue
		}
		frames, damages, r := readAll(t, b.Bytes())
		whole, cut, _ := readAll(t, stream[:at])
		if len(frames) != len(whole) || n != uint64(len(whole)) || damages > 0 || !r.Complete() ||
			(cut > 0) != errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("of %d bytes: %d frames, said %d, %d damages, %v; want %d", at, len(frames), n, damages, err,
				len(whole))
		}
	}
	bad := bytes.Clone(stream)
	bad[len(bad)-20] ^= 1
	var b bytes.Buffer
	n, err := framefile.Copy(&b, bytes.NewReader(bad))
	var damage *capture.DamageError
	frames, damages, r := readAll(t, b.Bytes())
	if !errors.As(err, &damage) || n == 0 || uint64(len(frames)) != n || damages > 0 || !r.Complete() {
		t.Errorf("got %d frames, %v; the copy has %d, and %d damages", n, err, len(frames), damages)
	}
}

// TestCopyPassesDamage: a copy of a stream with a bad byte in its middle has the frames that a reader of the stream
// gets.
func TestCopyPassesDamage(t *testing.T) {
	bad := streamed(t, 2000)
	bad[len(bad)/2] ^= 1
	var b bytes.Buffer
	n, err := framefile.Copy(&b, bytes.NewReader(bad))
	var damage *capture.DamageError
	want, _, _ := readAll(t, bad)
	frames, damages, r := readAll(t, b.Bytes())
	if !errors.As(err, &damage) || len(want) < 1000 || len(frames) != len(want) || n != uint64(len(want)) ||
		damages > 0 || !r.Complete() {
		t.Errorf("got %d frames, %v; the copy has %d, and %d damages; want %d", n, err, len(frames), damages, len(want))
	}
}

// TestCopyOfANewerStream: its chunks may belong into the index, so that it gets none.
func TestCopyOfANewerStream(t *testing.T) {
	stream := streamed(t, 3)
	stream[len("\x89IPROF\r\n")+1]++
	var b bytes.Buffer
	if n, err := framefile.Copy(&b, bytes.NewReader(stream)); n != 3 || err != nil || !bytes.Equal(b.Bytes(), stream) {
		t.Errorf("got %d frames, %v, and %d bytes; want the same %d", n, err, b.Len(), len(stream))
	}
}
