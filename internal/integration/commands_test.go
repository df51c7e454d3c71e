//go:build !windows && !iprof_off

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

// Commands also stand in running text, in tables, and on lines of their own that are indented. A command in which a
// word stands for another, such as FILE, or that ends in a flag or names only a subcommand, tells a form and no
// sequence.
var (
	inline   = regexp.MustCompile("`((?:iprof|go|glviewer|make|cd|curl|tools/\\w+|IPROF_\\w+=\\S+) [^`\n]+)`")
	indented = regexp.MustCompile(`(?m)^    ((?:iprof|go|make|cd|IPROF_\w+=\S+) .*)$`)
	form     = regexp.MustCompile(`\b[A-Z]{3,}\b|\bF\b|…| -[\w-]+$|^go tool \w+$|^go debug`)
	noWord   = regexp.MustCompile(`\w+\.md\b|\b\w+=`) // in capitals, but whole names
)

// typedInText returns the commands of a document that are in no block.
func typedInText(text string) (commands []string) {
	text = fenced.ReplaceAllString(text, "")
	found := append(inline.FindAllStringSubmatch(text, -1), indented.FindAllStringSubmatch(text, -1)...)
	for _, m := range found {
		command, _, _ := strings.Cut(m[1], "  #")
		whole := strings.HasPrefix(command, "make ") || strings.HasPrefix(command, "tools/")
		if (whole || len(strings.Fields(command)) > 2) && !form.MatchString(noWord.ReplaceAllString(command, "")) {
			commands = append(commands, command)
		}
	}
	return commands
}

// heldBy are commands that no script runs, and the tests, or the steps of check.sh and tools/soak, that do.
var heldBy = map[string]string{
	"make install":                 "TestInstallAndUninstall",
	"make uninstall":               "TestInstallAndUninstall",
	"tools/cross all":              "run tools/cross all",
	"go tool trace trace.out":      "TestTraceViewerOpensChrome",
	"go run ./examples/tickserver": "TestTicksAreFrames",
	"go run ./tools/real":          "run go run ./tools/real",

	"make module-path MODULE=github.com/you/iprof": "TestModulePathCanBeChanged",
}

// scriptsAndBlocks are all that scripts run, with the blocks of the documents.
func scriptsAndBlocks(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, file := range scripts(t) {
		text := must.Get(os.ReadFile(file))(t)
		all.Write(text)
	}
	for _, name := range guides(t) {
		for _, text := range blocks(readDocument(t, name)) {
			all.WriteString(text)
		}
	}
	return all.String()
}

// testsAndSteps are all places where heldBy may point to.
func testsAndSteps(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	must.Do(t, filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		steps := slices.Contains([]string{"check.sh", "soak"}, e.Name()) && !e.IsDir()
		if e.IsDir() && strings.HasPrefix(e.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if !steps && !strings.HasSuffix(path, "_test.go") || e.Name() == "commands_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	return all.String()
}

// TestEachCommandInTheTextIsRun wants each command that a document names to be run by a script or by a test.
func TestEachCommandInTheTextIsRun(t *testing.T) {
	run, tests := scriptsAndBlocks(t), testsAndSteps(t)
	seen := map[string]bool{}
	for _, name := range guides(t) {
		for _, command := range typedInText(readDocument(t, name)) {
			seen[command] = true
			if !strings.Contains(run, command) && heldBy[command] == "" {
				t.Errorf("%s: no script of testdata/hours has %q: what it says may not work", name, command)
			}
		}
	}
	for command, test := range heldBy {
		if strings.HasPrefix(test, "Test") {
			test = "func " + test + "("
		}
		if !seen[command] || !strings.Contains(tests, test) {
			t.Errorf("got %q for %q; want a document that has the command, and a test that runs it", test, command)
		}
	}
	if len(seen) < 30 {
		t.Errorf("got %d commands; want those of all documents", len(seen))
	}
}
