package console

import (
	"fmt"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
)

// memory sets the memory mode, which chooses how allocations are measured. Without an argument it prints the memory
// that the profiler holds and the figures of the Go heap in the frame shown.
func (c *call) memory() error {
	if c.rest == "" {
		c.printMemory()
		return nil
	}
	var modes []string
	for m := range gather.MemoryMode(gather.NumMemoryModes) {
		modes = append(modes, m.String())
	}
	at, err := choose("memory mode", c.rest, modes)
	if err != nil {
		return err
	}
	c.s.SetMemoryMode(gather.MemoryMode(at))
	c.printf("memory %s", c.s.MemoryMode())
	return nil
}

func (c *call) printMemory() {
	frames := c.s.AppendFrames(nil, c.s.Info().Age+1)
	if len(frames) == 0 {
		c.printFrame()
		return
	}
	f := &frames[0]
	c.printHeld()
	c.printf("frame %d: %s in %d objects allocated, %s live, %d collections, %s of pauses; mode %s, which took %s",
		f.Index, size(f.AllocBytes), f.AllocObjects, size(f.HeapLive), f.Cycles, text.Duration(float64(f.Pause)),
		f.Memory, text.Duration(float64(f.HeapCost)))
}

// printHeld prints the memory that the profiler holds. It prints nothing without a limit.
func (c *call) printHeld() {
	if m := gather.MemoryUsed(); m.Limit > 0 {
		c.printf("the profiler holds %s of %s: nodes %s, goroutines %s, names %s, events %s, single calls %s",
			held(m.Total()), held(m.Limit), held(m.Nodes), held(m.Lanes), held(m.Names), held(m.Events), held(m.Calls))
	}
}

func held(n int64) string { return size(uint64(max(n, 0))) }

// size formats a number of bytes with the unit that fits.
func size(n uint64) string {
	units := []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, at := float64(n)/1000, 0
	for v >= 999.95 && at < len(units)-1 {
		v, at = v/1000, at+1
	}
	return fmt.Sprintf("%.1f %s", v, units[at])
}
