package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
	"golang.org/x/mod/module"
)

// writeLicences writes the licences of modules, and their list as CycloneDX. The modules are lines of path, version and
// folder. A module without a licence that is known is an error.
func writeLicences(ours module.Version, out string, lines io.Reader) error {
	all, err := io.ReadAll(lines)
	if err != nil {
		return err
	}
	linked := strings.Split(strings.TrimSpace(string(all)), "\n")
	slices.Sort(linked)
	type object map[string]any
	var text bytes.Buffer
	components := []object{}
	purl := func(m module.Version) string { return "pkg:golang/" + m.Path + "@" + m.Version }
	for _, line := range linked {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(fields) < 3 {
			return fmt.Errorf("%q: want a module's path, version and folder", line)
		}
		m := module.Version{Path: fields[0], Version: fields[1]}
		ids, own, err := licencesOf(fields[2], m.Path != "std")
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		fmt.Fprintf(&text, "%s %s (%s)\n\n%s\n\n", m.Path, m.Version, strings.Join(ids, ", "), own)
		licences := []object{}
		for _, id := range ids {
			licences = append(licences, object{"license": object{"id": id}})
		}
		components = append(components, object{"type": "library", "name": m.Path, "version": m.Version, "purl": purl(m),
			"licenses": licences})
	}
	sbom, err := json.MarshalIndent(object{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"components": components, "metadata": object{"component": object{"type": "application", "name": ours.Path,
			"version": ours.Version, "purl": purl(ours)}}}, "", "  ")
	return errors.Join(err, os.WriteFile(filepath.Join(out, "licences.txt"), text.Bytes(), 0o644),
		os.WriteFile(filepath.Join(out, "sbom.json"), append(sbom, '\n'), 0o644))
}

// licenceNames are the names of licence files.
var licenceNames = []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING", "LICENSE-MIT"}

// leastKnown is the share of a file, in percent, that must be the text of licences. The rest is a name or a heading.
const leastKnown = 75

// licencesOf returns the licence in a folder and its SPDX identifiers. With all, it adds the licences in folders below:
// they belong to code by others, such as GLFW in the module of its bindings.
func licencesOf(dir string, all bool) (ids []string, text []byte, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir && (!all || e.Name() == "testdata" || e.Name() == "cmd"):
			return filepath.SkipDir
		case e.IsDir() || !slices.Contains(licenceNames, e.Name()):
			return nil
		}
		own, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		known := licensecheck.Scan(own)
		if known.Percent < leastKnown {
			return fmt.Errorf("the licence in %s is not known", filepath.ToSlash(name))
		}
		for _, m := range known.Match {
			if !slices.Contains(ids, m.ID) {
				ids = append(ids, m.ID)
			}
		}
		if len(text) > 0 {
			text = fmt.Appendf(text, "\n\nThat of %s:\n\n", filepath.ToSlash(filepath.Dir(name)))
		}
		text = append(text, own...)
		return nil
	})
	if err == nil && len(ids) == 0 {
		err = errors.New(dir + " has no licence")
	}
	return ids, text, err
}
