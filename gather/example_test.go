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
