package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// systems are the systems for which the command iprof is built. It needs no cgo.
var systems = []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/amd64", "darwin/arm64"}

// reader is the program with which the others read execution traces of Go, of a module of its own.
const reader = "iprof-import-trace"

// build builds the command and the reader for all systems, and the viewer for this one, and for Windows where there is
// a compiler.
func (r *release) build() error {
	for _, pack := range []string{"./internal/instrument/pack", "./internal/web/pack"} {
		if err := run(r.root, []string{"GOWORK=off"}, "go", "run", pack); err != nil {
			return err
		}
	}
	for _, system := range systems {
		goos, arch, _ := strings.Cut(system, "/")
		for _, name := range []string{"iprof", reader} {
			if err := r.program(name, goos, arch, "CGO_ENABLED=0"); err != nil {
				return err
			}
		}
	}
	if err := r.program("glviewer", runtime.GOOS, runtime.GOARCH, "CGO_ENABLED=1"); err != nil {
		return err
	}
	const compiler = "x86_64-w64-mingw32-gcc"
	if _, err := exec.LookPath(compiler); err != nil {
		r.unchecked = append(r.unchecked, "the viewer for Windows: there is no "+compiler)
		return nil
	}
	return r.program("glviewer", "windows", "amd64", "CGO_ENABLED=1", "CC="+compiler)
}

func (r *release) program(name, goos, arch string, env ...string) error {
	file := filepath.Join(r.out, fmt.Sprintf("%s_%s_%s_%s", name, r.version, goos, arch))
	if goos == "windows" {
		file += ".exe"
	}
	return r.compile(name, file, append(env, "GOOS="+goos, "GOARCH="+arch))
}

// programs returns the files of the built programs.
func (r *release) programs() (files []string) {
	for _, name := range []string{"iprof", reader, "glviewer"} {
		found, _ := filepath.Glob(filepath.Join(r.out, name+"_"+r.version+"_*")) // the pattern is well formed
		files = append(files, found...)
	}
	return files
}

// compile builds a program whose bytes depend on nothing but the sources and the compiler.
func (r *release) compile(name, file string, env []string, flags ...string) error {
	link := fmt.Sprintf("-ldflags=-s -w -buildid= -X %s/internal/version.release=%s", r.module, r.version)
	args := append([]string{"build", "-trimpath", "-buildvcs=false", link}, flags...)
	dir := r.root
	if name == "iprof" {
		args = append(args, "-tags=iprof_sources,iprof_viewer") // embed the packed files
	}
	if name == "glviewer" {
		args = append(args, "-buildmode=pie") // as distributions build programs linked with C
	}
	if name == reader {
		dir = filepath.Join(r.root, "exectrace")
	}
	return run(dir, append(env, "GOFLAGS=", "GOWORK=off"), "go", append(args, "-o", file, "./cmd/"+name)...)
}

// again builds this system's programs once more, without the caches of the first build, and compares.
func (r *release) again() error {
	dir, err := os.MkdirTemp("", "again")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, cgo := range map[string]string{"iprof": "0", reader: "0", "glviewer": "1"} {
		first, second := r.file(name), filepath.Join(dir, name)
		env := []string{"CGO_ENABLED=" + cgo, "GOCACHE=" + filepath.Join(dir, "cache")}
		if err := r.compile(name, second, env); err != nil {
			return err
		}
		if sumOf(first) != sumOf(second) {
			return fmt.Errorf("%s differs when it is built again", filepath.Base(first))
		}
	}
	return nil
}

func sumOf(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// sums writes the sum of every file.
func (r *release) sums() error {
	var b bytes.Buffer
	err := filepath.WalkDir(r.out, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			name, _ := filepath.Rel(r.out, path)
			fmt.Fprintf(&b, "%s  %s\n", sumOf(path), filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), b.Bytes(), 0o644)
}

// govulncheck is the checker of known vulnerabilities.
const govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.9.0"

// later tells how to check for vulnerabilities on another machine.
const later = "\n  Before you publish, run this in . and in exectrace, where the server can be reached: go run " +
	govulncheck + " ./..."

// vulnerabilities checks for known vulnerabilities in the linked code of the module and of module exectrace. The list
// is on a server.
func (r *release) vulnerabilities() error {
	for _, module := range []string{".", "exectrace"} {
		err := run(filepath.Join(r.root, module), nil, "go", "run", govulncheck, "./...")
		if err != nil && strings.Contains(err.Error(), "Vulnerability #") {
			return err
		}
		if err != nil {
			r.unchecked = append(r.unchecked, "known vulnerabilities: "+reason(err)+later)
			return nil
		}
	}
	return nil
}

// reason returns the line of a failed command that says why: the last that is no exit status.
func reason(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	for len(lines) > 1 && strings.HasPrefix(lines[len(lines)-1], "exit status") {
		lines = lines[:len(lines)-1]
	}
	return lines[len(lines)-1]
}
