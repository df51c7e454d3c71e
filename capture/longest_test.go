package capture_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// centuries returns a capture of two frames of three lanes. Each time is t.
func centuries(tb testing.TB, t platform.Ticks, perSecond float64) *bytes.Buffer {
	tb.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{Program: "centuries"})
	f := gather.Frame{TicksPerSecond: perSecond, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}}}
	for i := range 2 {
		f.Index, f.End, f.CPU, f.Lanes = uint64(i), f.Begin+t, time.Duration(t), nil
		for lane := range 3 {
			id := gather.NodeID(2 * lane)
			nodes := []gather.Node{{ID: id, Parent: -1}, {ID: id + 1, Zone: 1, Count: 1, Self: t}}
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(lane + 1), Updater: lane == 0, End: f.End,
				Begin: f.Begin, CPU: f.CPU, Nodes: nodes})
		}
		must.Do(tb, w.WriteFrame(&f))
	}
	must.Do(tb, w.Close())
	return &b
}

// TestTimesOfAFileNeverWrap: no sum of a file's times leaves its type, and what was cut is counted.
func TestTimesOfAFileNeverWrap(t *testing.T) {
	const century = 100 * 365 * 24 * time.Hour
	for _, c := range []struct {
		time      platform.Ticks
		perSecond float64
		cut       int
	}{{1e6, 1e9, 0}, {platform.Ticks(century), 1e9, 4 + 4}, {platform.Ticks(-century), 1e9, 4 + 4},
		{platform.Ticks(century) / 1000, 1e6, 4}, {math.MaxInt64, 1e9, 22},
		{math.MinInt64 + 1, 1e9, 22}, {math.MaxInt64, 1, 22}} {
		t.Run(fmt.Sprint(c.time, " at ", c.perSecond), func(t *testing.T) {
			file := centuries(t, c.time, c.perSecond).Bytes()
			r := must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
			var all, cpu, frames big.Int
			var f gather.Frame
			for r.Next(&f) == nil {
				frames.Add(&frames, new(big.Int).Sub(big.NewInt(int64(f.End)), big.NewInt(int64(f.Begin))))
				for _, l := range f.Lanes {
					cpu.Add(&cpu, big.NewInt(int64(l.CPU)))
					for _, n := range l.Nodes {
						all.Add(&all, big.NewInt(int64(n.Self)))
					}
				}
			}
			for name, sum := range map[string]*big.Int{"nodes": &all, "processor": &cpu, "frames": &frames} {
				if !sum.IsInt64() {
					t.Errorf("%s: got a sum of %v", name, sum)
				}
			}
			note := strings.Join(f.Misuse.Notes, "")
			if want := fmt.Sprintf(": %d of them were cut", c.cut); c.cut > 0 && !strings.HasSuffix(note, want) ||
				c.cut == 0 && note != "" {
				t.Errorf("got note %q; want %d cut", note, c.cut)
			}
			s := process.NewSession()
			if _, err := framefile.Load(s, bytes.NewReader(file)); err != nil {
				t.Fatal(err)
			}
			d := s.Dump(report.DumpOptions{})
			for _, n := range d.Merged {
				if (n.Hier < 0 || n.Self < 0) != (c.time < 0 && n.Self != 0 || c.time < 0 && n.Zone == 0) {
					t.Errorf("zone %d: got %g and %g ms of times of one sign", n.Zone, n.Self, n.Hier)
				}
			}
			if c.time > 0 && d.RunTime <= 0 {
				t.Errorf("got a run time of %v", d.RunTime)
			}
			if said := strings.Contains(strings.Join(d.Warnings, "\n"), "292 years"); said != (c.cut > 0) {
				t.Errorf("got warnings %q", d.Warnings)
			}
		})
	}
}
