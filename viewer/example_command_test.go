package viewer_test

import (
	"fmt"
	"os"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

func ExamplePanel_AddCommand() {
	s := process.NewSession()
	p := viewer.PanelFor(s)
	p.AddCommand(viewer.Command{
		Name: "level", Group: viewer.GroupOutput, Action: "next level",
		Arguments: "[NAME]", Text: "go on to the next level, or to the one of this name",
		Do: func(*process.Session, *viewer.Panel) { fmt.Println("next") },
		Line: func(t *viewer.Line) error {
			t.Printf("level %s", strings.ToUpper(t.Rest))
			return nil
		},
	})
	p.Run("level")
	c, _ := p.Command("level")
	c.Run(s, os.Stdout, "docks")
	fmt.Println(c.Described(), "-", c.Says())
	// Output:
	// next
	// level DOCKS
	// next level - go on to the next level, or to the one of this name
}
