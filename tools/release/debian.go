package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// deb makes a package for Debian and its kin, with all programs.
func (r *release) deb() error {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		r.unchecked = append(r.unchecked, "the Debian package: there is no dpkg-deb")
		return nil
	}
	dir, err := os.MkdirTemp("", "deb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "iprof")
	if err := r.fill(tree); err != nil {
		return err
	}
	name := fmt.Sprintf("iprof_%s_%s.deb", strings.TrimPrefix(r.version, "v"), runtime.GOARCH)
	file := filepath.Join(r.out, name)
	env := []string{fmt.Sprint("SOURCE_DATE_EPOCH=", r.date().Unix())}
	if err := run(dir, env, "dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file); err != nil {
		return err
	}
	if _, err := exec.LookPath("lintian"); err != nil {
		r.unchecked = append(r.unchecked, "the Debian package: there is no lintian")
		return nil
	}
	return run(dir, nil, "lintian", "--fail-on", "error", file)
}

// fill lays the package's files out as they will be installed.
func (r *release) fill(tree string) error {
	env := []string{"PREFIX=/usr", "DESTDIR=" + tree, "PROGRAM=" + r.file("glviewer"), "TOOL=" + r.file("iprof"),
		"READER=" + r.file(reader)}
	if err := run(r.root, env, "tools/install", "install"); err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	linked, err := os.ReadFile(filepath.Join(r.out, "licences.txt"))
	if err != nil {
		return err
	}
	if err := compressManuals(filepath.Join(tree, "usr/share/man/man1")); err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"usr/share/doc/iprof/copyright":     append(licence, others...),
		"usr/share/doc/iprof/licences.gz":   compressed(linked),
		"usr/share/doc/iprof/changelog.gz":  compressed([]byte(r.changelog())),
		"usr/share/lintian/overrides/iprof": []byte(overrides),
		"DEBIAN/control":                    []byte(control(r)),
	} {
		path := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// others names the places of the licences of linked modules. Debian wants no text of the Apache License in this file.
const others = `
The modules that are linked, with the whole text of each licence, are in licences.gz beside this file.
On Debian, the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0, too.
`

// overrides are complaints of lintian that do not apply: programs in Go are linked statically if they need no cgo.
const overrides = "iprof: statically-linked-binary [usr/bin/iprof]\n" +
	"iprof: statically-linked-binary [usr/libexec/iprof/" + reader + "]\n"

// changelog has the form that Debian wants.
func (r *release) changelog() string {
	return fmt.Sprintf("iprof (%s) unstable; urgency=medium\n\n  * See https://%s/blob/%s/CHANGELOG.md\n\n -- %s  %s\n",
		strings.TrimPrefix(r.version, "v"), r.module, r.version, maintainer, r.date().Format(time.RFC1123Z))
}

// compressManuals replaces the manual pages of a folder by compressed ones.
func compressManuals(dir string) error {
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err == nil {
			err = os.WriteFile(page+".gz", compressed(text), 0o644)
		}
		if err == nil {
			err = os.Remove(page)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compressed has neither a name nor a time, so it is always the same.
func compressed(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(text) // a Buffer has no errors
	_ = w.Close()
	return b.Bytes()
}

const maintainer = "The authors of IProf for Go <iprof@example.com>"

// file is a program of this system.
func (r *release) file(name string) string {
	return filepath.Join(r.out, fmt.Sprintf("%s_%s_%s_%s", name, r.version, runtime.GOOS, runtime.GOARCH))
}

// control describes the package. The viewer loads OpenGL and links X11's libraries.
func control(r *release) string {
	return fmt.Sprintf(`Package: iprof
Version: %s
Architecture: %s
Maintainer: %s
Section: devel
Priority: optional
Depends: libc6, libgl1, libx11-6, libxcursor1, libxrandr2, libxinerama1, libxi6, libxxf86vm1
Description: frame profiler for programs in Go
 The command iprof profiles a Go program as it is, and reads captures. The
 program glviewer shows every frame of a program in a window while it runs:
 where the time went, by caller, on all goroutines.
`, strings.TrimPrefix(r.version, "v"), runtime.GOARCH, maintainer)
}
