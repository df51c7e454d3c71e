package instrument

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// copyModule copies a dependency in the module cache, writes its rewritten files into the copy, and adds the copy to
// those that replace modules. An overlay is not possible, because the go command refuses overlays in the module cache.
func (p *Plan) copyModule(b *Build, path string, replaced map[string]string) error {
	var module *listedModule
	for _, l := range p.packages {
		if l.Module != nil && l.Module.Path == path {
			module = l.Module
		}
	}
	if module == nil || module.Dir == "" || !isBelow(module.Dir, p.env.GOMODCACHE) {
		return nil // the overlay has its files
	}
	from := module.Dir
	to := filepath.Join(b.Dir, "deps", fmt.Sprintf("%s-%08x", filepath.Base(path), hash(from)))
	if _, err := os.Stat(to); errors.Is(err, fs.ErrNotExist) {
		if err := copyTree(from, to); err != nil {
			return fmt.Errorf("-deps %s: %w", path, err)
		}
	}
	if err := p.rewriteCopy(from, to); err != nil {
		return fmt.Errorf("-deps %s: %w", path, err)
	}
	replaced[path] = to
	return nil
}

// copyTree copies a module. It copies to a scratch folder first, so an interrupted copy is never used.
func copyTree(from, to string) error {
	scratch := to + ".part"
	if err := os.RemoveAll(scratch); err != nil {
		return err
	}
	if err := os.CopyFS(scratch, os.DirFS(from)); err != nil {
		return err
	}
	return os.Rename(scratch, to)
}

// leaveOurs takes the zones from packages that the profiler itself imports. They cannot import the profiler.
func (p *Plan) leaveOurs() error {
	if len(p.options.Deps) == 0 || !p.linked {
		return nil
	}
	dir, err := p.options.ProfilerDir()
	if err != nil {
		return err
	}
	ours, err := dependencies(dir, append([]string{autoPackage}, p.options.Imports...)...)
	if err != nil {
		return err
	}
	for _, s := range p.sources {
		if s.ours = ours[s.pkg] && !s.std; !s.ours {
			continue
		}
		for _, f := range s.list {
			f.skip = "the profiler itself uses its package"
		}
	}
	return nil
}

// rewriteCopy writes the module's files into its copy, with the chosen zones. A line directive keeps the original paths
// in stack traces.
func (p *Plan) rewriteCopy(from, to string) error {
	for _, s := range p.sources {
		name, err := filepath.Rel(from, s.path)
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		text, changed := s.rewrite(p)
		if !changed {
			text = s.text
		}
		text = append([]byte("//line "+s.path+":1\n"), text...)
		path := filepath.Join(to, name)
		if err := os.Chmod(path, 0o644); errors.Is(err, fs.ErrNotExist) {
			continue // of a module inside this one
		} else if err != nil {
			return err
		}
		if err := writeChanged(path, text); err != nil {
			return err
		}
	}
	return nil
}
