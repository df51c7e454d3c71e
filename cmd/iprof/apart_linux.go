package main

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes the system end the command with this program, even after a SIGKILL.
func dieWithUs(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
