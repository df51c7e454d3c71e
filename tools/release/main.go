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
// The last lines name what this machine could not check. Each part prints its seconds.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// release is a release that is being made.
type release struct {
	root, out       string // the tree, and the folder of the release
	module, version string
	unchecked       []string
}

// part is one of the things that are made and checked.
type part struct {
	name string
	make func() error
}

func main() {
	out := flag.String("out", "dist", "the `folder` of the release; it must not exist")
	version := flag.String("version", "", "such as v0.2.0; the tag of the commit")
	flag.Parse()
	r, err := begin(flag.Arg(0), *out, *version)
	if err == nil {
		err = r.all()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	fmt.Printf("%s is whole in %s\n", r.version, r.out)
	for _, u := range r.unchecked {
		fmt.Println("not checked:", u)
	}
}

// begin makes the folder.
func begin(root, out, version string) (*release, error) {
	r := &release{root: root, version: version}
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
	if err := os.Mkdir(r.out, 0o755); err != nil {
		return nil, fmt.Errorf("%w: remove it, or choose another with OUT=FOLDER", err)
	}
	return r, nil
}

// parts are in the order in which they need each other.
func (r *release) parts() []part {
	return []part{
		{"the notes", r.notes}, {"the modules", r.zips}, {"a module that uses it", r.consumer},
		{"the programs", r.build}, {"the command alone", r.tryAlone}, {"the programs once more", r.again},
		{"the licences", r.licences}, {"the Debian package", r.deb},
		{"known vulnerabilities", r.vulnerabilities}, {"the sums", r.sums},
	}
}

// all makes the parts one after the other.
func (r *release) all() error {
	for _, p := range r.parts() {
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
