package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var (
	links   = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")
)

// TestEachLinkLeadsSomewhere follows each link of each page to a file, and to a place in it. Addresses elsewhere have
// to be of https.
func TestEachLinkLeadsSomewhere(t *testing.T) {
	out := t.TempDir()
	if err := build(root, out); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	err := filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		pages[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	followed := 0
	for page, text := range pages {
		if filepath.Ext(page) != ".html" {
			continue
		}
		for _, found := range links.FindAllStringSubmatch(text, -1) {
			if err := follow(pages, page, html.UnescapeString(found[1])); err != nil {
				t.Errorf("%s: %v", strings.TrimPrefix(page, out), err)
			}
			followed++
		}
	}
	if followed < len(chapters)*len(chapters) {
		t.Errorf("got %d links; want those of the navigation at least", followed)
	}
}

// follow returns an error if a link leads nowhere.
func follow(pages map[string]string, from, link string) error {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return err
	case u.Scheme == "https":
		return nil
	case u.Scheme != "":
		return fmt.Errorf("%s: want https", link)
	}
	to := from
	if u.Path != "" {
		to = filepath.Join(filepath.Dir(from), filepath.FromSlash(u.Path))
	}
	text, ok := pages[to]
	if !ok {
		return fmt.Errorf("%s: there is no such page", link)
	}
	if u.Fragment != "" && !strings.Contains(text, ` id="`+html.EscapeString(u.Fragment)+`"`) {
		return fmt.Errorf("%s: there is no such heading", link)
	}
	return nil
}

// TestProgramsOfTheTutorial builds each whole program of the tutorial and of the README, in this module's parent.
func TestProgramsOfTheTutorial(t *testing.T) {
	where, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	for _, c := range chapters {
		source, err := os.ReadFile(filepath.Join(root, c.file))
		if err != nil {
			t.Fatal(err)
		}
		for i, found := range program.FindAllSubmatch(source, -1) {
			built++
			t.Run(fmt.Sprint(c.file, " ", i), func(t *testing.T) { check(t, where, found[1]) })
		}
	}
	if built < 6 {
		t.Errorf("got %d programs; want one of each page of the tutorial at least", built)
	}
}

// check vets a program as if it were in a folder of the repository.
func check(t *testing.T, where string, source []byte) {
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	there := filepath.Join(where, "docs", "tutorial", "program", "main.go")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {there: file}})
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{file: source, overlay: text} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	built := filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-overlay", overlay, "-o", built, "./docs/tutorial/program")
	cmd.Dir = where
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
