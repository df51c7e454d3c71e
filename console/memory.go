package console

import (
	"fmt"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
)

// memory chooses how much is measured of the program's memory, or prints the newest frame's part of the Go heap, or the chosen
// old frame's.
func (c *call) memory() error {
	if c.rest == "" {
		c.sayMemory()
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
	c.say("memory %s", c.s.MemoryMode())
	return nil
}

func (c *call) sayMemory() {
	frames := c.s.AppendFrames(nil, c.s.Info().Age+1)
	if len(frames) == 0 {
		c.sayFrame()
		return
	}
	f := &frames[0]
	c.say("frame %d: %s in %d objects allocated, %s live, %d collections, %s of pauses; mode %s, which took %s",
		f.Index, size(f.AllocBytes), f.AllocObjects, size(f.HeapLive), f.Cycles, text.Duration(float64(f.Pause)), f.Memory,
		text.Duration(float64(f.HeapCost)))
}

// size writes a number of bytes in the unit that fits.
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
