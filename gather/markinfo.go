package gather

import "example.com/iprof/platform"

// MostMarks bounds the marks of one frame.
const MostMarks = 256

// MarkInfo is one call of Mark: something happened in the program at that moment.
type MarkInfo struct {
	Time platform.Ticks // on the clock of package platform
	Lane LaneID         // of the goroutine that called Mark; 0 if it had no lane
	Text string         // any bytes, at most 1,024
}
