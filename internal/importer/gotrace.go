package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// reader is the program that reads execution traces of Go. It is of module exectrace, because the library that reads
// them needs a newer Go than the rest.
const reader = "iprof-import-trace"

var errNoReader = errors.New("this is an execution trace of Go. The program " + reader +
	" reads those, and it is not here: \"make install\" puts it beside iprof and glviewer. It needs Go 1.26")

// traced makes a capture of the user regions of an execution trace.
func traced(from, to string, o Frames) (r Result, err error) {
	if from, err = filepath.Abs(from); err == nil {
		to, err = filepath.Abs(to)
	}
	if err != nil {
		return r, err
	}
	args := []string{"-json", "-every", o.Every.String(), from, to}
	if o.Name != "" {
		args = append([]string{"-frame", o.Name}, args...)
	}
	cmd := readerCommand(args)
	if cmd == nil {
		return r, fmt.Errorf("%s: %w", from, errNoReader)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %s", reader, cause(said.String(), err))
	}
	r.Traced = true
	return r, json.Unmarshal(out, &r)
}

// readerCommand finds the program: beside this one, where make install puts it, in PATH, or else in the sources that
// this program was built of. It returns nil if it is nowhere.
func readerCommand(args []string) *exec.Cmd {
	name := reader
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		for _, dir := range []string{".", "../libexec/iprof"} {
			path := filepath.Join(filepath.Dir(own), dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return exec.Command(path, args...)
			}
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return exec.Command(path, args...)
	}
	_, file, _, _ := runtime.Caller(0)
	module := filepath.Join(filepath.Dir(file), "..", "..", "exectrace")
	_, err := exec.LookPath("go")
	if _, missing := os.Stat(filepath.Join(module, "go.mod")); err != nil || missing != nil {
		return nil
	}
	cmd := exec.Command("go", append([]string{"run", "./cmd/" + reader}, args...)...)
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOWORK=off")
	return cmd
}

// cause returns the last line that a command has written, without what go run adds to it.
func cause(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for len(lines) > 1 && strings.HasPrefix(lines[len(lines)-1], "exit status") {
		lines = lines[:len(lines)-1]
	}
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}
