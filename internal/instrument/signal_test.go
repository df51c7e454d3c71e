//go:build unix

package instrument_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/iprof/internal/instrument"
)

const interrupted = `package main

import (
	"context"
	"fmt"
	"os"
	sig "os/signal"
	"syscall"
	"time"
)

//iprof:zone shutdown
func shutdown() { time.Sleep(time.Millisecond); fmt.Println("bye") }

func main() {
	if len(os.Args) > 1 {
		ctx, stop := sig.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		c := make(chan os.Signal, 1)
		sig.Notify(c, syscall.SIGTERM)
		fmt.Println("ready")
		select {
		case <-ctx.Done():
		case <-c:
		}
		shutdown()
		os.Exit(7)
	}
	fmt.Println("ready")
	select {}
}
`

// TestSignalsAreTheProgramsOwn: a program that handles a signal ends as it wants, and one that does not ends by the
// signal. Both leave the report, the list of what was muted, and a recording.
func TestSignalsAreTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": interrupted})
	o := instrument.Options{Imports: []string{"example.com/iprof/auto/record"}}
	program := filepath.Join(built(t, dir, planned(t, dir, o)), "user")
	for _, test := range []struct {
		name      string
		arguments []string
		signal    syscall.Signal
		status    int // below 0: ended by the signal
		out, zone string
	}{
		{"handled", []string{"x"}, syscall.SIGINT, 7, "bye\n", "shutdown"},
		{"another handled", []string{"x"}, syscall.SIGTERM, 7, "bye\n", "shutdown"},
		{"not handled", nil, syscall.SIGINT, -1, "", "wait forever"},
	} {
		t.Run(test.name, func(t *testing.T) {
			to := t.TempDir()
			report, record := filepath.Join(to, "report.txt"), filepath.Join(to, "out.iprof")
			cmd := exec.Command(program, test.arguments...)
			const settings = `IPROF_RUN={"Report":%q,"Record":%q}`
			cmd.Env = append(os.Environ(), fmt.Sprintf(settings, report, record))
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(stdout)
			if line, err := lines.ReadString('\n'); line != "ready\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			if err := cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(lines)
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != test.status {
				t.Errorf("it ended with %v; want status %d", err, test.status)
			}
			text, _ := os.ReadFile(report)
			if string(rest) != test.out || !strings.Contains(string(text), " "+test.zone+" ") {
				t.Errorf("it prints %q; want %q; the report has no %q:\n%s", rest, test.out, test.zone, text)
			}
			if info, err := os.Stat(record); err != nil || info.Size() == 0 {
				t.Errorf("the recording: %v", err)
			}
		})
	}
}
