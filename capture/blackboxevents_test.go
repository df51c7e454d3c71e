package capture_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// While nothing encodes them, the events of all frames are in memory as copies of 16 bytes each. So Update has encoded
// none of them.
func TestUpdateOnlyCopiesEventsForABlackBox(t *testing.T) {
	const scopes = 1000
	s, zone := freshEvents(t, 1<<12), gather.Zone{Name: "zone"}
	box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: t.TempDir(), Log: io.Discard}))(t)
	defer box.Close()
	release := box.HoldEncoding()
	before := gather.MemoryUsed().Copies
	for n := int64(1); n <= 20; n++ {
		for range scopes {
			zone.Begin().End()
		}
		s.Update()
		held := gather.MemoryUsed().Copies - before
		least := n * 2 * scopes * 16
		if held < least {
			t.Fatalf("%d frames: got %d bytes of copies; want at least %d", n, held, least)
		}
	}
	release()
}

// The black box encodes events after the frame, from copies. A Writer encodes them at once, from the lanes. Both have
// the same, while goroutines begin and end, rings overflow and the ring is shared.
func TestABlackBoxHasTheEventsOfAWriter(t *testing.T) {
	withEvents(t, 256)
	s, random, folder := process.Default(), rand.New(rand.NewPCG(3, 4)), t.TempDir()
	var want bytes.Buffer
	w := framefile.NewWriter(&want, capture.Info{})
	removeWriter := s.AddSink(w)
	box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: folder, Log: io.Discard, Before: 110, After: 1,
		CoolDown: -1, OverBudget: -1, Memory: 64 << 20}))(t)
	p, release := newParty(), func() {}
	for i := range 120 {
		switch {
		case i%40 == 10:
			release = box.HoldEncoding()
		case i%40 == 30:
			release()
		case i == 117: // a second file only after the first
			box.WaitForFile()
		case i == 60 || i == 118:
			box.Trigger("now")
		}
		p.play(random)
		s.Update()
		s.Paused() // both sinks have the frame, also if the box used the session meanwhile
	}
	removeWriter()
	must.Do(t, box.Close())
	must.Do(t, w.Close())
	names := boxFiles(folder)
	if len(names) != 2 {
		t.Fatalf("got files %q; want two", names)
	}
	all := eventsByFrame(t, &want)
	for i, name := range names {
		file := must.Get(os.ReadFile(name))(t)
		some := eventsByFrame(t, bytes.NewBuffer(file))
		if least := 62 + 50*i; len(some) < least {
			t.Errorf("%s: got %d frames; want at least %d", name, len(some), least)
		}
		for index, events := range some {
			if events != all[index] {
				t.Fatalf("frame %d: got\n%s\nwant\n%s", index, events, all[index])
			}
		}
	}
}

func boxFiles(folder string) []string {
	names, _ := filepath.Glob(filepath.Join(folder, "*.iprof"))
	return names
}
