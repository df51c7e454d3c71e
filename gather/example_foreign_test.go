//go:build !iprof_off

package gather_test

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
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

	// The program's session adds the GPU's scopes to the frame in which their commands were issued:
	session := process.Default()
	remove := session.AddSink(devices{})
	session.Update()
	remove()
	// Output: GPU: GPU shadow pass 2.5 ms
}

// devices prints the times of devices.
type devices struct{}

func (devices) WriteFrame(f *gather.Frame) error {
	for _, l := range f.Lanes {
		if l.Device && len(l.Nodes) > 1 {
			ms := 1000 * float64(l.Nodes[1].Self) / f.TicksPerSecond
			fmt.Printf("%s: %s %.1f ms\n", l.Name, f.Zones[l.Nodes[1].Zone].Name, ms)
		}
	}
	return nil
}
