package main

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes the end of this program the end of a command, also if nothing can be done any more.
func dieWithUs(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
