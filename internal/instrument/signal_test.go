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
	"time"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
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

// A program that handles a signal ends as it wants, and one that does not ends by the signal. Both leave a recording.
func TestSignalsAreTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": interrupted})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
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
			record := filepath.Join(to, "out.iprof")
			cmd := exec.Command(program, test.arguments...)
			cmd.Env = append(os.Environ(), fmt.Sprintf(`IPROF_RUN={"Record":%q}`, record))
			stdout := must.Get(cmd.StdoutPipe())(t)
			must.Do(t, cmd.Start())
			lines := bufio.NewReader(stdout)
			if line, err := lines.ReadString('\n'); line != "ready\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			if test.status < 0 {
				waitForZone(t, record, test.zone)
			}
			must.Do(t, cmd.Process.Signal(test.signal))
			rest, _ := io.ReadAll(lines)
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != test.status {
				t.Errorf("it ended with %v; want status %d", err, test.status)
			}
			var text strings.Builder
			run := must.Get(runreport.Read(record))(t)
			_ = run.WriteFull(&text, false)
			if string(rest) != test.out || !strings.Contains(text.String(), " "+test.zone+" ") {
				t.Errorf("it prints %q; want %q; the report has no %q:\n%s", rest, test.out, test.zone, &text)
			}
		})
	}
}

// waitForZone waits until the recording has a zone: what a signal ends has no later chance to write it.
func waitForZone(t *testing.T, record, zone string) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 5*time.Minute; {
		var text strings.Builder
		if run, err := runreport.Read(record); err == nil && run.WriteFull(&text, false) == nil &&
			strings.Contains(text.String(), " "+zone+" ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the recording has no zone %q", zone)
}
