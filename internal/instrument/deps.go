package instrument

import (
	"fmt"
	"os"
	"path/filepath"
)

// copyModule copies a dependency out of the module cache, adds its rewritten files to the overlay, and replaces the
// module with the copy: the go command refuses overlays in the module cache. The copy itself never changes.
func (p *Plan) copyModule(overlay map[string]string, path string, replaced map[string]string) error {
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
	to := filepath.Join(p.dir, "copies", fmt.Sprintf("%s-%08x", filepath.Base(path), hash(from)))
	err := makeOnce(to, func(scratch string) error { return os.CopyFS(scratch, os.DirFS(from)) })
	if err == nil {
		err = p.rewriteCopy(overlay, from, to)
	}
	if err != nil {
		return fmt.Errorf("-deps %s: %w", path, err)
	}
	replaced[path] = to
	return nil
}

// leaveOurs removes the zones from packages that the profiler itself imports. They cannot import the profiler.
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
		s.dependency = ours[s.pkg] && !s.std
		if !s.dependency {
			continue
		}
		for _, f := range s.list {
			f.skip = "the profiler itself uses its package"
		}
	}
	return nil
}

// rewriteCopy adds the module's files with the chosen zones to the overlay, in place of those of its copy. A line
// directive keeps the original paths in stack traces.
func (p *Plan) rewriteCopy(overlay map[string]string, from, to string) error {
	for _, s := range p.sources {
		name, err := filepath.Rel(from, s.path)
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		own := filepath.Join(to, name)
		if _, err := os.Stat(own); err != nil {
			continue // belongs to a module inside this one
		}
		line := "//line " + s.path + ":1\n"
		path, err := p.writeSource(s, own, line)
		if path == "" && err == nil {
			path, err = p.write(own, append([]byte(line), s.text...))
		}
		if err != nil {
			return err
		}
		overlay[own] = path
	}
	return nil
}
