// Package version says which build of the profiler's programs runs.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of a program of a release, such as v0.3.0. tools/release sets it by the linker's flag -X, as
// the go command knows no version of what is built in a folder without a tag.
var release string

// Line returns the line that describes a program: its name, the module's version, its revision, Go's version, and the
// operating system and architecture.
func Line(program string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return Describe(program, release, info)
}

// Describe returns the line of a build. A release stands in place of the module's version.
func Describe(program, release string, info *debug.BuildInfo) string {
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	words := []string{program, cmp.Or(release, info.Main.Version, "(devel)")}
	if revision := setting["vcs.revision"]; revision != "" {
		day, _, _ := strings.Cut(setting["vcs.time"], "T")
		changed := map[string]string{"true": ", changed since"}[setting["vcs.modified"]]
		words = append(words, fmt.Sprintf("(revision %.12s of %s%s)", revision, day, changed))
	}
	return strings.Join(append(words, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH), " ")
}
