package instrument

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Build has the flags and environment with which the go command builds the program with its zones.
type Build struct {
	Dir         string   // folder of the rewritten files
	Program     string   // file name of the program
	Flags       []string // for go build, run and test
	Environment []string // in addition to the process's own
	Command     string   // the go command; "" is the one in PATH

	// Inputs is a digest of all that the program is built from but for flags that are no Options. It is "" if that is
	// not known: of a plan that is not stored, and of programs with files besides Go.
	Inputs string

	originals map[string]string // rewritten file to the program's own
	from      string            // the go command's working directory, absolute
	holds     func() bool       // what Inputs says is still the same; nil without Inputs
}

// Original returns the go command's output with the names of rewritten files replaced by those of the program's own
// files. The go command writes names from its working directory where that is shorter.
func (b *Build) Original(text string) string {
	for path, own := range b.originals {
		text = strings.ReplaceAll(text, path, own)
		if short, err := filepath.Rel(b.from, path); err == nil {
			text = strings.ReplaceAll(text, short, own)
		}
	}
	return text
}

// Write writes the rewritten files and the overlay. It keeps files that have not changed, for the go
// command's build cache. It writes nothing to the program's own folders.
func (p *Plan) Write() (*Build, error) {
	path := filepath.Join(p.dir, "overlay.json")
	b := &Build{Dir: p.dir, Flags: []string{"-overlay=" + path}, originals: map[string]string{}, Program: p.program()}
	if err := p.reachRoot(b); err != nil {
		return nil, err
	}
	if p.options.Cover {
		flag, err := coverFlag(path)
		if err != nil {
			return nil, err
		}
		b.Flags = append(b.Flags, flag)
	}
	overlay, err := p.writeFiles(filepath.Join(p.dir, "files"))
	if err != nil {
		return nil, err
	}
	for own, rewritten := range overlay {
		b.originals[rewritten] = own
	}
	if err := p.writeStarters(filepath.Join(p.dir, "files"), overlay); err != nil {
		return nil, err
	}
	if err := p.replaceModules(overlay, b); err != nil {
		return nil, err
	}
	if err := p.addProfiler(overlay); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": overlay}, "", "\t")
	if err != nil {
		return nil, err
	}
	if err := writeChanged(path, text); err != nil {
		return nil, err
	}
	if b.from, err = filepath.Abs(p.options.Dir); err != nil {
		return nil, err
	}
	return b, nil
}

// program returns the name that go build would give the program.
func (p *Plan) program() string {
	name := "program"
	if n := len(p.Programs); n > 0 {
		name = lastElement(p.Programs[n-1])
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// cacheDir returns the folder for the files of this program's main module, and creates it.
func (p *Plan) cacheDir() (string, error) {
	base, err := p.options.cacheBase()
	if err != nil {
		return "", err
	}
	name := "program"
	if p.main != nil {
		name = fmt.Sprintf("%s-%08x", filepath.Base(p.main.Path), hash(p.main.Dir))
	}
	dir := filepath.Join(base, name)
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o755); err != nil {
		return "", fmt.Errorf("%w; set XDG_CACHE_HOME to a folder that can be written", err)
	}
	return dir, nil
}

// cacheBase returns the folder for the files of all programs.
func (o *Options) cacheBase() (string, error) {
	if o.Cache != "" {
		return o.Cache, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory: %w; set XDG_CACHE_HOME to a folder that can be written", err)
	}
	return filepath.Join(user, "iprof"), nil
}

// writeFiles writes the rewritten files and returns the overlay, which maps the program's own files to them.
func (p *Plan) writeFiles(dir string) (map[string]string, error) {
	overlay := map[string]string{}
	paths, failures := make([]string, len(p.sources)), make([]error, len(p.sources))
	parallel(len(p.sources), func(i int) {
		s := p.sources[i]
		if s.copied {
			return
		}
		text, changed := s.rewrite(p)
		if !changed {
			return
		}
		path := filepath.Join(dir, fmt.Sprintf("%08x_%s", hash(filepath.Dir(s.path)), filepath.Base(s.path)))
		paths[i], failures[i] = path, writeChanged(path, text)
		if p.options.Cover && failures[i] == nil {
			failures[i] = s.writeInsertions(path)
		}
	})
	for i, path := range paths {
		if path != "" {
			overlay[p.sources[i].path] = path
		}
	}
	return overlay, errors.Join(failures...)
}

// writeChanged writes a file unless it has that text already. Others see the old text or the new one.
func writeChanged(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	scratch := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(scratch, text, 0o644); err != nil {
		return err
	}
	return os.Rename(scratch, path)
}
