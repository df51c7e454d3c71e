package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/iprof/internal/instrument"
)

// Each run has its program in a folder of its own, as with go run: another run may build the same program anew, or
// with other flags, at the same time. The program of the last build stays in the folder above, for the next run.

// programs is the folder with the programs of the last builds.
func programs(b *instrument.Build) string { return filepath.Join(b.Dir, "bin") }

// ownFolder makes a folder for the program of this run. The caller removes it.
func ownFolder(b *instrument.Build) (string, error) {
	if err := os.MkdirAll(programs(b), 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(programs(b), fmt.Sprintf("%s%d-", runStart, os.Getpid()))
}

// buildIn builds the program, or takes the program of the last build if nothing has changed. It returns the exit
// status.
func (a *arguments) buildIn(b *instrument.Build, program string) int {
	last := filepath.Join(programs(b), b.Program)
	_, err := os.Stat(last)
	a.first = err != nil
	a.goFlags = append([]string{"-buildvcs=false"}, a.goFlags...) // as go run, which asks no git
	_ = os.Link(last, program)                                    // go build keeps an up-to-date program
	if built := a.builtFrom(b, program); built != "" && string(contents(last+builtEnd)) == built {
		return 0
	}
	removeOld(programs(b))
	if code := a.build(b, program); code != 0 {
		return code
	}
	a.keepBuilt(b, program, last)
	return 0
}

// keepBuilt keeps a program for the next run. It ignores errors: then the next run builds it.
func (a *arguments) keepBuilt(b *instrument.Build, program, last string) {
	scratch := program + ".new"
	if os.Link(program, scratch) == nil {
		_ = os.Rename(scratch, last)
		_ = os.Remove(scratch) // Rename keeps it if both are the same file
	}
	built := a.builtFrom(b, program) // of the new program
	if built != "" && b.Holds() && os.WriteFile(scratch, []byte(built), 0o644) == nil {
		_ = os.Rename(scratch, last+builtEnd)
	}
}

// runStart begins the names of the folders of runs. The process id follows.
const runStart = "run"

// removeOld removes the folders of runs that were killed a day ago or longer.
func removeOld(folder string) {
	const old = 24 * time.Hour
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		number, _, _ := strings.Cut(strings.TrimPrefix(e.Name(), runStart), "-")
		id, err := strconv.Atoi(number)
		info, failed := e.Info()
		if err == nil && failed == nil && e.IsDir() && time.Since(info.ModTime()) > old && !isRunning(id) {
			os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}

// isRunning reports whether a process with an id exists. It returns true if it cannot tell.
func isRunning(id int) bool {
	p, err := os.FindProcess(id)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// builtEnd ends the name of the file beside a program that lists the sources that it was built from.
const builtEnd = ".built"

// builtFrom identifies a program's sources and its file. It returns "" if it does not know them: then the go command
// checks.
func (a *arguments) builtFrom(b *instrument.Build, program string) string {
	file, err := os.Stat(program)
	asked := slices.ContainsFunc(a.goFlags, func(f string) bool { // flags that force a build or print it
		return slices.Contains([]string{"-a", "-n", "-v", "-x", "-work", "-json"}, f)
	})
	if b.Inputs == "" || err != nil || asked {
		return ""
	}
	return fmt.Sprintf("%s %q %d %d", b.Inputs, a.goFlags, file.Size(), file.ModTime().UnixNano())
}

// contents returns the contents of a file, or nil if it cannot be read.
func contents(name string) []byte {
	text, _ := os.ReadFile(name)
	return text
}
