//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// apart keeps the interrupts of the terminal from a command.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
