package main

import (
	archive "archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// nested are the folders of the modules that are published beside the main one, with the same version.
var nested = []string{"exectrace", "export/otel", "export/prometheus", "hosts/ebitengine", "hosts/raylib",
	"iprofhttp/routers"}

// notes takes the version's section out of CHANGELOG.md, and says if newer lines are not in it.
func (r *release) notes() error {
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	notes, err := section(string(text), r.version)
	if err != nil {
		return err
	}
	if newer, err := section(string(text), "Unreleased"); err == nil {
		r.unchecked = append(r.unchecked, fmt.Sprintf("the notes lack %d lines of CHANGELOG.md below "+
			"\"## Unreleased\"\n  Move these to the section %s.", strings.Count(newer, "\n"), r.version))
	}
	return os.WriteFile(filepath.Join(r.out, "notes.md"), []byte(notes), 0o644)
}

// section returns the text below the heading that begins with a version.
func section(changes, version string) (string, error) {
	heading := regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(version) + `([ \t].*)?\n`)
	at := heading.FindStringIndex(changes)
	if at == nil {
		return "", fmt.Errorf(`CHANGELOG.md has no section "## %s": rename the newest one`, version)
	}
	notes, _, _ := strings.Cut(changes[at[1]:], "\n## ")
	if strings.TrimSpace(notes) == "" {
		return "", fmt.Errorf("the section %s of CHANGELOG.md is empty", version)
	}
	return strings.TrimSpace(notes) + "\n", nil
}

// zips writes the modules as a proxy has them.
func (r *release) zips() error {
	tree, err := os.MkdirTemp("", "tree")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tree)
	// The rules want a folder .git, which a worktree has not.
	if err := run(r.root, nil, "git", "clone", "--quiet", "--shared", "--no-checkout", ".", tree); err != nil {
		return err
	}
	for _, folder := range append([]string{""}, nested...) {
		if err := r.zip(tree, folder); err != nil {
			return fmt.Errorf("%s: %w", path.Join(r.module, folder), err)
		}
	}
	return nil
}

// zip writes the module in a folder of a clone. It follows the rules of the go command: names, sizes, a licence.
func (r *release) zip(tree, folder string) error {
	m := module.Version{Path: path.Join(r.module, folder), Version: r.version}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(r.root, folder, "go.mod"))
	if err != nil {
		return err
	}
	if mod, err = published(mod, r.module, r.version); err != nil {
		return err
	}
	var whole, zipped bytes.Buffer
	if err := zip.CreateFromVCS(&whole, m, tree, "HEAD", folder); err != nil {
		return err
	}
	if err := withFile(&zipped, whole.Bytes(), m.String()+"/go.mod", mod); err != nil {
		return err
	}
	dir := filepath.Join(r.out, "proxy", filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info := fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", r.version, r.date().UTC().Format(time.RFC3339))
	for name, text := range map[string][]byte{r.version + ".zip": zipped.Bytes(), r.version + ".mod": mod,
		r.version + ".info": []byte(info), "list": []byte(r.version + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// published returns the go.mod of a module as others get it: modules of this tree have the release's version, and are
// not replaced by folders that only the tree has.
func published(text []byte, root, version string) ([]byte, error) {
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	ours := func(name string) bool { return name == root || strings.HasPrefix(name, root+"/") }
	for _, q := range file.Require {
		if ours(q.Mod.Path) {
			err = errors.Join(err, file.AddRequire(q.Mod.Path, version))
		}
	}
	for _, l := range file.Replace {
		if ours(l.Old.Path) {
			err = errors.Join(err, file.DropReplace(l.Old.Path, l.Old.Version))
		}
	}
	if err != nil {
		return nil, err
	}
	file.Cleanup()
	return file.Format()
}

// withFile copies a zip and gives one of its files another text.
func withFile(to io.Writer, from []byte, name string, text []byte) error {
	r, err := archive.NewReader(bytes.NewReader(from), int64(len(from)))
	if err != nil {
		return err
	}
	w := archive.NewWriter(to)
	for _, f := range r.File {
		if f.Name != name {
			if err := w.Copy(f); err != nil {
				return err
			}
			continue
		}
		file, err := w.Create(name)
		if err != nil {
			return err
		}
		if _, err := file.Write(text); err != nil {
			return err
		}
	}
	return w.Close()
}

// date returns the date of the commit.
func (r *release) date() time.Time {
	text, _ := exec.Command("git", "-C", r.root, "log", "-1", "--format=%cI").Output()
	at, _ := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	return at
}

// hello is a program of a user of the module.
const hello = `package main

import (
	"os"

	"MODULE"
)

func main() {
	iprof.Update()
	iprof.Begin("physics").End()
	iprof.Update()
	if err := iprof.WriteText(os.Stdout); err != nil {
		panic(err)
	}
}
`

// consumer builds and runs a program that gets the module from the proxy. Its go.mod must stay as old as it was.
func (r *release) consumer() error {
	dir, err := os.MkdirTemp("", "consumer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := strings.Replace(hello, "MODULE", r.module, 1)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644); err != nil {
		return err
	}
	usual, err := exec.Command("go", "env", "GOPROXY").Output()
	if err != nil {
		return err
	}
	proxy := "file://" + filepath.ToSlash(filepath.Join(r.out, "proxy"))
	env := []string{"GOPROXY=" + proxy + "," + strings.TrimSpace(string(usual)), "GONOSUMDB=" + r.module,
		"GOFLAGS=-modcacherw", "GOWORK=off", "GOMODCACHE=" + filepath.Join(dir, "cache"), "CGO_ENABLED=0",
		"GOBIN=" + filepath.Join(dir, "bin")}
	version := r.module + "@" + r.version
	for _, args := range [][]string{{"mod", "init", "consumer.test"}, {"get", version}, {"run", "."},
		{"install", r.module + "/exectrace/cmd/" + reader + "@" + r.version}} {
		if err := run(dir, env, "go", args...); err != nil {
			return err
		}
	}
	for _, folder := range nested {
		module := r.module + "/" + folder + "@" + r.version
		if err := run(dir, env, "go", "mod", "download", module); err != nil {
			return err
		}
		if err := run(dir, env, "go", "get", module); err != nil { // not every proxy has all libraries
			r.unchecked = append(r.unchecked, "a module that uses "+module+": "+reason(err))
		}
	}
	return nil
}
