package instrument

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// position is the position that the compiler reports for a function.
type position struct {
	file         string // absolute
	line, column int
}

// inlinable returns the functions of the packages that the compiler inlines. It runs the compiler; the go command keeps
// the result in its build cache. It ignores build errors, because the build of the program reports them.
func inlinable(dir string, flags, packages []string) map[position]bool {
	if len(packages) == 0 {
		return nil
	}
	args := append([]string{"list", "-e", "-export", "-f", "", "-gcflags=-m=2"}, flags...)
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return readInlinable(dir, out)
}

var canInline = regexp.MustCompile(`^(.+\.go):(\d+):(\d+): can inline `)

// readInlinable parses the compiler's diagnostics. Paths in them are absolute or relative to dir.
func readInlinable(dir string, out []byte) map[position]bool {
	found := map[position]bool{}
	for line := range bytes.Lines(out) {
		m := canInline.FindSubmatch(line)
		if m == nil {
			continue
		}
		file := string(m[1])
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		row, _ := strconv.Atoi(string(m[2]))
		column, _ := strconv.Atoi(string(m[3]))
		found[position{file, row, column}] = true
	}
	return found
}

// at returns the function's position as the compiler reports it.
func (f *Function) at() position { return position{filepath.Clean(f.File), f.Line, f.column} }
