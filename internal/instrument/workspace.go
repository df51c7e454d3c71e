package instrument

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// profilerModule is the profiler's module, which rewritten programs import.
const profilerModule = "example.com/iprof"

// isProfiler reports whether a package is part of the profiler. The profiler cannot measure itself with these zones.
func isProfiler(path string) bool {
	rest, ours := strings.CutPrefix(path, profilerModule)
	if !ours || rest != "" && rest[0] != '/' {
		return false
	}
	return !strings.HasPrefix(rest, "/examples/") && !strings.HasPrefix(rest, "/internal/workload")
}

// writeWorkspace writes a go.work file with the program's modules and the profiler's. The program's go.mod and go.sum
// never change: the go command adds to go.work.sum.
func (p *Plan) writeWorkspace(b *Build) error {
	if p.main != nil && p.main.Path == profilerModule {
		return nil
	}
	module, err := p.profilerDir()
	if err != nil {
		return err
	}
	w, err := p.workspace()
	if err != nil {
		return err
	}
	w.use(module)
	var done []string
	if p.main != nil && len(w.uses) == 2 { // a workspace of the program's own has no such folder
		if done, err = p.vendored(b, w, p.main.Dir); err != nil {
			return err
		}
	}
	for _, path := range p.options.Deps {
		if slices.Contains(done, path) {
			continue
		}
		if err := p.copyModule(b, w, path); err != nil {
			return err
		}
	}
	path := filepath.Join(b.Dir, "go.work")
	if err := writeChanged(path, w.text()); err != nil {
		return err
	}
	b.Environment = append(b.Environment, "GOWORK="+path)
	return nil
}

// profilerDir returns the folder of the profiler's module. A program that was built with -trimpath does not know where
// that was: its names of files are relative, and would lie in whatever folder is the current one.
func (p *Plan) profilerDir() (string, error) {
	if p.options.Module != "" {
		return p.options.Module, nil
	}
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && filepath.IsAbs(dir) {
		return dir, nil
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == profilerModule && info.Main.Version != "(devel)" {
		out, err := command("", "mod", "download", "-json", profilerModule+"@"+info.Main.Version)
		var m struct{ Dir string }
		if err == nil && json.Unmarshal(out, &m) == nil && m.Dir != "" {
			return m.Dir, nil
		}
	}
	return "", errors.New("the sources of " + profilerModule + " are not where this program was built; " +
		"name their folder with -module DIR")
}

// workspace is the content of a go.work file.
type workspace struct {
	version  string
	uses     []string // absolute
	replaces []string // lines
}

func (w *workspace) use(dir string) { w.uses = append(w.uses, dir) }

func (w *workspace) replace(path, dir string) {
	w.replaces = append(w.replaces, fmt.Sprintf("replace %s => %s", path, quote(dir)))
}

func (w *workspace) text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "go %s\n\n", w.version)
	for _, dir := range w.uses {
		fmt.Fprintf(&b, "use %s\n", quote(dir))
	}
	for _, line := range w.replaces {
		fmt.Fprintf(&b, "%s\n", line)
	}
	return []byte(b.String())
}

// quote quotes a path for a go.work file.
func quote(path string) string { return fmt.Sprintf("%q", path) }

// workspace returns the go.work content for the program without the profiler.
func (p *Plan) workspace() (*workspace, error) {
	out, err := command(p.options.Dir, "env", "-json", "GOWORK", "GOMOD", "GOVERSION")
	if err != nil {
		return nil, err
	}
	var env struct{ GOWORK, GOMOD, GOVERSION string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(env.GOVERSION, "go"), " ")
	w := &workspace{version: version}
	if env.GOWORK != "" && env.GOWORK != "off" {
		return w, w.read(env.GOWORK)
	}
	if env.GOMOD == "" || env.GOMOD == os.DevNull {
		return nil, errors.New("there is no go.mod here or above; run go mod init first")
	}
	w.use(filepath.Dir(env.GOMOD))
	return w, nil
}

// read adds the modules and replacements of a go.work file.
func (w *workspace) read(path string) error {
	out, err := command(filepath.Dir(path), "work", "edit", "-json", path)
	if err != nil {
		return err
	}
	var file struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, u := range file.Use {
		w.use(absolute(filepath.Dir(path), u.DiskPath))
	}
	for _, r := range file.Replace {
		to := r.New.Path
		if r.New.Version == "" {
			to = quote(absolute(filepath.Dir(path), to))
		}
		from := strings.TrimSpace(r.Old.Path + " " + r.Old.Version)
		w.replaces = append(w.replaces, "replace "+from+" => "+strings.TrimSpace(to+" "+r.New.Version))
	}
	return nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
