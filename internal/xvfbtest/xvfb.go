// Package xvfbtest starts an X server for a test, with OpenGL in software and no screen.
package xvfbtest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// startup is the longest time for the server to start.
const startup = 5 * time.Minute

// shared is the server of all tests of a program.
var shared struct {
	wanted  bool
	display string
	end     func()
}

// Main runs the tests of a package with one server, which starts with the first test that needs it. The server keeps
// the state of earlier tests: the place of the mouse, and windows of running programs. A TestMain gives its result to
// os.Exit.
func Main(m *testing.M) (status int) {
	shared.wanted = true
	status = m.Run()
	if shared.end != nil {
		shared.end()
	}
	return status
}

// Start starts Xvfb on a free display and returns its name, such as ":7". The server ends with the test, unless it is
// Main's. Without Xvfb the test is skipped, or fails if IPROF_GL=must.
func Start(t testing.TB) (display string) {
	t.Helper()
	if shared.display != "" {
		return shared.display
	}
	display, end := launch(t)
	if shared.wanted {
		shared.display, shared.end = display, end
	} else {
		t.Cleanup(end)
	}
	return display
}

func launch(t testing.TB) (display string, end func()) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		without(t)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	// -noreset: the server stays when its last client ends, as on a desktop.
	server := exec.Command(path, "-displayfd", "3", "-noreset", "-screen", "0", "1920x1200x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{writer}
	err = server.Start()
	writer.Close()
	if err != nil {
		t.Fatal(err)
	}
	end = func() {
		server.Process.Kill()
		server.Wait()
	}
	reader.SetReadDeadline(time.Now().Add(startup))
	number, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil {
		end()
		t.Fatalf("Xvfb: %v", err)
	}
	return ":" + strings.TrimSpace(number), end
}

func without(t testing.TB) {
	t.Helper()
	if os.Getenv("IPROF_GL") == "must" {
		t.Fatal("Xvfb is missing; want it, because IPROF_GL=must")
	}
	t.Skip("Xvfb is missing: install xvfb and Mesa to run this test")
}
