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
)

// stored is what an earlier start chose and wrote, as JSON in the cache. It holds as long as the digests are the same.
type stored struct {
	Plan      *Plan
	Build     *Build
	Originals map[string]string
	Files     map[string]string // digests of files read and written; "" if there is no such file
	Folders   map[string]string // digests of all Go files in the packages' folders
	Whole     bool              // Files and Folders are all that decides what is built
}

// Start is Plan and Write. It takes both from an earlier start if nothing has changed since: the program's files, the
// options, the environment, the go command and this program. Such a plan has no Functions.
func (o Options) Start() (*Plan, *Build, error) {
	name := o.storedName()
	if s := readStored(name); s != nil {
		s.Build.from, _ = filepath.Abs(o.Dir)
		return s.Plan, s.Build, nil
	}
	plan, err := o.Plan()
	if err != nil {
		return nil, nil, err
	}
	build, err := plan.Write()
	if err != nil {
		return nil, nil, err
	}
	if name != "" && len(plan.painters) == 0 {
		plan.store(build, name)
	}
	return plan, build, nil
}

// storedName returns the file for a start with these options, or "" if none is stored. What is copied or matches "..."
// may change unseen.
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

// readStored returns what an earlier start stored if it still holds, or nil.
func readStored(name string) *stored {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	s := new(stored)
	if json.Unmarshal(text, s) != nil || s.Plan == nil || s.Build == nil {
		return nil
	}
	if !unchanged(s.Files, fileDigest) || !unchanged(s.Folders, folderDigest) {
		return nil
	}
	s.Build.originals = s.Originals
	s.setInputs(name, text)
	return s
}

// setInputs sets what Build says of all that the program is built from. The text is that of s, stored under the name.
func (s *stored) setInputs(name string, text []byte) {
	if s.Whole {
		s.Build.Inputs = fmt.Sprintf("%x", sha256.Sum256(append([]byte(name), text...)))
	}
}

func unchanged(digests map[string]string, digest func(string) string) bool {
	paths := slices.Collect(maps.Keys(digests))
	same := make([]bool, len(paths))
	parallel(len(paths), func(i int) { same[i] = digest(paths[i]) == digests[paths[i]] })
	return !slices.Contains(same, false)
}

// store writes what a later start takes. Errors are dropped: the later start then plans by itself.
func (p *Plan) store(b *Build, name string) {
	s := stored{Build: b, Originals: b.originals, Files: map[string]string{}, Folders: map[string]string{}}
	short := *p
	short.Functions = nil
	s.Plan = &short
	for _, path := range append(p.moduleFiles(), p.Learned, filepath.Join(p.dir, "overlay.json")) {
		s.Files[path] = fileDigest(path)
	}
	for rewritten := range b.originals {
		s.Files[rewritten] = fileDigest(rewritten)
	}
	s.Whole = true
	for _, l := range p.locals {
		s.Folders[l.Dir] = folderDigest(l.Dir)
		s.Whole = s.Whole && l.isGoAlone() && l.Error == nil
	}
	for _, l := range p.packages {
		s.Folders[l.Dir] = folderDigest(l.Dir)
	}
	for _, dir := range p.profiler {
		s.Folders[dir] = folderDigest(dir)
	}
	text, err := json.Marshal(s)
	if err != nil || os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	if os.WriteFile(name, text, 0o644) == nil {
		s.setInputs(name, text)
	}
}

// moduleFiles returns the files that decide which packages the go command builds, there or not: those of the modules,
// and those that it looks for in the working directory and above.
func (p *Plan) moduleFiles() (paths []string) {
	dirs := map[string]bool{}
	for _, l := range p.packages {
		if l.Module != nil {
			dirs[l.Module.Dir] = true
		}
	}
	if module, err := p.profilerDir(); err == nil {
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

// fileDigest is a hash of a file, or "" if it cannot be read.
func fileDigest(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// folderDigest is a hash of the contents of all Go files in a folder, not below it, and of the names of all files.
func folderDigest(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	all := sha256.New()
	for _, e := range entries {
		digest := ""
		if filepath.Ext(e.Name()) == ".go" {
			digest = fileDigest(filepath.Join(dir, e.Name()))
		}
		fmt.Fprintf(all, "%q %s\n", e.Name(), digest)
	}
	return fmt.Sprintf("%x", all.Sum(nil))
}
