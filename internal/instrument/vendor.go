package instrument

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// vendored makes the workspace use copies of the modules in the program's folder vendor. A workspace takes no such
// folder, and the modules may be nowhere else. The modules of -deps get zones. It returns the paths of all.
func (p *Plan) vendored(b *Build, w *workspace, root string) (paths []string, err error) {
	dir := filepath.Join(root, "vendor")
	text, err := os.ReadFile(filepath.Join(dir, "modules.txt"))
	if errors.Is(err, fs.ErrNotExist) || slices.Contains(p.options.Flags, "-mod=mod") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	versions := vendoredModules(string(text))
	paths = slices.Sorted(maps.Keys(versions))
	for _, path := range paths {
		to := filepath.Join(b.Dir, "vendor", fmt.Sprintf("%s-%08x", filepath.Base(path), hash(path)))
		if err := copyVendored(dir, to, path, paths); err != nil {
			return nil, fmt.Errorf("vendor: %w", err)
		}
		text := "module " + path + "\n\ngo " + versions[path] + "\n"
		if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o644); err != nil {
			return nil, err
		}
		if slices.Contains(p.options.Deps, path) {
			if err := p.rewriteCopy(filepath.Join(dir, filepath.FromSlash(path)), to); err != nil {
				return nil, fmt.Errorf("-deps %s: %w", path, err)
			}
		}
		w.replace(path, to)
	}
	return paths, nil
}

// copyVendored copies a module without those whose folders are inside its own. A module that the program requires but
// takes no package from has no folder.
func copyVendored(dir, to, path string, all []string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	from := filepath.Join(dir, filepath.FromSlash(path))
	if _, err := os.Stat(from); err != nil {
		return os.MkdirAll(to, 0o755)
	}
	var inside []string
	for _, other := range all {
		if below, ok := strings.CutPrefix(other, path+"/"); ok {
			inside = append(inside, filepath.FromSlash(below))
		}
	}
	return copyTree(from, to, inside)
}

// vendoredModules returns the modules in a file modules.txt and their versions of Go. A module has a line
// "# PATH VERSION" and, if its go.mod says so, a line "## explicit; go 1.25" behind it.
func vendoredModules(text string) map[string]string {
	versions, last := map[string]string{}, ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) > 2 && words[0] == "#":
			last = words[1]
			versions[last] = "1.16" // what the go command takes without such a line
		case len(words) > 2 && words[0] == "##" && words[len(words)-2] == "go":
			versions[last] = words[len(words)-1]
		}
	}
	return versions
}
