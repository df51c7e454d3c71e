//go:build !iprof_off

package iprof_test

import (
	"fmt"

	"example.com/iprof"
)

// Mark says when something happened. The history and the timeline have a flag there.
func ExampleMark() {
	iprof.Reset()
	iprof.Mark("level loaded")
	iprof.Update()
	session := iprof.Default()
	for _, m := range session.AppendMarks(nil, 0, session.Info().Index) {
		fmt.Printf("%q in the newest frame: %t\n", m.Text, m.Frame == session.Info().Index)
	}
	// Output: "level loaded" in the newest frame: true
}
