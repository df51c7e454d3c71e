package process_test

import (
	"fmt"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

func TestNamesOfFunctionsAreShort(t *testing.T) {
	for _, c := range []struct{ name, function, want string }{
		{"main.(*BlockRender).drawChunks", "example.com/game/main.(*BlockRender).drawChunks", "BlockRender.drawChunks"},
		{"world.Step", "example.com/game/world.Step", "Step"},
		{"main.run.func1", "main.run.func1", "run.func1"},
		{"level 1.2", "main.run", ""},
		{"a.b", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report.ShortName(&gather.ZoneInfo{Name: c.name, Function: c.function}); got != c.want {
				t.Errorf("%s in %s: got %q; want %q", c.name, c.function, got, c.want)
			}
		})
	}
}

func ExampleShortName() {
	z := gather.ZoneInfo{Name: "main.(*BlockRender).drawChunks", Function: "main.(*BlockRender).drawChunks"}
	fmt.Println(report.ShortName(&z))
	fmt.Printf("%q\n", report.ShortName(&gather.ZoneInfo{Name: "level 1", Function: "main.load"}))
	// Output:
	// BlockRender.drawChunks
	// ""
}
