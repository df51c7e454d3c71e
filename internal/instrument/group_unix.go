//go:build unix

package instrument

import (
	"os/exec"
	"syscall"
)

// endGroup gives a command a process group of its own, which the end of its context ends.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
