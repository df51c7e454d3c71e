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
