package instrument

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A program built with -trimpath, or moved to another machine, does not find the profiler's sources. So it embeds them
// as a zip, with the importable packages, and the libraries of those needed by iprof run in a folder "vendor". Pack
// makes the zip when the program is built; the program unpacks it into the cache on demand.

// unpacked returns the folder of the embedded sources. Its name depends on their contents.
func (o *Options) unpacked() (string, error) {
	base, err := o.cacheBase()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "sources", fmt.Sprintf("%.16x", sha256.Sum256(o.Sources)))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", unusable(err)
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), "new")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	files, err := zip.NewReader(bytes.NewReader(o.Sources), int64(len(o.Sources)))
	if err != nil {
		return "", fmt.Errorf("the sources that this program carries: %w", err)
	}
	if err := os.CopyFS(filepath.Join(scratch, "module"), files); err != nil {
		return "", err
	}
	err = os.Rename(filepath.Join(scratch, "module"), dir)
	if _, other := os.Stat(filepath.Join(dir, "go.mod")); other == nil {
		return dir, nil // another process was faster
	}
	return dir, err
}

// inGoMod returns the folder of the profiler that the program's own go.mod names.
func (o *Options) inGoMod() (string, bool) {
	out, err := o.command("list", "-m", "-f", "{{.Dir}}", profilerModule)
	dir := strings.TrimSpace(string(out))
	return dir, err == nil && dir != ""
}

// kinds are the builds for which Pack lists packages. The files of other systems lie in the same folders.
var kinds = [][]string{{"GOOS=linux"}, {"GOOS=darwin"}, {"GOOS=windows"}, {"GOOS=js", "GOARCH=wasm"},
	{"GOOS=linux", "GOFLAGS=-tags=purego,iprof_off"}}

// Pack writes the sources of the module in a folder as a zip: see Options.Sources. The output is reproducible.
func Pack(w io.Writer, dir string) error {
	own, err := listAll(dir, "./...")
	if err != nil {
		return err
	}
	linked, err := listAll(dir, "-deps", autoPackage, autoPackage+"/serve", autoPackage+"/cpuprofile", viewerPackage)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	modules := map[string][]string{} // packages by module
	for _, l := range own {
		name := strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, l.Module.Path), "/")
		if !carried(name) {
			continue
		}
		if err := l.pack(z, name); err != nil {
			return err
		}
	}
	for _, l := range linked {
		if l.Module.Main {
			continue
		}
		modules[l.Module.Path] = append(modules[l.Module.Path], l.ImportPath)
		if err := l.pack(z, path.Join("vendor", l.ImportPath)); err != nil {
			return err
		}
	}
	if err := packModules(z, dir, modules); err != nil {
		return err
	}
	return z.Close()
}

// packed is a package with the fields that Pack needs.
type packed struct {
	ImportPath, Dir string
	Standard        bool
	EmbedFiles      []string
	Module          struct {
		Path, Version string
		Main          bool
	}
}

// listAll lists the packages outside the standard library of all kinds of builds, each once, sorted.
func listAll(dir string, args ...string) (all []*packed, err error) {
	there := map[string]bool{}
	for _, kind := range kinds {
		o := Options{Dir: dir}
		cmd := o.goCommand(append([]string{"list", "-e", "-json=ImportPath,Dir,Standard,EmbedFiles,Module"},
			args...)...)
		cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOARCH=amd64", "CGO_ENABLED=0"), kind...)
		out, err := output(cmd)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
			l := new(packed)
			if err := d.Decode(l); err != nil {
				return nil, err
			}
			if !l.Standard && !there[l.ImportPath] {
				there[l.ImportPath] = true
				all = append(all, l)
			}
		}
	}
	slices.SortFunc(all, func(a, b *packed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return all, nil
}

// notCarried are the folders without importable packages.
var notCarried = []string{"cmd", "examples", "tools", "internal/instrument", "internal/integration", "internal/egltest",
	"internal/xvfbtest", "internal/browser", "internal/golden", "internal/workload", "internal/icon"}

// carried reports whether to embed the package in a folder: programs or embedded packages import it.
func carried(name string) bool {
	return !slices.ContainsFunc(notCarried, func(dir string) bool {
		return name == dir || strings.HasPrefix(name, dir+"/")
	})
}

// pack adds the package's files for all systems, but no tests.
func (l *packed) pack(z *zip.Writer, to string) error {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return err
	}
	names := slices.Clone(l.EmbedFiles)
	for _, e := range entries {
		name := e.Name()
		source := slices.Contains([]string{".go", ".s", ".h", ".syso"}, path.Ext(name))
		if source && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if err := packFile(z, path.Join(to, name), filepath.Join(l.Dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

func packFile(z *zip.Writer, name, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return packText(z, name, text)
}

// packText adds a file with a constant time.
func packText(z *zip.Writer, name string, text []byte) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(0o644)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// packModules adds go.mod, go.sum and the go command's list of vendored packages.
func packModules(z *zip.Writer, dir string, modules map[string][]string) error {
	for _, name := range []string{"go.mod", "go.sum", "LICENSE"} {
		if err := packFile(z, name, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = dir
	out, err := output(cmd)
	if err != nil {
		return err
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	var list strings.Builder
	for _, m := range mod.Require {
		fmt.Fprintf(&list, "# %s %s\n## explicit; go 1.24.0\n", m.Path, m.Version)
		for _, name := range modules[m.Path] {
			fmt.Fprintln(&list, name)
		}
		if err := packLicence(z, m.Path, m.Version, len(modules[m.Path]) > 0); err != nil {
			return err
		}
	}
	return packText(z, "vendor/modules.txt", []byte(list.String()))
}

// packLicence adds the licence of a module with embedded packages.
func packLicence(z *zip.Writer, name, version string, carried bool) error {
	if !carried {
		return nil
	}
	out, err := (&Options{}).command("mod", "download", "-json", name+"@"+version)
	if err != nil {
		return err
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return err
	}
	return packFile(z, path.Join("vendor", name, "LICENSE"), filepath.Join(m.Dir, "LICENSE"))
}
