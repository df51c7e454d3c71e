package instrument

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// position is a position as the compiler reports it.
type position struct {
	file         string // absolute
	line, column int
}

// inlined holds the compiler's decisions on inlining.
type inlined struct {
	functions map[position]bool
	calls     map[position]bool // their opening parentheses
	exports   map[string]string // files with the types of packages, by import path
}

// findInlined returns the compiler's decisions on inlining in the packages. It runs the compiler; the go command keeps
// the result in its build cache. It ignores build errors, because the build of the program reports them.
func (p *Plan) findInlined() inlined {
	packages := p.paths()
	if len(packages) == 0 {
		return inlined{}
	}
	if slices.Contains(packages, filesPackage) {
		packages = p.options.Packages
	}
	args := []string{"list", "-e", "-deps", "-export", "-f", listExports, "-gcflags=" + askInlined}
	args = append(args, p.withoutC()...)
	args = append(args, p.options.Flags...)
	out, _ := p.options.goCommand(append(args, packages...)...).CombinedOutput()
	return readInlined(p.options.Dir, out)
}

// askInlined are the compiler flags that print the decisions on inlining. The machine code is not used, so it has no
// debugging information, bounds checks and write barriers.
const askInlined = "-m -dwarf=0 -B -wb=0"

// listExports makes the go command print the files with the types of packages, each after exportMark.
const (
	exportMark  = "export of "
	listExports = exportMark + "{{.ImportPath}}\t{{.Export}}"
)

// withoutC returns the flag that replaces the packages' files in C with empty ones: nothing is linked here, and the
// build of the program compiles them. Without such files, or after an error, it returns no flag.
func (p *Plan) withoutC() []string {
	overlay := map[string]string{}
	empty, err := p.write("empty.c", nil)
	for _, l := range p.packages {
		if !p.inOverlay(l) {
			continue
		}
		for _, name := range slices.Concat(l.CFiles, l.CXXFiles, l.MFiles) {
			overlay[filepath.Join(l.Dir, name)] = empty
		}
	}
	if len(overlay) == 0 || err != nil {
		return nil
	}
	name, err := p.writeOverlay(overlaid{Replace: overlay})
	if err != nil {
		return nil
	}
	return []string{"-overlay=" + name}
}

var inlining = regexp.MustCompile(`^(.+\.go):(\d+):(\d+): (can inline|inlining call to) (.*)`)

// readInlined parses the compiler's diagnostics. Paths in them are absolute or relative to dir, "" for the working
// directory.
func readInlined(dir string, out []byte) inlined {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	found := inlined{map[position]bool{}, map[position]bool{}, map[string]string{}}
	for line := range bytes.Lines(out) {
		if rest, ok := bytes.CutPrefix(line, []byte(exportMark)); ok {
			path, file, _ := strings.Cut(strings.TrimSpace(string(rest)), "\t")
			found.exports[path] = file
			continue
		}
		if !bytes.Contains(line, []byte(" inlin")) { // most lines are about escapes
			continue
		}
		m := inlining.FindSubmatch(line)
		if m == nil {
			continue
		}
		file := string(m[1])
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		row, _ := strconv.Atoi(string(m[2]))
		column, _ := strconv.Atoi(string(m[3]))
		if string(m[4]) != "can inline" {
			found.calls[position{file, row, column}] = true
		} else if !isWrapper(m[5]) {
			found.functions[position{file, row, column}] = true
		}
	}
	return found
}

// isWrapper reports whether a function that the compiler inlines only calls a generic one: (*tree[int]).put calls
// (*tree[go.shape.int]).put, which has the body.
func isWrapper(name []byte) bool {
	return bytes.Contains(name, []byte("[")) && !bytes.Contains(name, []byte("[go.shape."))
}

// at returns the function's position as the compiler reports it.
func (f *Function) at() position { return position{filepath.Clean(f.File), f.Line, f.column} }

// isLeaf reports whether the function has no loops, and calls only inlined functions.
func (f *Function) isLeaf(by inlined) bool {
	return !f.shape.loops && !slices.ContainsFunc(f.shape.calls, func(p position) bool { return !by.calls[p] })
}
