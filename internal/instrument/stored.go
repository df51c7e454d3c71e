package instrument

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stored is the result of an earlier start, as JSON in the cache. It is valid while the digests are the same.
type stored struct {
	Plan      *Plan
	Build     *Build
	Originals map[string]string
	Overlay   string
	Files     map[string]string // digests of files read and written; "" for a missing file
	Folders   map[string]string // digests of all Go files in the packages' folders
	Whole     bool              // Files and Folders are all inputs of the build
}

// Start is Plan and Write. It takes both from an earlier start if nothing has changed since: the program's files, the
// options, the environment, the go command and this program. Such a plan has no Functions.
func (o Options) Start() (*Plan, *Build, error) {
	name := o.storedName()
	d := readDigests(name)
	defer d.keep()
	if s := readStored(name, d); s != nil {
		s.Build.from, _ = filepath.Abs(o.Dir)
		return s.Plan, s.Build, nil
	}
	time.Sleep(tick) // files that change from now on are newer than d
	plan, err := o.Plan()
	if err != nil {
		return nil, nil, err
	}
	build, err := plan.Write()
	if err != nil {
		return nil, nil, err
	}
	if name != "" && len(plan.painters) == 0 {
		plan.store(build, name, d)
	}
	return plan, build, nil
}

// storedName returns the file for a start with these options, or "" if the start cannot be stored: copied modules and
// matches of "..." may change undetected.
func (o *Options) storedName() string {
	matches := func(pattern string) bool { return strings.Contains(pattern, "...") }
	if len(o.Deps) > 0 || o.Relearn || slices.ContainsFunc(o.Packages, matches) {
		return ""
	}
	base, err := o.cacheBase()
	if err != nil {
		return ""
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return ""
	}
	program, _ := os.Executable()
	command, _ := exec.LookPath("go")
	key := []any{dir, *o, fmt.Sprint(o.Selection.Include, o.Selection.Exclude), stamp(program), stamp(command)}
	for _, variable := range os.Environ() {
		for _, prefix := range []string{"GO", "CGO_", "CC=", "CXX=", "PATH=", "HOME=", "XDG_", "PKG_CONFIG"} {
			if strings.HasPrefix(variable, prefix) {
				key = append(key, variable)
			}
		}
	}
	text, err := json.Marshal(key)
	if err != nil {
		return ""
	}
	return filepath.Join(base, "starts", fmt.Sprintf("%x.json", sha256.Sum256(text)))
}

// stamp tells two versions of a program apart.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
}

// readStored returns the valid result of an earlier start, or nil.
func readStored(name string, d *digests) *stored {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	s := new(stored)
	if json.Unmarshal(text, s) != nil || s.Plan == nil || s.Build == nil {
		return nil
	}
	use(s.Overlay)
	if !s.holds(d) {
		return nil
	}
	s.Build.originals = s.Originals
	s.setInputs(name, text, d)
	return s
}

// holds reports whether the inputs of s are unchanged.
func (s *stored) holds(d *digests) bool {
	return unchanged(s.Files, d.ofFile) && unchanged(s.Folders, d.ofFolder)
}

// setInputs sets Build.Inputs. text is s as JSON, stored in the file name.
func (s *stored) setInputs(name string, text []byte, d *digests) {
	if s.Whole {
		s.Build.Inputs = fmt.Sprintf("%x", sha256.Sum256(append([]byte(name), text...)))
		s.Build.holds = func() bool { return s.holds(d) }
	}
}

// Holds reports whether the inputs of the build still match Inputs. A program built during a change of a file may be
// neither the old one nor the new one.
func (b *Build) Holds() bool { return b.Inputs != "" && b.holds() }

func unchanged(digests map[string]string, digest func(string) string) bool {
	paths := slices.Collect(maps.Keys(digests))
	same := make([]bool, len(paths))
	parallel(len(paths), func(i int) { same[i] = digest(paths[i]) == digests[paths[i]] })
	return !slices.Contains(same, false)
}

// store writes the result for later starts, unless a file has changed since this start began: the plan may come from
// the old text. It ignores errors: the later start then makes its own plan.
func (p *Plan) store(b *Build, name string, d *digests) {
	s := stored{Build: b, Originals: b.originals, Overlay: b.overlay, Files: map[string]string{},
		Folders: map[string]string{}}
	short := *p
	short.Functions = nil
	s.Plan = &short
	for _, path := range append(p.moduleFiles(), p.Learned) {
		s.Files[path] = d.ofFile(path)
	}
	s.Whole = true
	for _, l := range p.locals {
		s.Folders[l.Dir] = d.ofFolder(l.Dir)
		s.Whole = s.Whole && l.isGoAlone() && l.Error == nil
	}
	for _, l := range p.packages {
		s.Folders[l.Dir] = d.ofFolder(l.Dir)
	}
	for _, dir := range p.profiler {
		s.Folders[dir] = d.ofFolder(dir)
	}
	if p.changed(d) {
		return
	}
	for _, path := range append(slices.Collect(maps.Keys(b.originals)), b.overlay) {
		s.Files[path] = d.ofFile(path)
	}
	text, err := json.Marshal(s)
	if err != nil || os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	if writeChanged(name, text) == nil {
		s.setInputs(name, text, d)
	}
}

// changed reports whether a file or folder has changed since the start began. It leaves out iprof's embedded sources,
// which this start may have written.
func (p *Plan) changed(d *digests) bool {
	own := ""
	if len(p.options.Sources) > 0 {
		own, _ = p.options.unpacked()
	}
	return slices.ContainsFunc(d.changed, func(path string) bool { return !isBelow(path, own) })
}

// moduleFiles returns the files that decide which packages the go command builds, whether they exist or not: the files
// of modules, and those for which it searches the working directory and its parents.
func (p *Plan) moduleFiles() (paths []string) {
	dirs := map[string]bool{}
	for _, l := range p.packages {
		if l.Module != nil {
			dirs[l.Module.Dir] = true
		}
	}
	if module, err := p.options.ProfilerDir(); err == nil {
		dirs[module] = true
	}
	dir, _ := filepath.Abs(p.options.Dir)
	for above := ""; dir != above; dir, above = filepath.Dir(dir), dir {
		dirs[dir] = true
	}
	for dir := range dirs {
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	if p.main != nil {
		paths = append(paths, filepath.Join(p.main.Dir, "vendor", "modules.txt"))
	}
	if config, err := os.UserConfigDir(); err == nil {
		paths = append(paths, filepath.Join(config, "go", "env"))
	}
	return paths
}
