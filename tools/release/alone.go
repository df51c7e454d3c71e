package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// small is a program of a user with only the command.
const small = `package main

func work(n int) (sum int) {
	for i := range n {
		sum += i * i % 7
		if sum > 1000 {
			sum -= 1000
		}
	}
	return sum
}

func main() { println(work(1000)) }
`

// tryAlone tries the command like a user who downloaded only the command: without network and with an empty module
// cache. For the viewer it tries without Go, too.
func (r *release) tryAlone() error {
	dir, err := os.MkdirTemp("", "alone")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	err = errors.Join(os.WriteFile(filepath.Join(dir, "main.go"), []byte(small), 0o644),
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module small\n\ngo 1.25\n"), 0o644))
	if err != nil {
		return err
	}
	tool := r.file("iprof")
	env := []string{"GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off", "GOMODCACHE=" + filepath.Join(dir, "modules"),
		"XDG_CACHE_HOME=" + filepath.Join(dir, "cache")}
	if err := run(dir, env, tool, "run", "-all", "-o", "small.iprof", "."); err != nil {
		return err
	}
	bare := append(env, "PATH="+filepath.Join(dir, "nothing"))
	if err := run(dir, bare, tool, "html", "-full", "-o", "small.html", "small.iprof"); err != nil {
		return err
	}
	return r.versions()
}

// versions wants this system's programs to say the release.
func (r *release) versions() error {
	for _, name := range []string{"iprof", reader, "glviewer"} {
		said, err := exec.Command(r.file(name), "-version").Output()
		if err != nil {
			return fmt.Errorf("%s -version: %w", name, err)
		}
		if !strings.HasPrefix(string(said), name+" "+r.version+" ") {
			return fmt.Errorf("%s -version says %q", name, said)
		}
	}
	return nil
}
