package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
)

// The line about a file says what was left out, also if that is one thing, and says nothing of a whole file.
func TestTheLineSaysWhatWasLeftOut(t *testing.T) {
	const good = `{"ph":"X","name":"a","ts":0,"dur":5,"tid":1}`
	for text, want := range map[string]string{
		"[" + good + "]": "",
		"[" + good + `,{"ph":"X","name":"b","ts":"soon","dur":5,"tid":1}]`: "left out: 1 ",
		"[" + good + `,{"ph":"B","name":"b","ts":2,"tid":1}]`:              "changed: 1 ",
	} {
		path, made := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "made.iprof")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		r, err := importer.File(path, made, importer.Frames{})
		if got := r.Line(); err != nil || !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
}

// The program of an import started when its file was written, less the length of the trace.
func TestTheStartIsTheFilesTimeLessItsLength(t *testing.T) {
	path, made := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "made.iprof")
	must.Do(t, os.WriteFile(path, []byte(`[{"ph":"X","name":"a","ts":0,"dur":3000000,"tid":1}]`), 0o600))
	written := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	must.Do(t, os.Chtimes(path, written, written))
	if _, err := importer.File(path, made, importer.Frames{}); err != nil {
		t.Fatal(err)
	}
	_, contents := must.Two(capture.Open(made))(t)
	if want := written.Add(-3 * time.Second); !contents.Info.Start.Equal(want) {
		t.Errorf("got a start at %v; want %v", contents.Info.Start, want)
	}
}

// A zone that goes on in the next frame is open at the end of its frame, and one that ends there is not.
func TestAZoneThatGoesOnIsOpen(t *testing.T) {
	text := `[{"ph":"X","name":"frame","ts":0,"dur":10,"tid":1},{"ph":"X","name":"frame","ts":10,"dur":10,"tid":1},
		{"ph":"X","name":"long","ts":5,"dur":12,"tid":2},{"ph":"X","name":"brief","ts":1,"dur":2,"tid":2}]`
	trace, err := importer.Frames{}.Read(strings.NewReader(text), importer.KindChrome, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	_, err = trace.Write(importer.Frames{Name: "frame"}, func(*importer.Trace) {}, func(f *gather.Frame) error {
		for _, l := range f.Lanes {
			for _, n := range l.Nodes[1:] {
				if name := f.Zones[n.Zone].Name; name != "frame" && n.Open {
					got = append(got, name)
				}
			}
		}
		got = append(got, "|")
		return nil
	})
	if all := strings.Join(got, " "); err != nil || all != "long | |" {
		t.Errorf("got open at the ends of frames: %s, %v; want long | |", all, err)
	}
}

// The first bytes of a message of protocol buffers are a field from 1 to 15 that is a number or has a length.
func TestOtherBytesAreNoProfile(t *testing.T) {
	for _, begin := range []string{"\x02\x01a", "\x0d\x01\x02\x03\x04", "\x82\x01\x01a", "\x0b\x01"} {
		kind := importer.KindOf(strings.NewReader(begin))
		if kind == importer.KindPprof || kind == importer.KindPerfetto {
			t.Errorf("%q: got kind %d; want no profile", begin, kind)
		}
	}
}
