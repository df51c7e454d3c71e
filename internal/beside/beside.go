// Package beside finds the programs that are installed with this one.
package beside

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Find returns the file of a program, such as "glviewer": beside this program, or in PATH.
func Find(name string) (file string, found bool) {
	if file, found = in(name, "."); found {
		return file, true
	}
	file, err := exec.LookPath(fileName(name))
	return file, err == nil
}

// Only returns the absolute path of a program beside this one, or where make install puts it. It searches nowhere else:
// a capture may lie in a folder of strangers' files, together with a program of that name. So it does not search the
// current folder, PATH or sources. The error names the folder where it is not.
func Only(name string) (path string, err error) {
	for _, folder := range []string{".", "../libexec/iprof"} {
		if path, found := in(name, folder); found && filepath.IsAbs(path) {
			return path, nil
		}
	}
	own, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the program %s is not found, as this system does not say where this program is", name)
	}
	return "", fmt.Errorf("the program %s is not in %s", fileName(name), filepath.Dir(own))
}

// in finds a program in a folder, which is relative to that of this program.
func in(name, folder string) (file string, found bool) {
	own, err := os.Executable()
	if err != nil {
		return "", false
	}
	file = filepath.Join(filepath.Dir(own), folder, fileName(name))
	info, err := os.Stat(file)
	return file, err == nil && info.Mode().IsRegular()
}

// fileName is the name of a program's file.
func fileName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
