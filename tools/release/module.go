package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

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

// section returns what is below the heading that begins with a version.
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

// zip writes the module as a proxy has it. The rules are those of the go command: names, sizes, a licence.
func (r *release) zip() error {
	escaped, err := module.EscapePath(r.module)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.out, "proxy", filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, r.version+".zip"))
	if err != nil {
		return err
	}
	m := module.Version{Path: r.module, Version: r.version}
	if err := zip.CreateFromVCS(file, m, r.root, "HEAD", ""); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := file.Close(); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(r.root, "go.mod"))
	if err != nil {
		return err
	}
	info := fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", r.version, r.date().UTC().Format(time.RFC3339))
	for name, text := range map[string]string{r.version + ".mod": string(mod), r.version + ".info": info,
		"list": r.version + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// date is that of the commit.
func (r *release) date() time.Time {
	text, _ := exec.Command("git", "-C", r.root, "log", "-1", "--format=%cI").Output()
	at, _ := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	return at
}

// hello is the program of somebody who uses the module.
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
		"GOFLAGS=-modcacherw", "GOWORK=off", "GOMODCACHE=" + filepath.Join(dir, "cache"), "CGO_ENABLED=0"}
	version := r.module + "@" + r.version
	for _, args := range [][]string{{"mod", "init", "consumer.test"}, {"get", version}, {"run", "."}} {
		if err := run(dir, env, "go", args...); err != nil {
			return err
		}
	}
	return nil
}
