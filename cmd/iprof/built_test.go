package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// TestASecondStartBuildsNothing: the program of the last start runs again until anything changes that it is built from,
// also files that are no Go, and modules in other folders.
func TestASecondStartBuildsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const text = "package main\n\nimport (\n\t\"os\"\n\n\t\"example.org/other\"\n)\n\nvar more string\n\n" +
		"func main() { os.Exit(other.Status + len(more)) }\n"
	module := inModule(t, map[string]string{
		"main/main.go":   text,
		"other/other.go": "package other\n\nconst Status = 3\n",
		"other/go.mod":   "module example.org/other\n\ngo 1.25\n",
	})
	write(t, "go.mod", "module example.org/user\n\ngo 1.25\n\nrequire example.org/other v1.0.0\n\n"+
		"replace example.org/other => ./other\n")
	run := func(want int, flags ...string) (built bool) {
		t.Helper()
		pattern := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "iprof", "user-*", "bin", "main")
		before := stamps(t, pattern)
		status, stderr := launched(t, module, "run", append(flags, "-report", "none", "./main")...)
		if status != want {
			t.Fatalf("status %d; want %d: %s", status, want, stderr)
		}
		return before != stamps(t, pattern)
	}
	if !run(3) || run(3) {
		t.Error("want one build, and none for the second start")
	}
	write(t, "other/other.go", "package other\n\nconst Status = 4\n")
	if !run(4) || run(4) {
		t.Error("want a build after a change of another module")
	}
	if !run(6, "-ldflags=-X main.more=ab") || run(6, "-ldflags=-X main.more=ab") || !run(4) {
		t.Error("want a build for other flags")
	}
	for range 2 {
		if !run(4, "-x") {
			t.Error("want the go command to say what it does with -x")
		}
	}
	write(t, "main/empty.s", "\n")
	for range 2 {
		if !run(4) {
			t.Error("want the go command to look each time at a program with files besides Go")
		}
	}
}

// stamps returns the times of the files that match.
func stamps(t *testing.T, pattern string) string {
	t.Helper()
	names := must.Get(filepath.Glob(pattern))(t)
	var times []string
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			times = append(times, info.ModTime().String())
		}
	}
	return strings.Join(times, " ")
}
