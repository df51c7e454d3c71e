//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// oddHead begins each program: a function with a zone.
const oddHead = `package main

import (
	"math"
	"os"
	"runtime"
	"syscall"
)

var _, _, _ = os.Args, runtime.Caller, syscall.Close

func heavy(n int) (s float64) {
	for i := range n {
		s += math.Sin(float64(i))
	}
	return s
}

`

// TestOddProgramsStayThemselves: each program checks itself, and ends with status 7 if it is as without the profiler.
// Its report has its function.
func TestOddProgramsStayThemselves(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for name, files := range map[string]map[string]string{
		"names of files with spaces": {"my main.go": oddHead + "func main() { heavy(1e6); os.Exit(other()) }\n",
			"the other file.go": "package main\n\nfunc other() (n int) {\n\tfor range 7 {\n\t\tn++\n\t}\n" +
				"\treturn n\n}\n"},
		"a byte order mark, and lines of Windows": {"main.go": "\ufeff" + strings.ReplaceAll(oddHead+
			"func main() { heavy(1e6); os.Exit(7) }\n", "\n", "\r\n")},
		"lines of a grammar": {"main.go": strings.Replace(oddHead, "func heavy",
			"//line the grammar.y:90\nfunc heavy", 1) +
			"func main() {\n\theavy(1e6)\n\tif _, _, line, _ := runtime.Caller(0); line == 99 {\n" +
			"\t\tos.Exit(7)\n\t}\n}\n"},
		"it closes its streams": {"main.go": oddHead +
			"func main() {\n\tfor fd := range 3 {\n\t\tsyscall.Close(fd)\n\t}\n" +
			"\theavy(1e6)\n\tif f, err := os.Open(\"/\"); err == nil && f.Fd() == 0 {\n\t\tos.Exit(7)\n\t}\n}\n"},
		"its folder is gone": {"main.go": oddHead +
			"func main() {\n\tdir, _ := os.MkdirTemp(\"\", \"gone\")\n" +
			"\tos.Chdir(dir)\n\tos.RemoveAll(dir)\n\theavy(1e6)\n\tos.Exit(7)\n}\n"},
		"main ends before the program": {"main.go": oddHead + "func main() {\n\tgo func() {\n\t\theavy(1e6)\n" +
			"\t\tos.Exit(7)\n\t}()\n\truntime.Goexit()\n}\n"},
		"names of ours and of Go": {"main.go": oddHead +
			"var iprofAuto, iprofZones, iprofExit, scope = 1, 2, 3, 1\n\n" +
			"type any = int\n\nfunc len(true any) (nil any) {\n\tfor nil < 7 {\n\t\tnil++\n\t}\n\treturn nil\n}\n\n" +
			"func main() { heavy(1e6); os.Exit(len(iprofAuto + iprofZones + iprofExit + scope)) }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stderr := launched(t, inModule(t, files), "run", ".")
			if status != 7 || !strings.Contains(stderr, "  heavy  ") {
				t.Errorf("status %d; want 7, and the function's row:\n%s", status, stderr)
			}
		})
	}
}

// TestAProgramKilledAtRest: the report says that the program had the processor after its last zone, and that its CPU
// profile is lost.
func TestAProgramKilledAtRest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	program := strings.Replace(oddHead, `"syscall"`, "\"syscall\"\n\t\"time\"", 1) +
		"func main() {\n\tbegun, n := time.Now(), 1\n\theavy(1e6)\n\ttime.Sleep(time.Second + 4*time.Since(begun))\n" +
		"\tfor i := range int(1e8) {\n\t\tn ^= i\n\t}\n" +
		"\tsyscall.Kill(syscall.Getpid(), syscall.SIGKILL)\n\tselect {}\n}\n"
	status, stderr := launched(t, inModule(t, map[string]string{"main.go": program}), "run", "-cpuprofile", "a", ".")
	if !strings.Contains(stderr, "there is no CPU profile: ") {
		t.Errorf("got no word on the CPU profile:\n%s", stderr)
	}
	if status != 137 || !strings.Contains(stderr, " ms and entered no function with a zone (") {
		t.Errorf("status %d; want 137, and the time after the last zone:\n%s", status, stderr)
	}
}

// TestAnUnusableCacheNamesItsVariable: the home folder cannot be written, as in many containers, or there is none.
func TestAnUnusableCacheNamesItsVariable(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go list")
	}
	module := inModule(t, map[string]string{"main.go": oddHead + "func main() { heavy(1) }\n"})
	modules := strings.TrimSpace(string(must.Get(exec.Command("go", "env", "GOMODCACHE").Output())(t)))
	const usable = " to a folder that can be written"
	for _, test := range []struct{ home, cache, modules, want string }{
		{"", "", modules, usable},
		{os.DevNull, "", modules, usable},
		{os.DevNull, t.TempDir(), os.DevNull, "set GOMODCACHE" + usable},
	} {
		t.Setenv("HOME", test.home)
		t.Setenv("XDG_CACHE_HOME", test.cache)
		t.Setenv("GOMODCACHE", test.modules)
		status, stderr := launched(t, module, "run", ".")
		if status != 1 || !strings.HasSuffix(strings.TrimSpace(stderr), test.want) {
			t.Errorf("HOME=%s: status %d; want 1, and %q at the end:\n%s", test.home, status, test.want, stderr)
		}
	}
}
