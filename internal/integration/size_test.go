package integration_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/iprof/internal/must"
)

// What a reader is asked to take in at once. Tabs are four columns wide.
const (
	mostColumns  = 120
	mostLines    = 700 // of a file, tests too: one idea
	mostFunction = 60  // lines of a function
)

// TestFilesAndFunctionsAreShort holds every Go file of the repository to these sizes, nested modules too.
func TestFilesAndFunctionsAreShort(t *testing.T) {
	must.Do(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.Type().IsRegular() && strings.HasSuffix(path, ".go"):
			checkSizes(t, path)
		}
		return nil
	}))
}

func checkSizes(t *testing.T, path string) {
	source := must.Get(os.ReadFile(path))(t)
	name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
	count := 0
	for line := range strings.Lines(string(source)) {
		count++
		line = strings.TrimSuffix(line, "\n")
		if wide := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); wide > mostColumns {
			t.Errorf("%s:%d: the line has %d columns; break it at %d", name, count, wide, mostColumns)
		}
	}
	if count > mostLines {
		t.Errorf("%s:%d: the file has %d lines; split it by idea, with at most %d in each part",
			name, mostLines+1, count, mostLines)
	}
	checkFunctions(t, name, source)
}

func checkFunctions(t *testing.T, name string, source []byte) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	checkStatements(t, set, file)
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		first := set.Position(f.Pos()).Line
		if lines := set.Position(f.End()).Line - first + 1; lines > mostFunction {
			t.Errorf("%s:%d: function %s has %d lines; divide it, with at most %d in each part",
				name, first, f.Name.Name, lines, mostFunction)
		}
	}
}

// TestExamplesAreShort: the files of examples have less than 100 lines, but for those that docs/examples.md names.
func TestExamplesAreShort(t *testing.T) {
	for _, folder := range []string{"examples/*", "examples/*/*", "hosts/*/example"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %v and no files", folder, err)
		}
		for _, path := range files {
			text := must.Get(os.ReadFile(path))(t)
			name, most := filepath.ToSlash(strings.TrimPrefix(path, root)), 100
			if name = strings.TrimPrefix(name, "/"); strings.HasPrefix(name, "examples/why/") ||
				strings.HasPrefix(name, "examples/hosts/") {
				most = 200
			}
			if n := strings.Count(string(text), "\n"); n >= most && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s has %d lines; want less than %d", name, n, most)
			}
		}
	}
}

// mostEntries is how many files and folders a newcomer finds at the top of the repository.
const mostEntries = 55

// TestTheTopLevelHasFewEntries leaves out what .gitignore names there: what builds leave behind.
func TestTheTopLevelHasFewEntries(t *testing.T) {
	ignored := must.Get(os.ReadFile(filepath.Join(root, ".gitignore")))(t)
	entries := must.Get(os.ReadDir(root))(t)
	var names []string
	for _, e := range entries {
		name := e.Name()
		made := strings.Contains("\n"+string(ignored), "\n/"+name+"\n") ||
			strings.Contains("\n"+string(ignored), "\n/"+name+"/\n")
		if name != ".git" && !made && !strings.HasSuffix(name, ".test") && !strings.HasSuffix(name, ".prof") {
			names = append(names, name)
		}
	}
	if len(names) > mostEntries {
		t.Errorf("got %d entries; want at most %d, so that one sees what there is: %v", len(names), mostEntries, names)
	}
}
