package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// busyCapture writes a capture of 100 frames of 10 ms, some of which have 30 ms more that the machine took.
func busyCapture(t *testing.T, disturbed int) string {
	t.Helper()
	var file bytes.Buffer
	w := framefile.NewWriter(&file, framefile.Info{})
	f := gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work", Function: "f"}}}
	for i := range 100 {
		f.Index = uint64(i)
		f.Begin = f.End
		f.End += 10
		f.Away = gather.Away{Known: gather.AwayExact}
		if i < disturbed {
			f.Away.Time = 30 * time.Millisecond
			f.End += 30
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: f.End - f.Begin}}}}
		must.Do(t, w.WriteFrame(&f))
	}
	path := filepath.Join(t.TempDir(), "busy.iprof")
	must.Do(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}

// TestABusyMachineIsNamed: diff and top say that a recording was made beside other programs.
func TestABusyMachineIsNamed(t *testing.T) {
	const words = "38 of 100 frames were disturbed: the machine gave the processor to other programs"
	busy, quiet := busyCapture(t, 38), busyCapture(t, 0)
	var out bytes.Buffer
	if slower, err := writeDiff(&out, quiet, busy, 5, false); err != nil || slower != 0 {
		t.Errorf("diff: got %d slower, %v; want the same", slower, err)
	}
	if !strings.Contains(out.String(), "\nafter: "+words+". They are left out.\n") {
		t.Errorf("diff: got %q; want %q", out.String(), words)
	}
	inBothWays(t, func(t *testing.T) {
		for path, want := range map[string]bool{busy: true, quiet: false} {
			out.Reset()
			s, c := must.Two(openNewest(path))(t)
			if err := top(&out, s, c); err != nil || strings.Contains(out.String(), words+"\n") != want {
				t.Errorf("top: got %q, %v; want %q: %t", out.String(), err, words, want)
			}
			d := readRows(t, "top "+path).Disturbed
			if d == nil || d.Among != 100 || d.Frames != map[bool]int{true: 38}[want] {
				t.Errorf("top -json: got %+v; want 38 of 100: %t", d, want)
			}
			c.close()
		}
	})
}
