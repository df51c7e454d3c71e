package instrument

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A program that imports the profiler has it as a module, and its own zones nest in the zones of functions. So the
// zones of functions use that module, too, in the version of this command.

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

// replaceModules replaces folders of modules: the profiler's, if the program imports another version, and those of
// dependencies with zones. It puts a changed go.mod or go.work into the overlay.
func (p *Plan) replaceModules(o *overlaid, b *Build) error {
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
		if err := p.copyModule(o.Replace, path, replaced); err != nil {
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
	changed, err := p.editModules(verb, own, replaced)
	if err != nil {
		return err
	}
	o.Modules = filepath.Dir(changed)
	if replaced[profilerModule] == "" || p.isWorkspace() {
		o.Replace[own] = changed
		return nil
	}
	// Another version of the profiler may need other versions of its dependencies: go.sum is beside the changed file.
	b.Flags = append(b.Flags, "-modfile="+changed, "-mod=mod")
	return nil
}

// editModules returns a copy of a go.mod or go.work file with other folders for modules. It lies in a separate folder,
// because the go command may change it and go.sum beside it.
func (p *Plan) editModules(verb, own string, replaced map[string]string) (changed string, err error) {
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
	sums := filepath.Join(filepath.Dir(own), "go.sum")
	sum := sha256.Sum256(fmt.Append(nil, args, own, fileDigest(own), fileDigest(sums)))
	dir := filepath.Join(p.dir, modulesFolder, fmt.Sprintf("%.8x", sum))
	err = makeOnce(dir, func(scratch string) error {
		file := filepath.Join(scratch, filepath.Base(own))
		if err := os.Mkdir(scratch, 0o755); err != nil {
			return err
		}
		if err := errors.Join(copyFile(own, file), copyFile(sums, filepath.Join(scratch, "go.sum"))); err != nil {
			return err
		}
		_, err := p.options.command(append(args, file)...)
		return err
	})
	use(dir)
	return filepath.Join(dir, filepath.Base(own)), err
}

// isWorkspace reports whether a go.work file is in force.
func (p *Plan) isWorkspace() bool { return p.env.GOWORK != "" && p.env.GOWORK != "off" }

// isOurModule reports whether the program is part of the profiler's module.
func (p *Plan) isOurModule() bool {
	return slices.ContainsFunc(p.packages, func(l *listed) bool {
		return l.Module != nil && l.Module.Main && l.Module.Path == profilerModule
	})
}

// copyFile copies a file. A missing file counts as empty.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
