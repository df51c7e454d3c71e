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

// ProfilerDir returns the folder of the profiler's module: the unpacked embedded sources, or the folder from which the
// program was built. A program built with -trimpath does not know that folder: its file names are relative, and would
// refer to the current folder. Such a program uses the module of its own version, or the one in the user's go.mod.
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
