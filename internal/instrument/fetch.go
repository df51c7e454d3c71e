package instrument

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Fetch makes a program "pkg@version" the one of the options, as "go run pkg@version" does, and returns its version:
// of "latest", too. The go command refuses overlays in the module cache, so Dir becomes a copy of the module, which
// stays in the cache for later starts. Packages becomes the package. GOWORK must be off, as a workspace may be above
// the copy. Errors name the next step.
func (o *Options) Fetch(program string) (version string, err error) {
	pkg, version, _ := strings.Cut(program, "@")
	if pkg == "" || version == "" || strings.Contains(pkg, "...") {
		const format = "%s: name one program and its version, such as example.com/tools/cmd/tool@latest"
		return "", fmt.Errorf(format, program)
	}
	m, err := o.moduleOf(pkg, version)
	if err != nil {
		return "", fmt.Errorf("%s: %w\nName a program and a version that exist; go list -m -versions MODULE lists "+
			"the versions of a module", program, err)
	}
	if err := o.isWhole(m); err != nil {
		return "", err
	}
	base, err := o.cacheBase()
	if err != nil {
		return "", err
	}
	id := m.Path + "@" + m.Version
	to := filepath.Join(base, "versions", fmt.Sprintf("%.16x", sha256.Sum256([]byte(id))), filepath.Base(m.Path))
	if err := makeOnce(to, m.copyTo); err != nil {
		return "", fmt.Errorf("a copy of %s: %w", id, err)
	}
	o.Dir, o.Packages = to, []string{pkg}
	o.Flags = append([]string{updateSums}, o.Flags...)
	return m.Version, nil
}

// updateSums lets the go command add to the go.sum of a copy: as with go run, what it lacks is no error.
const updateSums = "-mod=mod"

// moduleOf returns the module of a package, in the module cache. The go command finds it for a module of no one.
func (o *Options) moduleOf(pkg, version string) (*listedModule, error) {
	dir, err := os.MkdirTemp("", "iprof-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in := Options{Dir: dir, Context: o.Context}
	if _, err := in.command("mod", "init", "iprof.invalid/fetch"); err != nil {
		return nil, err
	}
	if _, err := in.command("get", pkg+"@"+version); err != nil {
		return nil, err
	}
	out, err := in.command("list", updateSums, "-json=Module", pkg)
	if err != nil {
		return nil, err
	}
	var l listed
	if err := json.Unmarshal(out, &l); err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	if l.Module == nil || l.Module.Dir == "" {
		return nil, fmt.Errorf("no module has the package %s", pkg)
	}
	return l.Module, nil
}

// isWhole returns an error if the module would be another one as the main module than as a dependency. go run refuses
// it, too.
func (o *Options) isWhole(m *listedModule) error {
	out, err := o.command("mod", "edit", "-json", m.GoMod)
	if err != nil {
		return err
	}
	var mod struct{ Replace, Exclude []any }
	if err := json.Unmarshal(out, &mod); err != nil {
		return fmt.Errorf("go mod edit: %w", err)
	}
	if len(mod.Replace)+len(mod.Exclude) > 0 {
		return fmt.Errorf("the go.mod of %s@%s has replace or exclude directives, with which go run refuses it, too; "+
			"clone its repository, and use iprof run there", m.Path, m.Version)
	}
	return nil
}

// copyTo copies the module. A module from before modules has no go.mod but in the module cache.
func (m *listedModule) copyTo(dir string) error {
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return err
	}
	text, err := os.ReadFile(m.GoMod)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o644)
}
