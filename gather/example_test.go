package gather_test

import (
	"fmt"

	"example.com/iprof/gather"
)

var physics = gather.Zone{Name: "physics"}

func stepPhysics() { defer physics.Begin().End() }

func ExampleCollect() {
	if !gather.Enabled { // with the tag iprof_off nothing is measured
		fmt.Println("physics 1\nphysics 1")
		return
	}
	var frame gather.Frame
	gather.Collect(&frame)
	for range 2 {
		stepPhysics()
		gather.Collect(&frame)
		for _, n := range frame.Lanes[0].Nodes {
			if zone := frame.Zones[n.Zone]; zone.Name == "physics" {
				fmt.Println(zone.Name, n.Count)
			}
		}
	}
	// Output:
	// physics 1
	// physics 1
}

func ExampleScope_Text() {
	if !gather.Enabled { // with the tag iprof_off nothing is measured
		fmt.Println("chunk 12,7\n42")
		return
	}
	gather.SetEvents(64)
	defer gather.SetEvents(0)
	var frame gather.Frame
	gather.Collect(&frame)
	s := physics.Begin()
	s.Text("chunk 12,7")
	s.Value(42)
	s.End()
	gather.Collect(&frame)
	for _, m := range frame.Remarks {
		if m.Valued {
			fmt.Println(m.Value)
		} else {
			fmt.Println(m.Text)
		}
	}
	// Output:
	// chunk 12,7
	// 42
}

func ExampleLeaveOutHeap() {
	if !gather.Enabled { // with the tag iprof_off nothing is measured
		fmt.Println(true)
		return
	}
	var frame gather.Frame
	gather.Collect(&frame)
	end := gather.LeaveOutHeap(8 << 20)
	buffer = make([]byte, 4<<20) // for a report, and no part of the program
	end()
	gather.Collect(&frame)
	fmt.Println(frame.Memory.AllocBytes < 4<<20)
	// Output:
	// true
}

func ExampleTookHeap() {
	if !gather.Enabled { // with the tag iprof_off nothing is measured
		fmt.Println(true)
		return
	}
	var frame gather.Frame
	gather.Collect(&frame)
	gather.TookHeap(4<<20, 1)
	buffer = make([]byte, 4<<20) // for a report, and no part of the program
	gather.Collect(&frame)
	fmt.Println(frame.Memory.AllocBytes < 4<<20)
	// Output:
	// true
}

var buffer []byte
