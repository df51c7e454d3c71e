//go:build unix

package instrument

import (
	"os/exec"
	"syscall"
)

// endGroup starts a command in a new process group. The end of the command's context ends the whole group.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
