// Package beside finds the programs that are installed with this one.
package beside

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Find returns the file of a program, such as "glviewer": beside this program, or in PATH.
func Find(name string) (file string, found bool) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		file := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file, true
		}
	}
	file, err := exec.LookPath(name)
	return file, err == nil
}
