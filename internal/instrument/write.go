package instrument

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Build holds the flags and environment for building the program with its zones.
type Build struct {
	Dir         string   // folder of the rewritten files
	Program     string   // file name of the program
	Flags       []string // for go build, run and test, behind other flags
	Environment []string // in addition to the process's own
	Command     string   // the go command; "" is the one in PATH

	// Inputs is a digest of all inputs of the build, except for flags outside Options. It is "" if unknown: for a plan
	// that is not stored, and for programs with files besides Go.
	Inputs string

	overlay   string            // file name
	originals map[string]string // rewritten file to the program's own
	from      string            // the go command's working directory, absolute
	holds     func() bool       // the inputs still match Inputs; nil without Inputs
}

// Original replaces the names of rewritten files in the go command's output with the names of the program's own files.
// The go command writes names relative to its working directory if that is shorter.
func (b *Build) Original(text string) string {
	for path, own := range b.originals {
		text = strings.ReplaceAll(text, path, own)
		if short, err := filepath.Rel(b.from, path); err == nil {
			text = strings.ReplaceAll(text, short, own)
		}
	}
	return text
}

// Write writes the rewritten files and the overlay. It keeps unchanged files, for the go command's build cache. It
// writes nothing to the program's own folders.
func (p *Plan) Write() (*Build, error) {
	b := &Build{Dir: p.dir, originals: map[string]string{}, Program: p.program()}
	if err := p.reachRoot(b); err != nil {
		return nil, err
	}
	o := overlaid{Replace: map[string]string{}}
	if err := p.writeFiles(o.Replace); err != nil {
		return nil, err
	}
	for own, rewritten := range o.Replace {
		b.originals[rewritten] = own
	}
	if err := p.writeHook(o.Replace); err != nil {
		return nil, err
	}
	if err := p.replaceModules(&o, b); err != nil {
		return nil, err
	}
	if err := p.addProfiler(o.Replace, b); err != nil {
		return nil, err
	}
	var err error
	if b.overlay, err = p.writeOverlay(o); err != nil {
		return nil, err
	}
	b.Flags = append(b.Flags, "-overlay="+b.overlay)
	if p.options.Cover || p.embedsSource(o.Replace) {
		flag, err := toolFlag(b.overlay)
		if err != nil {
			return nil, err
		}
		b.Flags = append(b.Flags, flag)
	}
	if b.from, err = filepath.Abs(p.options.Dir); err != nil {
		return nil, err
	}
	p.trim()
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
	if err := os.MkdirAll(filepath.Join(dir, filesFolder), 0o755); err != nil {
		return "", unusable(err)
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
		return "", unusable(fmt.Errorf("no cache directory: %w", err))
	}
	return filepath.Join(user, "iprof"), nil
}

// unusable names the variable for another cache.
func unusable(err error) error {
	variable := "XDG_CACHE_HOME"
	switch runtime.GOOS {
	case "windows":
		variable = "LocalAppData"
	case "darwin":
		variable = "HOME"
	}
	return fmt.Errorf("%w; set %s to a folder that can be written", err, variable)
}

// writeFiles writes the rewritten files and adds them to the overlay, which maps the program's own files to them.
func (p *Plan) writeFiles(overlay map[string]string) error {
	paths, failures := make([]string, len(p.sources)), make([]error, len(p.sources))
	parallel(len(p.sources), func(i int) {
		if s := p.sources[i]; !s.copied {
			paths[i], failures[i] = p.writeSource(s, s.path, "")
		}
	})
	for i, path := range paths {
		if path != "" {
			overlay[p.sources[i].path] = path
		}
	}
	return errors.Join(failures...)
}

// writeSource writes a rewritten file after the text before, and returns its path, "" for an unchanged file. own is the
// file that it replaces.
func (p *Plan) writeSource(s *source, own, before string) (string, error) {
	text, changed := s.rewrite(p)
	if !changed {
		return "", nil
	}
	path, err := p.write(own, append([]byte(before), text...))
	if p.options.Cover && err == nil {
		err = s.writeInsertions(path)
	}
	return path, err
}
