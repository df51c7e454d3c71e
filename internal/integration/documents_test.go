package integration_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// What a reader of the documents is asked to take in.
const (
	mostReadme = 700    // words
	mostEntry  = 20     // words of a line of CHANGELOG.md
	mostAll    = 20_000 // words of all documents but CHANGELOG.md
)

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
	return string(text)
}

func TestTheReadmeIsShortAndHasItsCommands(t *testing.T) {
	text := readDocument(t, "README.md")
	if got := len(strings.Fields(text)); got > mostReadme {
		t.Errorf("got %d words; want at most %d: docs has room for more", got, mostReadme)
	}
	for _, command := range []string{"\nmake run ", "\nmake test ", "iprof\" run ."} {
		if !strings.Contains(text, command) {
			t.Errorf("got no %q; want it, so that it can be pasted", command)
		}
	}
}

// What is said in a comment, a help text or a message is not said again.
func TestTheDocumentsAreShort(t *testing.T) {
	words := 0
	for _, name := range documents(t) {
		if name != "CHANGELOG.md" {
			words += len(strings.Fields(readDocument(t, name)))
		}
	}
	if words > mostAll {
		t.Errorf("got %d words in all documents; want at most %d", words, mostAll)
	}
}

// themes are the headings in a section of CHANGELOG.md, in this order.
var themes = []string{"Moves", "Without an edit", "Measuring", "Why a frame was slow", "Looking",
	"Captures and other tools", "Servers and tests", "Speed", "Wrong before"}

// TestChangesAreShortAndGrouped wants each line of the newest section of changes to be an entry below a theme, and
// what users must rename to be in the table of moves.
func TestChangesAreShortAndGrouped(t *testing.T) {
	_, text, _ := strings.Cut(readDocument(t, "CHANGELOG.md"), "\n## ")
	theme, newest := -1, true
	for i, line := range strings.Split(strings.TrimSpace("## "+text), "\n") {
		name, isTheme := strings.CutPrefix(line, "### ")
		row := strings.HasPrefix(line, "|") && theme == 0 // of the table of moves
		switch {
		case line == "" || row:
		case strings.HasPrefix(line, "## "):
			newest, theme = i == 0, -1
		case isTheme && slices.Index(themes, name) <= theme:
			t.Errorf("got the theme %q; want one of %q, in this order", name, themes)
		case isTheme:
			theme = slices.Index(themes, name)
		case !strings.HasPrefix(line, "* "):
			t.Errorf("got %q; want one line an entry", line)
		case newest && theme <= 0:
			t.Errorf("got %q in no theme; want it below one of %q", line, themes[1:])
		case len(strings.Fields(line))-1 > mostEntry:
			t.Errorf("got %d words; want at most %d: %s", len(strings.Fields(line))-1, mostEntry, line)
		}
	}
}

// named finds the documents and folders that an index links to.
var named = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)

// TestTheIndexHasAllDocuments wants docs/README.md to link to each document, and each of its links to lead somewhere.
func TestTheIndexHasAllDocuments(t *testing.T) {
	linked := map[string]bool{}
	for _, found := range named.FindAllStringSubmatch(readDocument(t, "docs/README.md"), -1) {
		path := filepath.Join(root, "docs", filepath.FromSlash(found[1]))
		if _, err := os.Stat(path); err != nil {
			t.Errorf("got a link to %s: %v", found[1], err)
		}
		linked[path] = true
	}
	for _, pattern := range []string{"docs/*.md", "docs/tutorial/*.md"} {
		files := must.Get(filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))))(t)
		for _, file := range files {
			if filepath.Base(file) != "README.md" && !linked[file] {
				t.Errorf("got no link to %s; want it in docs/README.md", file)
			}
		}
	}
}

// placed is a row of the table of places in DESIGN.md: a question, a file and a name in it.
var placed = regexp.MustCompile("(?m)^\\| (Where [^|]*)\\| `([^`]+)` \\| `(\\w+)` \\|$")

// TestTheTableOfPlacesIsTrue wants each file of the table to declare the name beside it.
func TestTheTableOfPlacesIsTrue(t *testing.T) {
	rows := placed.FindAllStringSubmatch(readDocument(t, "DESIGN.md"), -1)
	if len(rows) < 10 {
		t.Errorf("got %d questions; want ten at least", len(rows))
	}
	for _, row := range rows {
		question, file, name := row[1], row[2], row[3]
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Errorf("%s: %v", question, err)
			continue
		}
		declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |TEXT ·|\t)` + name + `\b`)
		if !declared.Match(text) {
			t.Errorf("%s: got no %s in %s; want the file that declares it", question, name, file)
		}
	}
}

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
