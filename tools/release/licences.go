package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// linked is a module in one of the programs.
type linked struct {
	path, version string
	licence       string // its SPDX identifier
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
		fmt.Fprintf(&text, "%s %s (%s)\n\n%s\n\n", m.path, m.version, m.licence, m.text)
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

// linked returns the modules that the programs say they have, by path.
func (r *release) linked() (modules []linked, err error) {
	versions := map[string]string{}
	for _, program := range r.programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return nil, err
		}
		for _, m := range info.Deps {
			if m.Path != r.module { // the reader's
				versions[m.Path] = m.Version
			}
		}
	}
	for path, version := range versions {
		dir, err := folder(r.root, path, version)
		if err != nil {
			return nil, err
		}
		m := linked{path: path, version: version}
		if m.licence, m.text, err = licenceOf(dir); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b linked) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

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

// licenceOf returns the licence in a module's folder.
func licenceOf(dir string) (id string, text []byte, err error) {
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING", "LICENSE-MIT"} {
		if text, err = os.ReadFile(filepath.Join(dir, name)); err == nil {
			if id = identifier(string(text)); id == "" {
				return "", nil, fmt.Errorf("the licence in %s is not known here: see identifier", name)
			}
			return id, text, nil
		}
	}
	return "", nil, fmt.Errorf("%s has no licence", dir)
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
			"licenses": []any{component{"license": component{"id": m.licence}}}})
	}
	return component{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": list,
		"metadata": component{"component": component{"type": "application", "name": r.module, "version": r.version,
			"purl": "pkg:golang/" + r.module + "@" + r.version}}}
}
