package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const coveredProgram = `package main

import (
	"os"
	"time"
)

func main() { os.Exit(Sum(10)) }

func Sum(n int) (s int) {
	c := make(chan int, 1); c <- 0
	for i := range n {
		if i%3 == 0 {
			s += twice(i)
		} else if i%3 == 1 {
			s -= i
		} else { s++ }
	}
	select { case <-c: case <-time.After(time.Hour): s = 0 }
	go func() { time.Sleep(1); c <- 0 }(); <-c
	return s - 24
}

func Never() { for { println() } }
`

const coveredFile = `package main

func twice(n int) (t int) { for range n { t += 2 }; if t < 0 { return 0 }; return t }
`

// TestCoverageIsTheSame: with -cover the go command counts what it counts without zones, and the functions have their
// zones.
func TestCoverageIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	module := inModule(t, map[string]string{
		"main.go":      coveredProgram,
		"twice.go":     coveredFile,
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { Sum(10) }\n",
	})
	t.Setenv(asMain, "1") // the go command runs its tools by this program
	for _, mode := range []string{"set", "count", "atomic"} {
		flags := []string{"-covermode", mode, "-coverprofile"}
		plain := exec.Command("go", append(append([]string{"test"}, flags...), "want.out")...)
		if out, err := plain.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		status, stderr := launched(t, module, "test", append(flags, "got.out", ".")...)
		for _, zone := range []string{"  Sum  main.go", "  twice  twice.go"} {
			if status != 0 || !strings.Contains(stderr, zone) || strings.Count(stderr, "\nran ") != 1 {
				t.Errorf("%s: status %d; want 0 and one report with %q:\n%s", mode, status, zone, stderr)
			}
		}
		want := readFile(t, "want.out")
		got := readFile(t, "got.out")
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwithout zones\n%s", mode, got, want)
		}
	}
	t.Run("program", func(t *testing.T) {
		t.Setenv("GOCOVERDIR", t.TempDir())
		status, stderr := launched(t, module, "run", "-cover", ".")
		if status != 3 || !strings.Contains(stderr, "  Sum  main.go") {
			t.Errorf("status %d; want 3 and a zone:\n%s", status, stderr)
		}
		if names, _ := filepath.Glob(filepath.Join(os.Getenv("GOCOVERDIR"), "covcounters.*")); len(names) != 1 {
			t.Errorf("it left %q; want one file of counters", names)
		}
	})
}
