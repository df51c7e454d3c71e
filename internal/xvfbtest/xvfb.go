// Package xvfbtest gives tests an X server of their own, with OpenGL in software and no screen.
package xvfbtest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// startup is how long the server may take to come up.
const startup = 30 * time.Second

// Start starts Xvfb on a free display, whose name it returns, ":7" say; the server ends with the test. Where there is no
// Xvfb the test is skipped, or fails if the environment says IPROF_GL=must.
func Start(t testing.TB) (display string) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		without(t)
	}
	told, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	// -noreset: the server outlives its last client, as a desktop's does
	server := exec.Command(path, "-displayfd", "3", "-noreset", "-screen", "0", "1920x1200x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{tell}
	err = server.Start()
	tell.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	told.SetReadDeadline(time.Now().Add(startup))
	number, err := bufio.NewReader(told).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

func without(t testing.TB) {
	t.Helper()
	if os.Getenv("IPROF_GL") == "must" {
		t.Fatal("Xvfb is missing; want it, because IPROF_GL=must")
	}
	t.Skip("Xvfb is missing: install xvfb and Mesa to run this test")
}
