//go:build !unix

package iprof

import (
	"os"
	"runtime"
)

// die ends the process with the status that an interrupt gives it. Such systems have no signals to send.
func die(os.Signal) {
	if runtime.GOOS == "windows" {
		os.Exit(-0x3ffffec6) // STATUS_CONTROL_C_EXIT
	}
	os.Exit(2)
}
