package source_test

import (
	"fmt"

	"example.com/iprof/source"
)

// Names of files in a stranger's capture: only those below a folder of the own are looked at.
func ExampleLocal() {
	for _, name := range []string{"/home/me/game/main.go", "/home/me/game/../.ssh/id.go", "//host/share/main.go"} {
		fmt.Println(source.Local(name, "/home/me/game"))
	}
	// Output:
	// true
	// false
	// false
}
