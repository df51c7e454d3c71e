package integration_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// onSmallDisk are shell commands that run "$@" where the folder $0 is a disk that has room for the files in it only.
const onSmallDisk = `mount -t tmpfs -o size=64k none "$0" && cp old.json "$0/r.json" && cat /dev/zero > "$0/fill"
exec "$@"`

// runOnFullDisk runs a command whose files are on a full disk. It returns the status, standard error, and the files
// that are there at the end.
func runOnFullDisk(t *testing.T, disk, program string, args ...string) (status int, stderr, left string) {
	t.Helper()
	const looks = `"$@"; status=$?; rm "$0/fill"; ls "$0"; cat "$0/r.json"; exit $status`
	cmd := exec.Command("sh", append([]string{"-c", onSmallDisk, disk, "sh", "-c", looks, disk, program}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) || strings.Contains(errs.String(), "mount: ") {
		t.Skipf("nothing can be mounted here: %v\n%s", err, errs.String())
	}
	return cmd.ProcessState.ExitCode(), errs.String(), out.String()
}

// A report or a recording that does not fit is an error with the cause. What was there stays, and nothing new does. The
// report is written all the same where it goes to another place.
func TestRunOnAFullDisk(t *testing.T) {
	longtest.Skip(t)
	program, _ := built(t, "./cmd/iprof")
	module := must.Get(filepath.Abs(root))(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n",
		"old.json": `{"old":"report of yesterday"}`, "main.go": `package main

import "fmt"

func work(n int) (sum int) {
	for i := range n * 100_000 {
		sum += i * i % 7
	}
	return sum
}

func main() { defer fmt.Print(); work(100) }
`} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	disk := filepath.Join(t.TempDir(), "disk")
	must.Do(t, os.Mkdir(disk, 0o700))
	const full, kept = "no space left on device", "r.json\n" + `{"old":"report of yesterday"}`
	for _, test := range []struct{ flag, name, says string }{{"-report", "r.json", full}, {"-report", "new.json", full},
		{"-o", "r.iprof", full}, {"-o", "r.iprof", "work"}, {"-cpuprofile", "cpu.pprof", full}} {
		t.Run(test.flag+" "+test.name, func(t *testing.T) {
			status, stderr, left := runOnFullDisk(t, disk, program, "run", "-module", module, test.flag,
				filepath.Join(disk, test.name), ".")
			if !strings.Contains(stderr, test.says) || left != kept {
				t.Errorf("got %q, and files %q; want %q, and what was there", stderr, left, test.says)
			}
			if status != 1 && test.flag != "-cpuprofile" { // this is the program's own
				t.Errorf("got status %d; want 1", status)
			}
		})
	}
}
