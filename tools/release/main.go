// Command release makes everything of a release in a folder, and checks it:
//
//		make release VERSION=v0.2.0
//
//	  - notes.md, the section of CHANGELOG.md,
//	  - proxy, the module and those below it as a file proxy has them; a module that uses them is built from there,
//	  - the command iprof, with the viewer for the browser in it, and iprof-import-trace for several systems,
//	    and glviewer for this one,
//	  - a package for Debian with both, checked by lintian where there is one,
//	  - licences.txt and sbom.json (CycloneDX) of all modules that are linked,
//	  - SHA256SUMS.
//
// Without VERSION, the tag of the current commit is the version. The programs of this system are built twice, from
// nothing, and must be the same to the byte. The command must work alone: without network, and its viewer without Go.
// The last lines name what this machine could not check. Each part prints its seconds. To repair a failed part, run
// only that part in the folder of the earlier run, with fewer systems if one is enough:
//
//	bin/release -version v0.2.0 -out dist -only "the programs,the licences" -systems linux/amd64 .
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// release is a release that is being made.
type release struct {
	root, out       string // the tree, and the folder of the release
	module, version string
	systems         []string // the command is built for them
	only            []string // the names of the parts to make; empty means all
	unchecked       []string
}

// part is one of the things that are made and checked.
type part struct {
	name string
	make func() error
}

func main() {
	out := flag.String("out", "dist", "the `folder` of the release; it must not exist, but with -only")
	version := flag.String("version", "", "such as v0.2.0; the tag of the commit")
	only := flag.String("only", "", "make these `parts` alone, such as \"the programs,the sums\"")
	systems := flag.String("systems", strings.Join(systems, ","), "`those` that the command is built for")
	flag.Parse()
	r, err := begin(flag.Arg(0), *out, *version, strings.FieldsFunc(*only, comma)...)
	if err == nil {
		r.systems = strings.FieldsFunc(*systems, comma)
		err = r.all()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	if len(r.only) == 0 {
		fmt.Printf("%s is whole in %s\n", r.version, r.out)
	}
	for _, u := range r.unchecked {
		fmt.Println("not checked:", u)
	}
}

func comma(r rune) bool { return r == ',' }

// begin makes the folder. With names of parts it may exist.
func begin(root, out, version string, only ...string) (*release, error) {
	r := &release{root: root, version: version, only: only}
	if err := r.known(); err != nil {
		return nil, err
	}
	if r.version == "" {
		tag, err := exec.Command("git", "-C", root, "describe", "--tags", "--exact-match").Output()
		if err != nil {
			return nil, errors.New("the commit has no tag: git tag v0.2.0, or make release VERSION=v0.2.0")
		}
		r.version = strings.TrimSpace(string(tag))
	}
	if semver.Canonical(r.version) != r.version {
		return nil, fmt.Errorf("%q is no version: write it as v0.2.0", r.version)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	r.module = modfile.ModulePath(mod)
	if r.out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if err := os.Mkdir(r.out, 0o755); err != nil && (len(only) == 0 || !errors.Is(err, os.ErrExist)) {
		return nil, fmt.Errorf("%w: remove it, or choose another with OUT=FOLDER", err)
	}
	return r, nil
}

// parts are in the order in which they need each other.
func (r *release) parts() []part {
	return []part{
		{"the notes", r.notes}, {"the modules", r.zips}, {"a module that uses it", r.consumer},
		{"the programs", r.build}, {"the command alone", r.alone}, {"the programs once more", r.again},
		{"the licences", r.licences}, {"the Debian package", r.deb},
		{"known vulnerabilities", r.vulnerabilities}, {"the sums", r.sums},
	}
}

// known returns an error for an unknown part.
func (r *release) known() error {
	names := []string{}
	for _, p := range r.parts() {
		names = append(names, p.name)
	}
	for _, name := range r.only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no part is named %q; the parts are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// all makes the parts one after the other.
func (r *release) all() error {
	for _, p := range r.parts() {
		if len(r.only) > 0 && !slices.Contains(r.only, p.name) {
			continue
		}
		began := time.Now()
		if err := p.make(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Printf("%4.0fs  %s\n", time.Since(began).Seconds(), p.name)
	}
	return nil
}

// run runs a command in a folder, with further variables. Its output is the error's if it fails.
func run(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(append([]string{name}, args...), " "), err, out)
	}
	return nil
}
