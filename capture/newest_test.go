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
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The newest frames of a file with and without an end are read alone, with the names defined before them, and give the
// same frames as the whole file.
func TestLoadNewestReadsOnlyTheNewestFrames(t *testing.T) {
	var out bytes.Buffer
	w, p := framefile.NewWriter(&out, capture.Info{Program: "hour"}), world.NewRandom(3)
	for range 2000 {
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	cut := out.Len()
	must.Do(t, w.Close())
	for name, file := range map[string][]byte{
		"whole": out.Bytes(), "no end": out.Bytes()[:cut], "cut": out.Bytes()[:cut-3],
	} {
		t.Run(name, func(t *testing.T) { checkNewest(t, file) })
	}
}

func checkNewest(t *testing.T, file []byte) {
	all, some := process.NewSession(), process.NewSession()
	if _, err := framefile.Load(all, bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	c, whole, err := framefile.LoadNewest(some, bytes.NewReader(file), 300)
	if err != nil || whole || c.Frames < 300 || c.Frames >= 300+256 || c.Program != "hour" {
		t.Fatalf("got %+v, whole %t, %v; want 300 to 555 frames", c, whole, err)
	}
	var got, want report.Report
	for _, s := range []*process.Session{all, some} {
		s.View().SetAverage(report.AverageInstant)
	}
	some.View().AppendReport(&got)
	all.View().AppendReport(&want)
	if got.Title != want.Title || len(got.Records) != len(want.Records) || len(got.Records) == 0 {
		t.Fatalf("got %q with %d rows; want %q with %d", got.Title, len(got.Records), want.Title, len(want.Records))
	}
	for i := range got.Records {
		a, b := &got.Records[i], &want.Records[i]
		if a.Name != b.Name || a.Values[0] != b.Values[0] {
			t.Errorf("row %d: got %s %v; want %s %v", i, a.Name, a.Values[0], b.Name, b.Values[0])
		}
	}
	if _, whole, err = framefile.LoadNewest(process.NewSession(), bytes.NewReader(file), 3000); err != nil || !whole {
		t.Errorf("got %t, %v for more frames than there are; want the whole file", whole, err)
	}
}

// Damage before the newest frames is passed over or makes it read the whole file; nothing of that is an error. What is
// no capture is one.
func TestLoadNewestOfDamage(t *testing.T) {
	var out bytes.Buffer
	w, p := framefile.NewWriter(&out, capture.Info{}), world.NewRandom(3)
	for range 1000 {
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	for at := 10; at < out.Len(); at += out.Len() / 97 {
		file := bytes.Clone(out.Bytes())
		file[at] ^= 0x55
		want := must.Get(framefile.Load(process.NewSession(), bytes.NewReader(file)))(t)
		c, whole, err := framefile.LoadNewest(process.NewSession(), bytes.NewReader(file), 100)
		if err != nil || c.Frames == 0 || c.Frames > want.Frames || whole && c.Frames != want.Frames {
			t.Fatalf("byte %d: got %+v, whole %t, %v; want at most %d frames", at, c, whole, err, want.Frames)
		}
	}
	_, _, err := framefile.LoadNewest(process.NewSession(), bytes.NewReader([]byte("something else")), 100)
	if !errors.Is(err, capture.ErrNotACapture) {
		t.Errorf("got %v; want ErrNotACapture", err)
	}
	_, _, err = framefile.LoadNewest(process.NewSession(), bytes.NewReader(nil), 100)
	if !errors.Is(err, capture.ErrNotACapture) && !errors.Is(err, io.EOF) {
		t.Errorf("got %v for an empty file; want ErrNotACapture", err)
	}
}
