//go:build !iprof_off

package input_test

import (
	"fmt"
	"strings"

	"example.com/iprof/input"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// A German keyboard has the Z where a US keyboard has the Y.
func ExampleSetKeyLabels() {
	getKeyName := func(key input.Key, _ int) string { // instead of glfw.GetKeyName
		return strings.NewReplacer("Y", "z", "Z", "y").Replace(string(rune(key)))
	}
	input.SetKeyLabels(getKeyName)

	viewer.PanelFor(process.Default()).AddCommand(viewer.Command{Name: "hello", Action: "say hello", Always: true,
		Do: func(*process.Session, *viewer.Panel) { fmt.Println("Hello from Ctrl+Z.") }})
	c := input.ControllerFor(nil)
	c.Bind('Z', input.ModControl, "hello")
	c.Key('Y', input.ActionPress, input.ModControl) // by its place
	// Output: Hello from Ctrl+Z.
}
