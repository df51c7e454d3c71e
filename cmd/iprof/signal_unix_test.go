//go:build unix

package main

import (
	"os/signal"
	"syscall"
	"testing"
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
