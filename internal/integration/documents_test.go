package integration_test

import (
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

// TestTheDocumentsAreShort: what is said in a comment, a help text or a message is not said again.
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
