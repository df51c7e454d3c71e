//go:build !iprof_off

package gather_test

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// A host with Vulkan, WebGPU or Metal feeds a GPU lane of its own. This one has a GPU whose clock counts nanoseconds.
func ExampleForeignLane() {
	shadow := gather.Zone{Name: "GPU shadow pass"}
	gpu := gather.NewForeignLane("GPU", 1e9)
	defer gpu.Close()
	gpu.Calibrate(5_000_000, platform.Now()) // both clocks at one moment; again every second

	// When commands are given to the GPU:
	issued := platform.Now()
	gpu.Wait(issued)

	// Frames later, when their timestamps have arrived:
	gpu.Add([]gather.ForeignScope{{Zone: &shadow, Begin: 6_000_000, End: 8_500_000, Issued: issued}})
	gpu.Wait(0)

	var frame gather.Frame
	gather.Collect(&frame)
	fmt.Println("complete:", gather.Complete(&frame, false)) // a process.Session does this
	for _, l := range frame.Lanes {
		if l.Device {
			ms := 1000 * float64(l.Nodes[1].Self) / frame.TicksPerSecond
			fmt.Printf("%s: %s %.1f ms\n", l.Name, frame.Zones[l.Nodes[1].Zone].Name, ms)
		}
	}
	// Output:
	// complete: true
	// GPU: GPU shadow pass 2.5 ms
}
