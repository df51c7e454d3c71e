package process_test

import (
	"runtime"
	"slices"
	"testing"

	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// allocatedBy returns the bytes that a function allocates.
func allocatedBy(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// No frame takes much memory at once: not the first that is digested, not one with which the history grows, and not the
// one after a program's slow first frame, whose times lie far from the others.
func TestNoFrameTakesMuchMemory(t *testing.T) {
	const zones = 1000
	for _, c := range []struct {
		name    string
		history int
		first   platform.Ticks // ratio of the first frame's times to those of the others
		most    uint64
	}{{"growing", 5000, 1, 64 << 10}, {"full, with a slow first frame", 300, 300, 320 << 10}} {
		if raceEnabled { // slices.Grow allocates twice there
			c.most += zones * 16
		}
		var least [1500]uint64 // of three histories: what other goroutines of the process allocate counts, too
		for round := range 3 {
			s := process.NewSession()
			s.SetHistory(c.history, c.history)
			f := allZonesFrame(0, manyZones(zones))
			f.TicksPerSecond = 1e9
			nodes := f.Lanes[0].Nodes
			slow := slices.Clone(nodes)
			for i := range slow {
				slow[i].Self *= c.first
			}
			for i := range least {
				f.Index, f.Begin, f.End = uint64(i), platform.Ticks(i)*16e6, platform.Ticks(i+1)*16e6
				if f.Lanes[0].Nodes = nodes; i == 0 {
					f.Lanes[0].Nodes = slow
				}
				got := allocatedBy(func() { write(t, s, f) })
				if round == 0 || got < least[i] {
					least[i] = got
				}
			}
		}
		for i, got := range least {
			if i > 0 && got > c.most { // the first one brings all names and paths
				t.Errorf("%s, frame %d: got %d bytes; want %d at most", c.name, i, got, c.most)
			}
		}
	}
}

// Zones that no frame enters take no memory of the history, however many are known.
func TestIdleZonesTakeNoHistory(t *testing.T) {
	s, zones := process.NewSession(), manyZones(5000)
	write(t, s, allZonesFrame(0, zones))
	f := zonesFrame(1, zones)
	frames := func(n int) {
		for range n {
			f.Index++
			write(t, s, f)
		}
	}
	frames(1000) // the first ones take memory ahead
	got := allocatedBy(func() { frames(640) })
	if got > 64<<10 {
		t.Errorf("640 frames of one zone: got %d bytes; want 64 kB at most", got)
	}
}
