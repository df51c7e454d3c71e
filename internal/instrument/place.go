package instrument

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The profiler is no module of the program. The overlay puts its packages into the standard library of the Go
// installation that builds the program. So go.mod, go.sum, vendor/modules.txt, a go.work and the versions of all
// dependencies stay the program's own, whatever the flags and the environment. The import paths of these packages begin
// with placed. No file of the installation changes.
//
// If the program itself imports the profiler as a module, its zones use that module: see linked.go.
const placed = "iprofrun/"

// exitPackage runs a function when the program ends. Only the standard library may import its dependency.
const (
	exitPackage = placed + "exit"
	exitText    = `// Package exit runs functions when the program ends.
package exit

import "internal/runtime/exithook"

// Add makes f run when main returns, and when anything calls os.Exit.
func Add(f func()) { exithook.Add(exithook.Hook{F: f, RunOnFailure: true}) }
`
)

// The go command runs the assembler in the package's folder, which must exist. So a package with assembly gets the
// import path of an existing folder of the standard library that contains no package. All installations have these
// folders.
var assemblyHomes = []string{"archive", "compress", "container", "database", "debug", "index"}

// place returns the import path by which the rewritten program imports a package of the profiler.
func (p *Plan) place(path string) string {
	switch home := p.homes[path]; {
	case p.linked:
		return path
	case home != "":
		return home
	case path == quietPackage: // packages with such a home import it, too, so it must not be internal there
		return placed + profilerModule + "/quiet"
	}
	return placed + path
}

// findHomes gives the packages with assembly their folders.
func (p *Plan) findHomes(packages map[string]*ownPackage) error {
	p.homes = map[string]string{}
	free := slices.Clone(assemblyHomes)
	for _, path := range sortedKeys(packages) {
		if len(packages[path].SFiles) == 0 {
			continue
		}
		if len(free) == 0 {
			return errors.New("the profiler has more packages with assembly than there are places for them")
		}
		p.homes[path], free = free[0], free[1:]
	}
	return nil
}

// ownPackage is a package of the profiler, as "go list -json" prints it.
type ownPackage struct {
	ImportPath, Dir     string
	Standard            bool
	GoFiles, SFiles     []string
	HFiles, EmbedFiles  []string
	CgoFiles            []string
	Imports             []string
	Error               *struct{ Err string }
	DepsErrors          []struct{ Err string }
	Incomplete, DepOnly bool
}

// addProfiler adds the profiler's packages to the overlay. It copies their files into the cache, with the placed import
// paths.
func (p *Plan) addProfiler(overlay map[string]string, b *Build) error {
	add := func(path, name string, text []byte) (err error) {
		own := filepath.Join(p.env.GOROOT, "src", filepath.FromSlash(path), name)
		overlay[own], err = p.write(own, text)
		return err
	}
	if err := add(exitPackage, "exit.go", []byte(exitText)); err != nil || p.linked {
		return err
	}
	packages, err := p.profilerPackages()
	if err != nil {
		return err
	}
	if err := p.findHomes(packages); err != nil {
		return err
	}
	races := p.findsRaces()
	if races {
		b.Flags = append(b.Flags, p.unseenFlags(packages)...)
	}
	for _, l := range packages {
		names := slices.Concat(l.GoFiles, l.SFiles, l.HFiles, l.EmbedFiles)
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(l.Dir, name))
			if races && l.ImportPath == quietPackage && name == quietFile {
				text = []byte(quietText)
			}
			if err == nil && strings.HasSuffix(name, ".go") {
				text, err = p.placeImports(text, packages)
			}
			if err == nil {
				err = add(p.place(l.ImportPath), name, text)
			}
			if err != nil {
				return err
			}
		}
		p.profiler = append(p.profiler, l.Dir)
	}
	return nil
}

// profilerPackages lists the profiler's packages for the program, by import path, without the standard library.
func (p *Plan) profilerPackages() (map[string]*ownPackage, error) {
	dir, err := p.options.ProfilerDir()
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,SFiles,HFiles,EmbedFiles,CgoFiles,Imports"}
	args = append(append(args, p.kindFlags()...), autoPackage)
	cmd := p.options.goCommand(append(args, p.options.Imports...)...)
	cmd.Dir = dir
	mode := "-mod=readonly"
	if _, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt")); err == nil {
		mode = "-mod=vendor"
	}
	cmd.Env = append(os.Environ(), "GOFLAGS="+mode, "GOWORK=off", "GOROOT="+p.env.GOROOT, "GOTOOLCHAIN=local")
	out, err := output(cmd)
	if err != nil && strings.Contains(err.Error(), "module cache") {
		return nil, fmt.Errorf("%w; set GOMODCACHE to a folder that can be written", err)
	}
	if err != nil {
		return nil, fmt.Errorf("the profiler's packages: %w", err)
	}
	list := map[string]*ownPackage{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		l := new(ownPackage)
		if err := d.Decode(l); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if !l.Standard {
			list[l.ImportPath] = l
		}
	}
	return list, nil
}

// kindFlags returns the flags, including those of GOFLAGS, that choose which of the profiler's files are built.
func (p *Plan) kindFlags() (flags []string) {
	kinds := []string{"-tags", "-race", "-msan", "-asan"}
	for _, flag := range append(strings.Fields(p.env.GOFLAGS), p.options.Flags...) {
		name, _, _ := strings.Cut("-"+strings.TrimLeft(flag, "-"), "=")
		if slices.Contains(kinds, name) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// placeImports replaces the import paths of the packages with the placed ones.
func (p *Plan) placeImports(text []byte, packages map[string]*ownPackage) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	e := &edits{source: text}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err == nil && packages[path] != nil {
			at, end := fset.PositionFor(i.Path.Pos(), false).Offset, fset.PositionFor(i.Path.End(), false).Offset
			e.replace(at, end, strconv.Quote(p.place(path)))
		}
	}
	return e.bytes(), nil
}

// environment is the output of go env in the program's folder.
type environment struct {
	GOROOT, GOVERSION, GOMODCACHE, GOWORK, GOMOD, GOFLAGS string
}

// leastVersion is the oldest version of Go 1 that can build the profiler.
const leastVersion = 25

// readEnvironment asks the go command.
func (o *Options) readEnvironment() (e environment, err error) {
	out, err := o.command("env", "-json", "GOROOT", "GOVERSION", "GOMODCACHE", "GOWORK", "GOMOD", "GOFLAGS")
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(out, &e); err != nil {
		return e, fmt.Errorf("go env: %w", err)
	}
	if n := minorVersion(e.GOVERSION); n > 0 && n < leastVersion {
		return e, fmt.Errorf("the program is built by %s, and the profiler needs go1.%d or newer; "+
			"set GOTOOLCHAIN=go1.%[2]d.0 or a newer one", e.GOVERSION, leastVersion)
	}
	return e, nil
}

// minorVersion returns 26 for "go1.26.1", and 0 if version is no release.
func minorVersion(version string) int {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	return n
}

// reachRoot makes a link to the Go installation if that is in the module cache, where the go command refuses overlays.
// Build then names the go command through the link.
func (p *Plan) reachRoot(b *Build) error {
	if !isBelow(p.env.GOROOT, p.env.GOMODCACHE) {
		return nil
	}
	base, err := p.options.cacheBase()
	if err != nil {
		return err
	}
	link := filepath.Join(base, "toolchains", filepath.Base(p.env.GOROOT))
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	if to, err := os.Readlink(link); err != nil || to != p.env.GOROOT {
		if err := replaceLink(p.env.GOROOT, link); err != nil {
			return err
		}
	}
	p.env.GOROOT = link
	b.Command = filepath.Join(link, "bin", "go")
	if runtime.GOOS == "windows" {
		b.Command += ".exe"
	}
	b.Environment = append(b.Environment, "GOROOT="+link, "GOTOOLCHAIN=local")
	return nil
}

// replaceLink makes or replaces a link atomically: another start finds the old one or the new one.
func replaceLink(to, link string) error {
	scratch, err := os.MkdirTemp(filepath.Dir(link), scratchStart)
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	name := filepath.Join(scratch, "link")
	if err := os.Symlink(to, name); err != nil {
		return err
	}
	return os.Rename(name, link)
}

// isBelow reports whether a path is inside a folder.
func isBelow(path, dir string) bool {
	name, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && filepath.IsLocal(name)
}

var errNoSources = errors.New("this iprof carries no sources of " + profilerModule + ", and they are not where it " +
	"was built; name their folder with -module DIR, or build iprof with make build")
