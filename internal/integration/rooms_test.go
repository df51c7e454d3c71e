package integration_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// mostInCircle is the greatest number of files of a package that may refer to each other in a circle. A larger circle
// is one file in many pieces: nobody understands a part of it alone.
const mostInCircle = 40

// A room can be understood in parts: no large number of its files refer to each other in a circle.
func TestCirclesAreSmall(t *testing.T) {
	_, packages := list(t)
	for _, p := range packages {
		if len(p.GoFiles) <= mostInCircle {
			continue
		}
		if got := largestCircle(references(t, p, p.GoFiles)); got > mostInCircle {
			t.Errorf("package %s: got a circle of %d files; want at most %d", p.name(), got, mostInCircle)
		}
	}
}

// references returns, by file, the files of its package whose declarations it refers to.
func references(t *testing.T, p listed, names []string) map[string][]string {
	t.Helper()
	set, exports := token.NewFileSet(), exportData(t, p.name())
	var files []*ast.File
	for _, name := range names {
		f := must.Get(parser.ParseFile(set, filepath.Join(root, p.name(), name), nil, parser.SkipObjectResolution))(t)
		files = append(files, f)
	}
	uses := map[*ast.Ident]types.Object{}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	pkg := must.Get(config.Check(p.ImportPath, set, files, &types.Info{Uses: uses}))(t)
	to := map[string][]string{}
	for id, object := range uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from, at := set.Position(id.Pos()).Filename, set.Position(object.Pos()).Filename
		if from != at && !slices.Contains(to[from], at) {
			to[from] = append(to[from], at)
		}
	}
	return to
}

// exportData returns the files with the export data of all packages that a package imports, by path.
func exportData(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := must.Get(inRoot("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./"+folder).Output())(t)
	exports := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p struct{ ImportPath, Export string }
		must.Do(t, decoder.Decode(&p))
		exports[p.ImportPath] = p.Export
	}
	return exports
}

// largestCircle returns the number of nodes in the largest set of a graph in which each reaches each.
func largestCircle(to map[string][]string) (most int) {
	reach := map[string]map[string]bool{}
	for from := range to {
		seen, stack := map[string]bool{}, []string{from}
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, next := range to[at] {
				if !seen[next] {
					seen[next] = true
					stack = append(stack, next)
				}
			}
		}
		reach[from] = seen
	}
	for from, seen := range reach {
		n := 0
		for at := range seen {
			if reach[at][from] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func TestLargestCircle(t *testing.T) {
	graph := map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
	if got := largestCircle(graph); got != 3 {
		t.Errorf("got a circle of %d; want 3: a, b and c", got)
	}
}

// The most methods of a Session, unexported ones counted, and the most names that package process exports, with
// methods and constants. Aliases of other packages' names that documents and examples use are not counted.
const (
	mostSessionMethods = 100
	mostProcessNames   = 120
)

func TestRoomsAreOfParts(t *testing.T) {
	files := sources(t, "process")
	methods := 0
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && text(f.Recv.List[0].Type) == "*Session" {
				methods++
			}
		}
	}
	if methods > mostSessionMethods {
		t.Errorf("methods of process.Session: got %d; want at most %d", methods, mostSessionMethods)
	}
	shown, n := shownNames(t), 0
	for name, e := range api(files) {
		switch typ, _, is := strings.Cut(name, "."); {
		case is && !strings.HasPrefix(e.what, "method of"): // a field
		case is || !aliased(e) && !isAlias(files, typ) || !shown[typ]:
			n++
		}
	}
	if n > mostProcessNames {
		t.Errorf("names that process exports: got %d; want at most %d", n, mostProcessNames)
	}
}

// aliased reports whether a type is declared as another package's.
func aliased(e exported) bool { return strings.HasPrefix(e.what, "type report.") }

// isAlias reports whether a constant, variable or function of the aliases stands for one of another package.
func isAlias(files []*ast.File, name string) bool {
	for _, file := range files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == name && len(v.Values) == 1 {
					x, ok := v.Values[0].(*ast.SelectorExpr)
					return ok && x.Sel.Name == name
				}
			}
		}
	}
	return false
}

// shownNames returns the names of package process that documents and examples use.
func shownNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{"README.md", "docs/*.md", "examples/*/*.go", "*example*_test.go",
		"*/*example*_test.go", "*/*/*example*_test.go"} {
		paths := must.Get(filepath.Glob(filepath.Join(root, pattern)))(t)
		for _, path := range paths {
			source := must.Get(os.ReadFile(path))(t)
			for _, part := range strings.Split(string(source), "process.")[1:] {
				end := strings.IndexFunc(part, func(r rune) bool {
					return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
				})
				if end > 0 {
					names[part[:end]] = true
				}
			}
		}
	}
	return names
}
