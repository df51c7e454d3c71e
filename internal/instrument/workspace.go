package instrument

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// profilerModule is the profiler's module.
const profilerModule = "example.com/iprof"

// isProfiler reports whether a package is part of the profiler. The profiler cannot measure itself with these zones.
func isProfiler(path string) bool {
	rest, ours := strings.CutPrefix(path, profilerModule)
	if !ours || rest != "" && rest[0] != '/' {
		return false
	}
	return !strings.HasPrefix(rest, "/examples/") && !strings.HasPrefix(rest, "/internal/workload")
}

// ProfilerDir returns the folder of the profiler's module: what the program carries, or where it was built. A program
// that was built with -trimpath does not know where that was: its names of files are relative, and would lie in
// whatever folder is the current one. Such a program takes the version that it has, or what the user's go.mod names.
func (o *Options) ProfilerDir() (string, error) {
	if o.Module != "" {
		return filepath.Abs(o.Module)
	}
	if len(o.Sources) > 0 {
		return o.unpacked()
	}
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && filepath.IsAbs(dir) {
		return dir, nil
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == profilerModule && info.Main.Version != "(devel)" {
		out, err := (&Options{}).command("mod", "download", "-json", profilerModule+"@"+info.Main.Version)
		var m struct{ Dir string }
		if err == nil && json.Unmarshal(out, &m) == nil && m.Dir != "" {
			return m.Dir, nil
		}
	}
	if dir, ok := o.inGoMod(); ok {
		return dir, nil
	}
	return "", errNoSources
}
