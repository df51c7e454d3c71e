package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/longtest"
)

const namedProgram = `package main

import (
	"fmt"
	"os"
)

var name string

func main() {
	program, err := os.Executable()
	if err == nil {
		_, err = os.Stat(program)
	}
	fmt.Println(name, err)
}
`

// TestRunsBesideEachOther: several commands run one program at the same time, each built with other flags. Each runs
// its own, which stays where it is until it ends, and leaves nothing but the last one.
func TestRunsBesideEachOther(t *testing.T) {
	longtest.Skip(t)
	module := inModule(t, map[string]string{"main.go": namedProgram})
	outputs, failures := make([][]byte, 4), make([]error, 4)
	for range 2 { // the second time, a program of another run is there
		var all sync.WaitGroup
		for i := range outputs {
			all.Go(func() {
				cmd := exec.Command(os.Args[0], "run", "-module", module, "-report", "none",
					fmt.Sprint("-ldflags=-X main.name=number", i), ".")
				cmd.Env = append(os.Environ(), asMain+"=1")
				outputs[i], failures[i] = cmd.CombinedOutput()
			})
		}
		all.Wait()
		for i, out := range outputs {
			if want := fmt.Sprintf("number%d <nil>\n", i); string(out) != want || failures[i] != nil {
				t.Errorf("got %q, %v; want %q", out, failures[i], want)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "iprof", "user-*", "bin", "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("got %q, %v; want the program of the last build, and what it was built from", left, err)
	}
	for _, name := range left {
		if base := filepath.Base(name); strings.TrimSuffix(base, builtEnd) != "user" {
			t.Errorf("%s is left", name)
		}
	}
}
