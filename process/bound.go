package process

import "strconv"

// Bound is the limit of the rate of frames.
type Bound uint8

// The bounds.
const (
	BoundUnknown Bound = iota // there is no GPU lane
	BoundCPU                  // the goroutine that ends the frames is busy almost all the time
	BoundGPU                  // the GPU is busy almost all the time
	BoundDisplay              // both wait: for the display, or for a limit of the rate
	BoundWorker               // the goroutine that ends the frames waits for others: see FrameInfo.Worker
)

// String returns words for a display, such as "GPU-bound".
func (b Bound) String() string {
	return [...]string{"", "CPU-bound", "GPU-bound", "waiting for the display",
		"waiting for other goroutines"}[min(b, BoundWorker)]
}

// boundShare is the share of a frame in which something is busy if it limits the rate.
const boundShare = 0.9

// Bound is the limit of the rate of frames. The CPU is the goroutine that ends them, and its busy time counts. So mark
// the wait for the buffer swap as idle, for the program waits for the GPU there. Without a GPU lane it is known only if
// it is BoundWorker.
func (i *FrameInfo) Bound() Bound {
	switch most := boundShare * i.Length; {
	case i.HasGPU && i.GPU >= most && i.GPU >= i.Busy:
		return BoundGPU
	case i.HasGPU && i.Busy >= most:
		return BoundCPU
	case i.joined():
		return BoundWorker
	case !i.HasGPU:
		return BoundUnknown
	}
	return BoundDisplay
}

// appendBound appends the times of CPU and GPU, and the bound.
func (i *FrameInfo) appendBound(dst []byte, decimals int, between string) []byte {
	dst = strconv.AppendFloat(append(dst, "CPU "...), i.Busy, 'f', decimals, 64)
	dst = strconv.AppendFloat(append(append(dst, between...), "GPU "...), i.GPU, 'f', decimals, 64)
	dst = append(append(dst, " ms"...), between...)
	if b := i.Bound(); b != BoundWorker {
		return append(dst, b.String()...)
	}
	return i.appendWorker(append(dst, "waiting"...))
}
