package measure_test

import (
	"fmt"

	"example.com/iprof/internal/measure"
)

func ExampleLeaveOutHeap() {
	if !measure.Enabled { // with the tag iprof_off nothing is measured
		fmt.Println(true)
		return
	}
	var frame measure.Frame
	measure.Collect(&frame)
	end := measure.LeaveOutHeap(8 << 20)
	buffer = make([]byte, 4<<20) // for a report, and no part of the program
	end()
	measure.Collect(&frame)
	fmt.Println(frame.Memory.AllocBytes < 4<<20)
	// Output:
	// true
}

func ExampleTookHeap() {
	if !measure.Enabled { // with the tag iprof_off nothing is measured
		fmt.Println(true)
		return
	}
	var frame measure.Frame
	measure.Collect(&frame)
	measure.TookHeap(4<<20, 1)
	buffer = make([]byte, 4<<20) // for a report, and no part of the program
	measure.Collect(&frame)
	fmt.Println(frame.Memory.AllocBytes < 4<<20)
	// Output:
	// true
}

var buffer []byte
