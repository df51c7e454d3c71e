package capture_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// flown is an execution trace that writes itself in pieces, and then does something else.
type flown struct {
	text []byte
	then func() error
}

func (f flown) WriteTo(w io.Writer) (n int64, err error) {
	for rest := f.text; len(rest) > 0; {
		piece := rest[:min(len(rest), 10_007)]
		if wrote, err := w.Write(piece); err != nil && wrote > 0 {
			panic("a part of a piece is written") // what failed is refused whole
		} else if err != nil {
			return n, err
		}
		n, rest = n+int64(len(piece)), rest[len(piece):]
	}
	return n, f.then()
}

// withTrace flies with a trace and returns the black box's file.
func withTrace(t *testing.T, from io.WriterTo) (x *flight, file []byte) {
	t.Helper()
	x = newFlight(t, capture.BlackBoxOptions{Before: 10, After: -1, Trace: from})
	for range 10 {
		x.step(time.Millisecond)
	}
	x.box.Trigger("here")
	x.step(time.Millisecond)
	var files []string
	for end := time.Now().Add(time.Minute); len(files) == 0 && time.Now().Before(end); { // Close waits five seconds
		must.Do(t, x.box.Close())
		files, _ = filepath.Glob(filepath.Join(x.options.Dir, "*.iprof"))
	}
	if len(files) != 1 {
		t.Fatalf("got %q; want a file", files)
	}
	file = must.Get(os.ReadFile(files[0]))(t)
	if frames, damages, r := readAll(t, file); len(frames) != 11 || damages != 0 || !r.Complete() {
		t.Fatalf("got %d frames, %d damages, complete %t; want 11 frames", len(frames), damages, r.Complete())
	}
	return x, file
}

func extract(t *testing.T, file []byte) (string, error) {
	t.Helper()
	r := must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
	var out bytes.Buffer
	n, err := r.WriteTrace(&out)
	if n != int64(out.Len()) {
		t.Errorf("got %d written; want %d", n, out.Len())
	}
	return out.String(), err
}

func TestATraceIsInTheBlackBoxsFile(t *testing.T) {
	text := bytes.Repeat([]byte("trace\x00"), 100_001)
	_, file := withTrace(t, flown{text, func() error { return nil }})
	if got, err := extract(t, file); err != nil || got != string(text) {
		t.Errorf("got %d bytes, %v; want the %d that were written", len(got), err, len(text))
	}
	file[bytes.Index(file, []byte("trace\x00trace"))+50_000] ^= 1
	var damage *capture.DamageError
	if got, err := extract(t, file); !errors.As(err, &damage) {
		t.Errorf("a damaged part: got %d bytes, %v; want an error", len(got), err)
	}
	plain, _ := written(t, 1, 3, true)
	if _, err := extract(t, plain); err == nil || !strings.Contains(err.Error(), "no execution trace") {
		t.Errorf("without a trace: got %v", err)
	}
}

// The log says what failed.
func TestATraceThatFailsCostsNoFrames(t *testing.T) {
	for want, from := range map[string]io.WriterTo{
		"not running":        flown{nil, func() error { return errors.New("not running") }},
		"panicked: oops":     flown{[]byte("some"), func() error { panic("oops") }},
		"longer than 64 MB":  flown{make([]byte, 65<<20), func() error { return nil }},
		"cannot be snapshot": new(trace.FlightRecorder),
	} {
		if _, real := from.(*trace.FlightRecorder); real {
			want = "without the execution trace: "
		}
		if x, _ := withTrace(t, from); !strings.Contains(x.log.text(), want) {
			t.Errorf("got %q; want %q", x.log.text(), want)
		}
	}
}

func TestTheFlightRecorderOfGo(t *testing.T) {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Second})
	if err := recorder.Start(); err != nil {
		t.Skip(err) // the tests run with -trace
	}
	defer recorder.Stop()
	_, file := withTrace(t, recorder)
	if got, err := extract(t, file); err != nil || !strings.HasPrefix(got, "go 1.") {
		t.Errorf("got %.20q, %v; want a trace", got, err)
	}
}
