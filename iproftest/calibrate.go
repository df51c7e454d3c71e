package iproftest

import (
	"fmt"
	"time"

	"example.com/iprof/internal/fleets"
	"example.com/iprof/platform"
)

// calibration is work that measures the speed of a machine: arithmetic, and reads of memory that fits the caches.
type calibration struct {
	memory [1 << 15]uint32
	sum    uint32
}

func (c *calibration) loop() {
	x := uint32(2463534242)
	for range 100_000 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		at := x % uint32(len(c.memory))
		c.memory[at] += x
		c.sum += c.memory[(at*7)%uint32(len(c.memory))]
	}
}

// calibrate returns the time of the loop: the median of several runs.
func calibrate() time.Duration {
	c := new(calibration)
	c.loop()
	rounds := make([]float64, 21)
	for i := range rounds {
		begin := platform.Now()
		c.loop()
		rounds[i] = float64(platform.Now()-begin) / platform.TicksPerSecond() * float64(time.Second)
	}
	return time.Duration(fleets.Median(rounds))
}

// calibrated is the text in a capture with the time of the loop.
const calibrated = "iproftest: the calibration loop takes %d ns"

// calibratedIn returns the time in such a text, or 0 for other texts.
func calibratedIn(reason string) (took time.Duration) {
	if n, err := fmt.Sscanf(reason, calibrated, &took); n != 1 || err != nil {
		return 0
	}
	return took
}
