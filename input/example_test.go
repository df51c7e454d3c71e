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

// Two windows show one session. Each has a panel with its own keys, mouse, mode and cursor.
func ExampleNewController() {
	first := viewer.PanelFor(process.Default())
	second := viewer.NewPanel(process.NewView(process.Default()))

	c := input.NewController(second) // the second window draws its panel with gl.OverlayPanel(second)
	c.Key(input.KeyF1, input.ActionPress, 0)
	fmt.Println("one mode for both:", first.Options().Mode == second.Options().Mode)
	// Output: one mode for both: false
}
