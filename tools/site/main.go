// Command site makes static pages of the documentation, from the markdown files and the packages' comments.
//
//	cd tools/site && go run . -o ../../dist/site ../..
//
// The pages need no server and load no files from other hosts. The test follows each of their links.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "site", "the `folder` for the pages; it is made if it is not there")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: site [-o FOLDER] ROOT: the folder of the repository")
		os.Exit(2)
	}
	if err := build(flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// chapter is a page of the navigation.
type chapter struct{ file, title string }

// chapters are the markdown files that have a page, in the order of the navigation.
var chapters = []chapter{
	{"README.md", "IProf for Go"},
	{"docs/README.md", "All documents"},
	{"docs/tutorial/1-first-zone.md", "1. The first zone"},
	{"docs/tutorial/2-first-hitch.md", "2. The first hitch"},
	{"docs/tutorial/3-servers.md", "3. Servers"},
	{"docs/tutorial/4-captures.md", "4. Captures"},
	{"docs/tutorial/5-no-edit.md", "5. Without an edit"},
	{"docs/examples.md", "Programs to start from"},
	{"docs/features.md", "What there is"},
	{"docs/use.md", "Take it into your program"},
	{"docs/cost.md", "What it costs"},
	{"docs/run.md", "The cost of iprof run"},
	{"docs/export.md", "Other tools"},
	{"docs/files.md", "Files of other tools"},
	{"docs/format.md", "The format of captures"},
	{"docs/governor.md", "The governor"},
	{"DESIGN.md", "Design"},
	{"CONTRIBUTING.md", "Contributing"},
	{"CHANGELOG.md", "Changes"},
}

// packages are the packages whose comments have a page.
var packages = []string{".", "draw/gl", "input", "capture", "debug", "export", "exectrace", "iproftest", "wait",
	"iprofhttp", "logmark", "source", "gather", "process", "process/report", "draw", "draw/text", "draw/html",
	"console", "platform", "cmd/iprof"}

// build writes all pages and the pictures that they show.
func build(root, out string) error {
	for _, c := range chapters {
		if err := convert(root, out, c); err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
	}
	for _, name := range packages {
		if err := document(root, out, name); err != nil {
			return fmt.Errorf("package %s: %w", name, err)
		}
	}
	files := []string{filepath.Join(root, "LICENSE")}
	for _, pattern := range []string{"docs/*.png", "docs/*.svg", "docs/*/*.png"} {
		pictures, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		files = append(files, pictures...)
	}
	for _, picture := range files {
		if err := copyFile(root, out, picture); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(root, out, path string) error {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return write(filepath.Join(out, name), data)
}

// write writes a file, and makes the folders above it.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
