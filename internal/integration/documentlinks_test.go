package integration_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	linkTo    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	wholeGo   = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")
)

// documents are all markdown files that people read, from the folder of the repository.
func documents(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/tutorial/*.md", "hosts/*/*.md", "exectrace/*.md"} {
		found := must.Get(filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))))(t)
		for _, file := range found {
			name := must.Get(filepath.Rel(root, file))(t)
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// anchors are the names that links to the headings of a document have.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, found := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		name := noAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(found[1])), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

// TestEachLinkLeadsSomewhere follows each link of each document to a file, and to a heading of it. Addresses elsewhere
// have to be of https.
func TestEachLinkLeadsSomewhere(t *testing.T) {
	followed := 0
	for _, name := range documents(t) {
		text := readDocument(t, name)
		for _, found := range linkTo.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			followed++
			if err := follow(t, name, found[1]); err != nil {
				t.Errorf("%s: %s: %v", name, found[1], err)
			}
		}
	}
	if followed < 90 {
		t.Errorf("got %d links; want those of all documents", followed)
	}
}

// follow returns an error if a link of a document leads nowhere.
func follow(t *testing.T, from, link string) error {
	u, err := url.Parse(link)
	switch {
	case err != nil || u.Scheme == "https":
		return err
	case u.Scheme != "":
		return fmt.Errorf("want https")
	}
	to := from
	if u.Path != "" {
		to = filepath.ToSlash(filepath.Join(filepath.Dir(from), filepath.FromSlash(u.Path)))
	}
	if _, err := os.Stat(filepath.Join(root, to)); err != nil {
		return err
	}
	if u.Fragment != "" && !anchors(readDocument(t, to))[u.Fragment] {
		return fmt.Errorf("there is no such heading")
	}
	return nil
}

// TestProgramsOfTheDocumentsBuild compiles each whole program of the documents, as if it were in a folder of the
// repository.
func TestProgramsOfTheDocumentsBuild(t *testing.T) {
	dir, replaced := t.TempDir(), map[string]string{}
	overlay := filepath.Join(dir, "overlay.json")
	command := []string{"list", "-export", "-overlay", overlay} // compiles, and links nothing
	where := must.Get(filepath.Abs(root))(t)
	for _, name := range documents(t) {
		for i, found := range wholeGo.FindAllStringSubmatch(readDocument(t, name), -1) {
			folder := fmt.Sprintf("docs/%s%d", strings.NewReplacer("/", "_", ".", "_").Replace(name), i)
			file := filepath.Join(dir, fmt.Sprint(len(replaced), ".go"))
			must.Do(t, os.WriteFile(file, []byte(found[1]), 0o600))
			replaced[filepath.Join(where, folder, "main.go")] = file
			command = append(command, "./"+folder)
		}
	}
	if len(replaced) < 6 {
		t.Fatalf("got %d programs; want one of each page of the tutorial at least", len(replaced))
	}
	text := must.Get(json.Marshal(map[string]map[string]string{"Replace": replaced}))(t)
	must.Do(t, os.WriteFile(overlay, text, 0o600))
	if out, err := inRoot("go", command...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
