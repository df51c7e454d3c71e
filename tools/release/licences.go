package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// linked is a module in one of the programs, or another part of them.
type linked struct {
	path, version string
	licences      []string // their SPDX identifiers
	text          []byte
}

// licences writes the licences of all linked modules, and the list of them as CycloneDX. A module without a licence
// that is known here is an error.
func (r *release) licences() error {
	modules, err := r.linked()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, m := range modules {
		fmt.Fprintf(&text, "%s %s (%s)\n\n%s\n\n", m.path, m.version, strings.Join(m.licences, ", "), m.text)
	}
	if err := os.WriteFile(filepath.Join(r.out, "licences.txt"), text.Bytes(), 0o644); err != nil {
		return err
	}
	sbom, err := json.MarshalIndent(r.sbom(modules), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "sbom.json"), append(sbom, '\n'), 0o644)
}

// linked returns the modules that the programs say they have, the library of Go, and the typefaces, by path.
func (r *release) linked() (modules []linked, err error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	folders := map[linkedAt]string{
		{"std", strings.TrimPrefix(runtime.Version(), "go")}: strings.TrimSpace(string(goroot)),
		{r.module + "/fonts", r.version}:                     filepath.Join(r.root, "fonts"),
	}
	for _, program := range r.programs() {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return nil, err
		}
		for _, m := range info.Deps {
			at := linkedAt{m.Path, m.Version}
			if m.Path == r.module || folders[at] != "" { // our own is the reader's
				continue
			}
			if folders[at], err = folder(r.root, m.Path, m.Version); err != nil {
				return nil, err
			}
		}
	}
	for at, dir := range folders {
		m := linked{path: at.path, version: at.version}
		if m.licences, m.text, err = licencesOf(dir, at.path != "std"); err != nil {
			return nil, fmt.Errorf("%s: %w", at.path, err)
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b linked) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.version, b.version))
	})
	return modules, nil
}

type linkedAt struct{ path, version string }

func folder(root, path, version string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", path+"@"+version)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", path, err)
	}
	var m struct{ Dir string }
	return m.Dir, json.Unmarshal(out, &m)
}

// licenceNames are the names of licence files.
var licenceNames = []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING", "LICENSE-MIT"}

// licencesOf returns the licence in a folder. With all, it adds the licences in folders below: they belong to code by
// others, such as GLFW in the module of its bindings.
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
		name, _ := filepath.Rel(dir, path)
		own, err := os.ReadFile(path)
		id := identifier(string(own))
		if err == nil && id == "" {
			err = fmt.Errorf("the licence in %s is not known here: see identifier", filepath.ToSlash(name))
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		if len(text) > 0 {
			text = fmt.Appendf(text, "\n\nThat of %s:\n\n", filepath.ToSlash(filepath.Dir(name)))
		}
		text = append(text, own...)
		return err
	})
	if err == nil && len(ids) == 0 {
		err = errors.New(dir + " has no licence")
	}
	return ids, text, err
}

// identifier returns the SPDX identifier of a licence's text, or "".
func identifier(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("Permission is hereby granted, free of charge"):
		return "MIT"
	case has("Redistribution and use in source and binary forms") && has("Neither the name"):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("Permission to use, copy, modify, and/or distribute"),
		has("Permission to use, copy, modify, and distribute"):
		return "ISC"
	case has("This software is provided 'as-is'"):
		return "Zlib"
	}
	return ""
}

// sbom is a list of components after CycloneDX 1.5.
func (r *release) sbom(modules []linked) any {
	type component map[string]any
	list := []component{}
	for _, m := range modules {
		list = append(list, component{"type": "library", "name": m.path, "version": m.version,
			"purl":     "pkg:golang/" + m.path + "@" + m.version,
			"licenses": identifiers(m.licences)})
	}
	return component{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": list,
		"metadata": component{"component": component{"type": "application", "name": r.module, "version": r.version,
			"purl": "pkg:golang/" + r.module + "@" + r.version}}}
}

// identifiers has the form that CycloneDX wants.
func identifiers(licences []string) (list []any) {
	for _, id := range licences {
		list = append(list, map[string]any{"license": map[string]any{"id": id}})
	}
	return list
}
