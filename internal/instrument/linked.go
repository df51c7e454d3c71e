package instrument

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A program that imports the profiler has it as a module, and its own zones nest in those of functions. So the zones of
// functions come from that module, too, in the version of this command.

// findLinked sets linked if the program imports the profiler, or is part of it.
func (p *Plan) findLinked(all []*listed) {
	for _, l := range all {
		if !l.Standard && l.Module != nil && l.Module.Path == profilerModule {
			p.linked, p.linkedTo = true, l.Module.Dir
			if l.Module.Replace != nil && l.Module.Replace.Dir != "" {
				p.linkedTo = l.Module.Replace.Dir
			}
		}
	}
}

// replaceModules makes the go command take other folders for modules: that of the profiler where the program imports
// another version of it, and copies of dependencies that get zones. The overlay gives it a changed go.mod, or a changed
// go.work.
func (p *Plan) replaceModules(overlay map[string]string, b *Build) error {
	replaced := map[string]string{}
	if p.linked && !p.isOurModule() {
		dir, err := p.options.ProfilerDir()
		if err != nil {
			return err
		}
		if dir != p.linkedTo {
			replaced[profilerModule] = dir
		}
	}
	for _, path := range p.options.Deps {
		if err := p.copyModule(b, path, replaced); err != nil {
			return err
		}
	}
	if len(replaced) == 0 {
		return nil
	}
	verb, own := "mod", p.env.GOMOD
	if p.isWorkspace() {
		verb, own = "work", p.env.GOWORK
	}
	changed := filepath.Join(b.Dir, filepath.Base(own))
	if err := p.editModules(verb, own, changed, replaced); err != nil {
		return err
	}
	if replaced[profilerModule] == "" || p.isWorkspace() {
		overlay[own] = changed
		return nil
	}
	// Another version of the profiler may need others of its dependencies.
	if err := copyFile(filepath.Join(filepath.Dir(own), "go.sum"), filepath.Join(b.Dir, "go.sum")); err != nil {
		return err
	}
	b.Flags = append(b.Flags, "-modfile="+changed, "-mod=mod")
	return nil
}

// editModules writes a copy of a go.mod or go.work file with other folders for modules.
func (p *Plan) editModules(verb, own, changed string, replaced map[string]string) error {
	if err := copyFile(own, changed); err != nil {
		return err
	}
	args := []string{verb, "edit"}
	for _, path := range sortedKeys(replaced) {
		args = append(args, "-replace="+path+"="+replaced[path])
		for _, l := range p.packages {
			if l.Module != nil && l.Module.Path == path && l.Module.Replace != nil && l.Module.Version != "" {
				args = append(args, "-dropreplace="+path+"@"+l.Module.Version)
				break
			}
		}
	}
	_, err := p.options.command(append(args, changed)...)
	return err
}

// isWorkspace reports whether a go.work file is in force.
func (p *Plan) isWorkspace() bool { return p.env.GOWORK != "" && p.env.GOWORK != "off" }

// isOurModule reports whether the program is part of the profiler's module.
func (p *Plan) isOurModule() bool {
	return slices.ContainsFunc(p.packages, func(l *listed) bool {
		return l.Module != nil && l.Module.Main && l.Module.Path == profilerModule
	})
}

// copyFile copies a file. One that is not there is empty.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
