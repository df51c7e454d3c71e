//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/iprof/internal/must"
)

// TestIgnoredSignalsStayIgnored: nohup iprof run is as nohup and the program.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n",
		"main.go": `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if signal.Ignored(syscall.SIGHUP) && !signal.Ignored(syscall.SIGTERM) {
		os.Exit(5)
	}
}
`})
	signal.Ignore(syscall.SIGHUP)
	t.Cleanup(func() { signal.Reset(syscall.SIGHUP) })
	if status, stderr := launched(t, module, "run", "-report", "none", "."); status != 5 {
		t.Errorf("status %d: the program does not ignore what iprof ignores: %s", status, stderr)
	}
}

// lateGo is a go command that sends its caller a signal when a build has ended, after $LATE seconds.
const lateGo = `#!/bin/sh
"$REALGO" "$@"
status=$?
case "$1$*" in build*' -o '*)
	if [ "$LATE" = 0 ]; then kill -s "$SIGNAL" $PPID; else (sleep "$LATE"; kill -s "$SIGNAL" $PPID) >&- 2>&- & fi
esac
exit $status
`

// TestASignalBetweenBuildAndStartIsNotLost: iprof ends as a program that the signal ends, whether this has begun or
// not.
func TestASignalBetweenBuildAndStartIsNotLost(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const main = "package main\n\nimport \"time\"\n\n" +
		"func main() { println(\"begins\"); time.Sleep(20 * time.Second); println(\"ends\") }\n"
	module, bin := inModule(t, map[string]string{"main.go": main}), t.TempDir()
	goCommand := must.Get(exec.LookPath("go"))(t)
	must.Do(t, os.WriteFile(filepath.Join(bin, "go"), []byte(lateGo), 0o755))
	for i, late := range []string{"0", "0", "0.001", "0.002", "0.004", "0.008", "0.016", "0.1"} {
		s := []struct {
			name   string
			status int
		}{{"TERM", 143}, {"INT", 130}}[i%2]
		write(t, "main.go", strings.Replace(main, "begins", "begins "+strconv.Itoa(i), 1))
		cmd := exec.Command(os.Args[0], "run", "-module", module, ".")
		cmd.Env = append(os.Environ(), asMain+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "REALGO="+goCommand,
			"LATE="+late, "SIGNAL="+s.name)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // else a terminal's own signals are not passed on
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != s.status || bytes.Contains(out, []byte("ends")) {
			t.Errorf("%s after %s s: status %d, want %d:\n%s", s.name, late, got, s.status, out)
		}
		if bytes.Contains(out, []byte("cancel")) {
			t.Errorf("%s after %s s: it speaks of itself:\n%s", s.name, late, out)
		}
	}
}
